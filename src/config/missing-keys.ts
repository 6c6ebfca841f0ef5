import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { generatedKeyFile } from './development-secrets';
import { type Environment, isProduction } from './env-file';

/** The keys that a start generates outside of production, and their files. */
const GENERATED = { API_KEY: 'api-key', STORAGE_ENCRYPTION_KEY: 'storage-encryption-key' } as const;
type KeyVariable = keyof typeof GENERATED;

/** A key that a start generates: its variable, and the absolute path of its file. */
export interface GeneratedKey {
  variable: string;
  file: string;
}

/** The file of a key that a start would generate; undefined if the key is set, or has been generated. */
export function missingKeyFile(variable: KeyVariable, environment: Environment): string | undefined {
  if (isProduction(environment)) return undefined;
  if (environment[variable]?.trim() || environment[`${variable}_FILE`]?.trim()) return undefined;
  const file = generatedKeyFile(GENERATED[variable]);
  return existsSync(file) ? undefined : file;
}

/** The keys that a start with these settings generates. */
export const keysToGenerate = (environment: Environment): GeneratedKey[] =>
  (Object.keys(GENERATED) as KeyVariable[]).flatMap((variable) => {
    const file = missingKeyFile(variable, environment);
    return file === undefined ? [] : [{ variable, file }];
  });

/** Supplies placeholders for the keys that a start would generate: only a start may create them. */
export function withoutGeneration(environment: Environment): Environment {
  const keys = keysToGenerate(environment).map(
    ({ variable }) => [variable, randomBytes(32).toString('base64')] as const,
  );
  return { ...environment, ...Object.fromEntries(keys) };
}
