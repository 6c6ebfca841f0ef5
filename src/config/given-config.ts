import type { AppConfig } from './app-config';
import type { Environment } from './env-file';
import { readConfig } from './environment';

/**
 * Reads the settings that a program passes. Without `NODE_ENV` they are those of production: a program that omits it
 * must not get generated keys and a demonstration relayer, whatever its own environment is. `config/config.json` in the
 * working directory is the program's own file, so it is used only if `CONFIG_FILE` names it.
 *
 * @throws ConfigurationError with all faults at once
 */
export function readGivenConfig(config: Environment): AppConfig {
  const settings = readConfig(config.NODE_ENV?.trim() ? config : { ...config, NODE_ENV: 'production' });
  return settings.configFile?.required ? settings : { ...settings, configFile: undefined };
}
