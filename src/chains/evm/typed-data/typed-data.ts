import { checkBounds } from './bounds';
import { MessageHasher } from './message-hasher';
import { type Member, parseStructTypes } from './struct-types';
import { parseDomain, type TypedDataDomain } from './typed-data-domain';
import { typedDataDigest } from './typed-data-digest';

/** Typed data as `eth_signTypedData_v4` accepts it, not yet checked. */
export interface RawTypedData {
  domain: unknown;
  types: unknown;
  primaryType: unknown;
  message: unknown;
}

/** Typed data that has been checked and hashed. */
export interface HashedTypedData {
  domain: TypedDataDomain;
  primaryType: string;
  /** The members of the primary type. */
  members: readonly Member[];
  /** Has exactly these members, each of the declared type. */
  message: Readonly<Record<string, unknown>>;
  /** 32 bytes. */
  digest: Uint8Array;
}

/** The types of this many values can be checked in less than a millisecond. */
const FEW_VALUES = 200;

/**
 * Checks typed data against its bounds and types, and hashes it (EIP-712), in steps of a millisecond or two for
 * `EventLoopTurns.run`.
 *
 * @throws DomainError `invalid_request`, naming the path and the rule
 */
export function* hashTypedData(raw: RawTypedData): Generator<void, HashedTypedData> {
  const values = checkBounds(raw);
  if (values > FEW_VALUES) yield;
  const domain = parseDomain(raw.domain, raw.types);
  const structs = yield* parseStructTypes(raw.types, raw.primaryType);
  const primaryType = raw.primaryType as string;
  const structHash = yield* new MessageHasher(structs).hashStruct(primaryType, raw.message, 'message');
  return {
    domain,
    primaryType,
    members: structs.get(primaryType)?.members ?? [],
    message: raw.message as Record<string, unknown>,
    digest: typedDataDigest(domain.separator, structHash),
  };
}
