import { plainToInstance } from 'class-transformer';
import ethereum from './data/ethereum.json';
import polygon from './data/polygon.json';
import arbitrum from './data/arbitrum.json';
import optimism from './data/optimism.json';
import bnb from './data/bnb.json';
import avalanche from './data/avalanche.json';
import gnosis from './data/gnosis.json';
import zkRollups from './data/zk-rollups.json';
import local from './data/local.json';
import solana from './data/solana.json';
import stellar from './data/stellar.json';
import { NetworkDefinitionDto } from './dto/network-definition.dto';
import type { NetworkFields } from './dto/network-fields.dto';
import { definitionsById, inheritedFields } from './network-inheritance';
import { type NewNetwork, toNewNetwork } from './new-network';

const FILES = [
  ethereum,
  polygon,
  arbitrum,
  optimism,
  bnb,
  avalanche,
  gnosis,
  zkRollups,
  local,
  solana,
  stellar,
];

const definitions = plainToInstance(
  NetworkDefinitionDto,
  FILES.flatMap(({ networks }): object[] => networks),
);
const ancestors = { definitions: definitionsById(definitions), resolved: new Map<string, never>() };

/** The fields of each built-in network, by id, which other networks can inherit. */
export const BUILT_IN_FIELDS: ReadonlyMap<string, NetworkFields> = new Map(
  [...ancestors.definitions].map(([id, definition]) => [id, inheritedFields(definition, ancestors)]),
);

/** The networks that are added once to every database, by id. */
export const BUILT_IN_NETWORKS: ReadonlyMap<string, NewNetwork> = new Map(
  [...ancestors.definitions].map(([id, { type, network }]) => [
    id,
    toNewNetwork(type, network, BUILT_IN_FIELDS.get(id) ?? {}),
  ]),
);
