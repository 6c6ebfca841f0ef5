import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { generatedKeyFile } from './development-secrets';
import { type Environment, isProduction } from './env-file';

/** The keys that a start generates outside of production, and their files. */
const GENERATED = { API_KEY: 'api-key', STORAGE_ENCRYPTION_KEY: 'storage-encryption-key' } as const;
type KeyVariable = keyof typeof GENERATED;

/** The file of a key that a start would generate; undefined if the key is set, or has been generated. */
export function missingKeyFile(variable: KeyVariable, environment: Environment): string | undefined {
  if (isProduction(environment)) return undefined;
  if (environment[variable]?.trim() || environment[`${variable}_FILE`]?.trim()) return undefined;
  const file = generatedKeyFile(GENERATED[variable]);
  return existsSync(file) ? undefined : file;
}

/** Supplies placeholders for the keys that a start would generate: only a start may create them. */
export function withoutGeneration(environment: Environment): Environment {
  const missing = (Object.keys(GENERATED) as KeyVariable[]).filter((variable) =>
    missingKeyFile(variable, environment),
  );
  const keys = missing.map((variable) => [variable, randomBytes(32).toString('base64')] as const);
  return { ...environment, ...Object.fromEntries(keys) };
}
