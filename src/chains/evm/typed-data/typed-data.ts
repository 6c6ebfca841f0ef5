import { checkBounds } from './bounds';
import type { EventLoopTurns } from '../../../common/event-loop/event-loop-turns';
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
 * Checks typed data against its bounds and types, and hashes it (EIP-712).
 *
 * @throws DomainError `invalid_request`, naming the path and the rule
 */
export async function hashTypedData(raw: RawTypedData, turns: EventLoopTurns): Promise<HashedTypedData> {
  const values = checkBounds(raw);
  if (values > FEW_VALUES && turns.isOver) await turns.next();
  const domain = parseDomain(raw.domain, raw.types);
  const structs = await turns.run(parseStructTypes(raw.types, raw.primaryType));
  const primaryType = raw.primaryType as string;
  const structHash = await new MessageHasher(structs, turns).hashStruct(primaryType, raw.message, 'message');
  return {
    domain,
    primaryType,
    members: structs.get(primaryType)?.members ?? [],
    message: raw.message as Record<string, unknown>,
    digest: typedDataDigest(domain.separator, structHash),
  };
}
