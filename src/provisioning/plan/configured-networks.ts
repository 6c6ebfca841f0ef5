import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DomainError } from '../../common/errors/domain-error';
import { errorCodeOf } from '../../common/errors/error-cause';
import { isObject } from '../../common/validation/json-object';
import { listFaults } from '../../common/validation/validation-faults';
import { VALIDATOR_OPTIONS } from '../../common/validation/validator-options';
import { NetworkDefinitionDto } from '../../networks/dto/network-definition.dto';
import { networkId } from '../../networks/new-network';
import { parseJsonFile } from '../file/json-file';
import { lookupPaths } from '../file/secret-sources';

/** The folder with networks if the file does not mention any. */
const DEFAULT_FOLDER = './config/networks';

/** A configured network and its location, for example `networks[2]`. */
export interface ConfiguredNetwork {
  place: string;
  definition: NetworkDefinitionDto;
}

export interface ConfiguredNetworks {
  networks: ConfiguredNetwork[];
  faults: string[];
}

/** Validates the form of a list of networks. */
export function parseNetworks(items: unknown[], list: string): ConfiguredNetworks {
  const networks: ConfiguredNetwork[] = [];
  const faults: string[] = [];
  for (const [index, item] of items.entries()) {
    const place = `${list}[${index}]`;
    if (!isObject(item)) {
      faults.push(`${place} must be an object`);
      continue;
    }
    const definition = plainToInstance(NetworkDefinitionDto, item);
    const broken = listFaults(validateSync(definition, VALIDATOR_OPTIONS), place);
    if (broken.length > 0) faults.push(...broken);
    else networks.push({ place, definition });
  }
  return { networks, faults: [...faults, ...duplicateFaults(networks)] };
}

/**
 * Reads the files `*.json` in a folder, each an array of networks or `{"networks": […]}`.
 *
 * @param folder resolved against the working directory, then against the folder of the configuration file; undefined
 * for the default folder, which is optional
 */
export async function readNetworksFolder(
  folder: string | undefined,
  configPath: string,
): Promise<ConfiguredNetworks> {
  const found = await findFolder(folder ?? DEFAULT_FOLDER, configPath);
  if (!found) {
    const faults = folder === undefined ? [] : [`networks names the folder ${folder}, which cannot be read`];
    return { networks: [], faults };
  }
  const read = await Promise.all(found.files.map((file) => readList(found.path, file)));
  const networks = read.flatMap((list) => list.networks);
  const faults = read.flatMap((list) => list.faults);
  return { networks, faults: faults.length > 0 ? faults : duplicateFaults(networks) };
}

async function findFolder(folder: string, configPath: string) {
  for (const path of lookupPaths(folder, configPath)) {
    try {
      const files = (await readdir(path)).filter((file) => file.endsWith('.json')).sort();
      return { path, files };
    } catch (error) {
      // An existing folder that cannot be read is not skipped in favour of another one.
      if (errorCodeOf(error) !== 'ENOENT') return undefined;
    }
  }
  return undefined;
}

async function readList(folder: string, file: string): Promise<ConfiguredNetworks> {
  const list = `networks/${file}`;
  const refuse = (fault: string): ConfiguredNetworks => ({ networks: [], faults: [`${list} ${fault}`] });
  try {
    const content = parseJsonFile(await readFile(join(folder, file)));
    const items = isObject(content) ? content.networks : content;
    return Array.isArray(items) ? parseNetworks(items, list) : refuse('must hold a list of networks');
  } catch (error) {
    if (error instanceof DomainError) return refuse(error.detail);
    return refuse('cannot be read');
  }
}

function duplicateFaults(networks: ConfiguredNetwork[]): string[] {
  const seen = new Set<string>();
  return networks.flatMap(({ place, definition: { type, network } }) => {
    const id = networkId(type, network);
    if (seen.has(id)) return [`${place}.network is given more than once for type ${type}`];
    seen.add(id);
    return [];
  });
}
