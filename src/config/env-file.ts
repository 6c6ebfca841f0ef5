import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError } from './configuration-error';

export type Environment = Readonly<Record<string, string | undefined>>;

const FILE = '.env';

/** The variables of `.env` in the working directory; none without such a file. @throws ConfigurationError if it cannot be read */
export function readEnvFile(): Environment {
  if (!existsSync(FILE)) return {};
  try {
    // To `parseEnv` a byte order mark is a part of the first name.
    return parseEnv(readFileSync(FILE, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new ConfigurationError([`${FILE} cannot be read`]);
  }
}

/** `process.env`, after adding the variables of `.env` that are absent or blank in it. */
export function processEnvironment(): Environment {
  for (const [name, value] of Object.entries(readEnvFile()))
    if (!process.env[name]?.trim()) process.env[name] = value;
  return process.env;
}

/** Whether the service runs in production; in upper or lower case and with white space around it, like other settings. */
export const isProduction = ({ NODE_ENV }: Environment): boolean =>
  NODE_ENV?.trim().toLowerCase() === 'production';

/** Names of the variables that have a value in the environment of the process, which `.env` does not override. */
export function presetVariables(): ReadonlySet<string> {
  return new Set(Object.keys(process.env).filter((name) => process.env[name]?.trim()));
}
