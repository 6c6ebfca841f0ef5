import { readFileSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import type { AppConfig } from './app-config';
import { ConfigurationError } from './configuration-error';
import type { Environment } from './env-file';
import { readConfig } from './environment';
import { SECRET_VARIABLES } from './forget-variables';
import { SETTINGS } from './settings';

const MAX_LOGGED_NAMES = 20;
const FILE_SUFFIX = /_FILE$/;

/** The names of all settings, and of those that give the file of a secret. */
export const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(SETTINGS),
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
]);

/**
 * Reads the settings that a program passes. Without `NODE_ENV` they are those of production: a program that omits it
 * must not get generated keys and a demonstration relayer, whatever its own environment is. `config/config.json` in the
 * working directory is the program's own file, so it is used only if `CONFIG_FILE` names it.
 *
 * @throws ConfigurationError with all faults at once
 */
export function readGivenConfig(config: Environment): AppConfig {
  assertTexts(config);
  const settings = readConfig(config.NODE_ENV?.trim() ? config : { ...config, NODE_ENV: 'production' });
  return settings.configFile?.required ? settings : { ...settings, configFile: undefined };
}

/**
 * Refuses settings of other types: a factory may return anything, for example what its own configuration service does
 * not have. @throws ConfigurationError that names them
 */
export function assertTexts(config: unknown): void {
  if (typeof config !== 'object' || config === null)
    throw new ConfigurationError(['config is required: an object with the settings by name']);
  const faults = Object.entries(config)
    .filter(([, value]) => value !== undefined && typeof value !== 'string')
    .map(([name]) => `${name} must be a string`);
  if (faults.length > 0) throw new ConfigurationError(faults);
}

/** Logs the names that have no effect: the object contains only settings, so they are probably misspelt. */
export function warnOfUnusedNames(config: Environment): void {
  const names = unusedNames(config).slice(0, MAX_LOGGED_NAMES);
  if (names.length > 0)
    new Logger('Settings').warn('Settings in config are not known, and have no effect', { names });
}

/** The names with a value that are neither settings nor named by the configuration file. */
export function unusedNames(config: Environment): string[] {
  const names = Object.keys(config).filter((name) => config[name]?.trim() && !KNOWN_NAMES.has(name));
  if (names.length === 0) return names;
  const file = textOf(config.CONFIG_FILE?.trim());
  return names.filter((name) =>
    [name, name.replace(FILE_SUFFIX, '')].every((each) => !file.includes(JSON.stringify(each))),
  );
}

/** Empty if the file cannot be read, which stops the start elsewhere. */
function textOf(path: string | undefined): string {
  try {
    return path ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
