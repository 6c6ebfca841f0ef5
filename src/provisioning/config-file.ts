import { readFile } from 'node:fs/promises';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DomainError } from '../common/errors/domain-error';
import { errorCodeOf } from '../common/errors/error-code-of';
import { parseStrictJson } from '../common/validation/strict-json';
import { listFaults } from '../common/validation/validation-faults';
import { ConfigurationError } from '../config/configuration-error';
import { NETWORK_TYPES } from '../common/networks/network-type';
import {
  ConfigFileDto,
  type ConfiguredNotificationDto,
  type ConfiguredRelayerDto,
  type ConfiguredSignerDto,
} from './config-file.dto';

/** What a configuration file asks for, checked for its shape. */
export interface ConfigFile {
  path: string;
  signers: ConfiguredSignerDto[];
  notifications: ConfiguredNotificationDto[];
  relayers: ConfiguredRelayerDto[];
  hasPlugins: boolean;
}

/**
 * Reads the configuration file; undefined where an optional one is missing.
 *
 * @throws ConfigurationError with every fault of its shape
 */
export async function readConfigFile(settings: {
  path: string;
  required: boolean;
}): Promise<ConfigFile | undefined> {
  let text: string;
  try {
    text = await readFile(settings.path, 'utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' && !settings.required) return undefined;
    throw new ConfigurationError([`CONFIG_FILE ${settings.path} cannot be read`]);
  }
  return parseConfigFile(text, settings.path);
}

export function parseConfigFile(text: string, path: string): ConfigFile {
  const content = parse(text);
  const file = plainToInstance(ConfigFileDto, content);
  const faults = [
    ...listFaults(
      validateSync(file, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true }),
    ),
    ...networkFaults(file.networks),
    ...duplicateFaults('signers', file.signers),
    ...duplicateFaults('notifications', file.notifications),
    ...duplicateFaults('relayers', file.relayers),
  ];
  if (faults.length > 0) throw configFileError(faults);
  return {
    path,
    signers: file.signers ?? [],
    notifications: file.notifications ?? [],
    relayers: file.relayers ?? [],
    hasPlugins: Array.isArray(file.plugins) && file.plugins.length > 0,
  };
}

export function configFileError(faults: string[]): ConfigurationError {
  return new ConfigurationError(faults.map((fault) => `CONFIG_FILE ${fault}`));
}

function parse(text: string): object {
  try {
    const content = parseStrictJson(text);
    if (isObject(content)) return spellOutUrls(content);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw configFileError([error.detail.replace('the request body', 'the file')]);
  }
  throw configFileError(['must hold a JSON object']);
}

/** In the file, an RPC endpoint may be written as a plain string. */
function spellOutUrls(content: Record<string, unknown>): object {
  if (!Array.isArray(content.relayers)) return content;
  const relayers = content.relayers.map((relayer: unknown) =>
    isObject(relayer) && Array.isArray(relayer.custom_rpc_urls)
      ? {
          ...relayer,
          custom_rpc_urls: relayer.custom_rpc_urls.map((url: unknown) =>
            typeof url === 'string' ? { url } : url,
          ),
        }
      : relayer,
  );
  return { ...content, relayers };
}

function networkFaults(networks: unknown): string[] {
  if (networks === undefined || networks === null || typeof networks === 'string') return [];
  if (!Array.isArray(networks)) return ['networks must be an array or the path of a folder'];
  return networks.flatMap((network: unknown, index) => {
    if (!isObject(network)) return [`networks[${index}] must be an object`];
    const named = typeof network.network === 'string' && network.network !== '';
    const typed = NETWORK_TYPES.some((type) => type === network.type);
    return [
      ...(named ? [] : [`networks[${index}].network must be the name of the network`]),
      ...(typed ? [] : [`networks[${index}].type must be one of ${NETWORK_TYPES.join(', ')}`]),
    ];
  });
}

function duplicateFaults(section: string, items: unknown): string[] {
  const ids = (Array.isArray(items) ? items : []).map((item: unknown) =>
    isObject(item) ? item.id : undefined,
  );
  return ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) < index ? [`${section}[${index}].id is given more than once`] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
