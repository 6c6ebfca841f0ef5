import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

const FILE = '.env';

/** The variables of `.env` in the working directory; none without such a file. @throws Error if it cannot be read */
export function readEnvFile(): Environment {
  return existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {};
}

/** `process.env`, after adding the variables of `.env` that are absent or blank in it. */
export function processEnvironment(): Environment {
  for (const [name, value] of Object.entries(readEnvFile()))
    if (!process.env[name]?.trim()) process.env[name] = value;
  return process.env;
}

/**
 * Names of the variables that the environment of the process sets; `.env` does not override them. Call it before {@link
 * processEnvironment}.
 */
export function presetVariables(): ReadonlySet<string> {
  return new Set(Object.keys(process.env).filter((name) => process.env[name]?.trim()));
}
