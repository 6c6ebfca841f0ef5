import { accessSync, constants } from 'node:fs';
import { errorCodeOf } from '../common/errors/error-cause';
import type { AppConfig } from './app-config';
import { ConfigurationError } from './configuration-error';
import type { Environment } from './env-file';
import { withoutGeneration } from './missing-keys';

/**
 * Reads settings for a start, which also reads the file that `CONFIG_FILE` names: without this check the start would
 * migrate the database first.
 *
 * @throws ConfigurationError with all faults at once, also if that file cannot be read
 */
export function withConfigFile(
  environment: Environment,
  read: (environment: Environment) => AppConfig,
): AppConfig {
  const ofFile = faultsOf((environment as Environment | undefined)?.CONFIG_FILE);
  const faults: string[] = [];
  let config: AppConfig | undefined;
  try {
    // A start that fails creates no keys: the log of the next one would not name them.
    config = read(ofFile.length > 0 ? withoutGeneration(environment) : environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    faults.push(...error.faults);
  }
  faults.push(...ofFile);
  if (!config || faults.length > 0) throw new ConfigurationError(faults);
  return config;
}

function faultsOf(setting: unknown): string[] {
  const path = typeof setting === 'string' ? setting.trim() : '';
  if (path === '') return [];
  try {
    accessSync(path, constants.R_OK);
    return [];
  } catch (error) {
    const reason = errorCodeOf(error) === 'ENOENT' ? ': it does not exist' : '';
    return [`CONFIG_FILE ${path} cannot be read${reason}`];
  }
}
