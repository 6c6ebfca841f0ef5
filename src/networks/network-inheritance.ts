import { invalidRequest } from '../common/errors/domain-error';
import type { NetworkDefinitionDto } from './dto/network-definition.dto';
import type { NetworkFields } from './dto/network-fields.dto';
import { networkId } from './new-network';

/** The networks that `from` can refer to, by id. */
interface Ancestors {
  /** The definitions from the same source, which may inherit themselves. */
  definitions: ReadonlyMap<string, NetworkDefinitionDto>;
  /** Networks with resolved inheritance. A definition whose `from` is its own name extends the network in this map. */
  resolved: ReadonlyMap<string, NetworkFields>;
}

/** Definitions by network id. */
export function definitionsById(definitions: NetworkDefinitionDto[]): Map<string, NetworkDefinitionDto> {
  return new Map(definitions.map((definition) => [idOf(definition), definition]));
}

/**
 * The fields of a network, including inherited ones: features and tags are merged, its other own fields override
 * inherited ones. RPC endpoints serve one chain, so a network with a different chain id does not inherit any.
 *
 * @throws DomainError `invalid_request` if `from` names no network or is circular
 */
export function inheritedFields(
  definition: NetworkDefinitionDto,
  ancestors: Ancestors,
  descendants: readonly string[] = [],
): NetworkFields {
  if (typeof definition.from !== 'string') return definition;
  const id = idOf(definition);
  const parentId = networkId(definition.type, definition.from);
  if (descendants.includes(parentId)) throw invalidRequest(`from leads back to network ${definition.from}`);
  const parent = parentId === id ? undefined : ancestors.definitions.get(parentId);
  const fields = parent
    ? inheritedFields(parent, ancestors, [...descendants, id])
    : ancestors.resolved.get(parentId);
  if (!fields) {
    throw invalidRequest(
      `from names the network ${definition.from} of type ${definition.type}, which does not exist`,
    );
  }
  const own = givenFields(definition);
  const isOtherChain = own.chain_id !== undefined && own.chain_id !== fields.chain_id;
  return {
    ...givenFields(fields),
    ...(isOtherChain && { rpc_urls: [], private_rpc_urls: [] }),
    ...own,
    features: merged(fields.features, definition.features),
    tags: merged(fields.tags, definition.tags),
  };
}

const idOf = ({ type, network }: NetworkDefinitionDto): string => networkId(type, network);

function givenFields(fields: NetworkFields): NetworkFields {
  return Object.fromEntries(
    Object.entries<unknown>(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function merged(inherited: string[] | null | undefined, own: string[] | null | undefined): string[] {
  return [...new Set([...(inherited ?? []), ...(own ?? [])])];
}
