import { readFile } from 'node:fs/promises';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DomainError } from '../../common/errors/domain-error';
import { errorCodeOf } from '../../common/errors/error-cause';
import { isObject } from '../../common/validation/json-object';
import { listFaults } from '../../common/validation/validation-faults';
import { VALIDATOR_OPTIONS } from '../../common/validation/validator-options';
import { ConfigurationError } from '../../config/configuration-error';
import {
  ConfigFileDto,
  type ConfiguredNotificationDto,
  type ConfiguredRelayerDto,
  type ConfiguredSignerDto,
} from './config-file.dto';
import { parseJsonFile } from './json-file';
import {
  type ConfiguredNetwork,
  type ConfiguredNetworks,
  parseNetworks,
  readNetworksFolder,
} from '../plan/configured-networks';

/** The content of a configuration file, whose form has been validated. */
export interface ConfigFile {
  path: string;
  /** The networks in the file itself and, once that has been read, in the folder that it names. */
  networks: ConfiguredNetwork[];
  /**
   * The location of the networks if they are not in the file: the path that it names, or null if it does not mention
   * networks.
   */
  networksFolder?: string | null;
  signers: ConfiguredSignerDto[];
  notifications: ConfiguredNotificationDto[];
  relayers: ConfiguredRelayerDto[];
  hasPlugins: boolean;
}

/** A configuration file without content. */
export const emptyConfigFile = (path = ''): ConfigFile => ({
  path,
  networks: [],
  signers: [],
  notifications: [],
  relayers: [],
  hasPlugins: false,
});

/**
 * Reads the configuration file; undefined if an optional one is missing.
 *
 * @throws ConfigurationError with all faults in its form, or in that of the networks it refers to
 */
export async function readConfigFile(settings: {
  path: string;
  required: boolean;
}): Promise<ConfigFile | undefined> {
  let content: Uint8Array;
  try {
    content = await readFile(settings.path);
  } catch (error) {
    const isMissing = errorCodeOf(error) === 'ENOENT';
    if (isMissing && !settings.required) return undefined;
    const reason = isMissing ? ': it does not exist' : '';
    throw new ConfigurationError([`CONFIG_FILE ${settings.path} cannot be read${reason}`]);
  }
  const file = parseConfigFile(content, settings.path);
  if (file.networksFolder === undefined) return file;
  const { networks, faults } = await readNetworksOf(file.networksFolder, settings.path);
  if (faults.length > 0) throw configFileError(faults);
  return { ...file, networks };
}

/**
 * The networks of a configuration file: those it contains, or those in the folder it names or in the default folder.
 */
export function readNetworksOf(networks: unknown, path: string): Promise<ConfiguredNetworks> {
  const named = typeof networks === 'string' ? networks : undefined;
  const isFolder = named !== undefined || networks === undefined || networks === null;
  return isFolder ? readNetworksFolder(named, path) : Promise.resolve(networksOf(networks));
}

export function parseConfigFile(content: string | Uint8Array, path: string): ConfigFile {
  const file = plainToInstance(ConfigFileDto, parse(content));
  const { networks, faults: networkFaults } = networksOf(file.networks);
  const faults = [
    ...listFaults(validateSync(file, VALIDATOR_OPTIONS)),
    ...networkFaults,
    ...duplicateFaults('signers', file.signers),
    ...duplicateFaults('notifications', file.notifications),
    ...duplicateFaults('relayers', file.relayers),
  ];
  if (faults.length > 0) throw configFileError(faults);
  return {
    path,
    networks,
    ...(!Array.isArray(file.networks) && { networksFolder: (file.networks ?? null) as string | null }),
    signers: file.signers ?? [],
    notifications: file.notifications ?? [],
    relayers: file.relayers ?? [],
    hasPlugins: Array.isArray(file.plugins) && file.plugins.length > 0,
  };
}

export function configFileError(faults: string[]): ConfigurationError {
  return new ConfigurationError(faults.map((fault) => `CONFIG_FILE ${fault}`));
}

function parse(content: string | Uint8Array): object {
  try {
    const value = parseJsonFile(content);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw configFileError([error.detail]);
  }
  throw configFileError(['must hold a JSON object']);
}

function networksOf(networks: unknown): ConfiguredNetworks {
  if (networks === undefined || networks === null || typeof networks === 'string')
    return { networks: [], faults: [] };
  if (Array.isArray(networks)) return parseNetworks(networks, 'networks');
  return { networks: [], faults: ['networks must be an array or the path of a folder'] };
}

function duplicateFaults(section: string, items: unknown): string[] {
  const ids = (Array.isArray(items) ? items : []).map((item: unknown) =>
    isObject(item) ? item.id : undefined,
  );
  return ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) < index ? [`${section}[${index}].id is given more than once`] : [],
  );
}
