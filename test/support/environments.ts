import type { AppConfig } from '../../src/config/app-config';
import { ConfigurationError } from '../../src/config/configuration-error';
import type { Environment } from '../../src/config/env-file';
import { readConfig } from '../../src/config/environment';
import type { Secret } from '../../src/common/secrets/secret';
import { apiKey, storageKey } from './keys';

export const API_KEY = 'k3y-k3y-k3y-k3y-k3y-k3y-k3y-k3y-';
export const STORAGE_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
export const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
export const textsOf = (secrets: Secret[]): string[] => secrets.map((secret) => secret.reveal());
export const KEYS: Environment = { API_KEY, STORAGE_ENCRYPTION_KEY };
/** Everything that production requires. */
export const PRODUCTION: Environment = {
  API_KEY: apiKey('production'),
  STORAGE_ENCRYPTION_KEY: storageKey(1),
  NODE_ENV: 'production',
  DATABASE_URL: 'mysql://relayer:s3cret@db.example:3307/relayers',
};

/** The configuration for an environment, with keys added. */
export const configOf = (env: Environment, interactive = false): AppConfig =>
  readConfig({ ...KEYS, ...env }, interactive);

/** The faults of an environment, one per line. */
export function faultsOf(env: Environment): string[] {
  try {
    readConfig(env, false);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}
