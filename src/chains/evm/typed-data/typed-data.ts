import { checkBounds } from './bounds';
import { MessageHasher } from './message-hasher';
import { type Member, parseStructTypes } from './struct-types';
import { parseDomain, type TypedDataDomain } from './typed-data-domain';
import { typedDataDigest } from './typed-data-digest';

/** Typed data as `eth_signTypedData_v4` takes it; nothing of it is checked yet. */
export interface RawTypedData {
  domain: unknown;
  types: unknown;
  primaryType: unknown;
  message: unknown;
}

/** Typed data that was checked and hashed. */
export interface HashedTypedData {
  domain: TypedDataDomain;
  primaryType: string;
  /** Of the primary type. */
  members: readonly Member[];
  /** Has just these members, each of its type. */
  message: Readonly<Record<string, unknown>>;
  /** 32 bytes. */
  digest: Uint8Array;
}

/** Values of which the types are looked at in less than a millisecond. */
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
