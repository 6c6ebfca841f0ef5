import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError } from './configuration-error';

export type Environment = Readonly<Record<string, string | undefined>>;

const FILE = '.env';

/**
 * The variables in `.env` in the working directory; empty if there is no such file. @throws ConfigurationError if it
 * cannot be read
 */
export function readEnvFile(): Environment {
  if (!existsSync(FILE)) return {};
  try {
    // `parseEnv` would treat a byte order mark as part of the first name.
    return parseEnv(readFileSync(FILE, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new ConfigurationError([`${FILE} cannot be read`]);
  }
}

/** Adds the variables in `.env` that are absent or blank in `process.env`, and returns that. */
export function processEnvironment(): Environment {
  for (const [name, value] of Object.entries(readEnvFile()))
    if (!process.env[name]?.trim()) process.env[name] = value;
  return process.env;
}

/**
 * Whether the service runs in production. Like other settings, the value is case-insensitive and may be surrounded by
 * white space.
 */
export const isProduction = ({ NODE_ENV }: Environment): boolean =>
  NODE_ENV?.trim().toLowerCase() === 'production';

/** The names of variables with a value in the process environment, which `.env` does not override. */
export function presetVariables(): ReadonlySet<string> {
  return new Set(Object.keys(process.env).filter((name) => process.env[name]?.trim()));
}
