import { invalidRequest } from '../../common/errors/domain-error';
import { isHash32 } from '../../common/validation/fields';
import { MAX_BATCH_ITEMS } from '../batch';
import { isObject, unknownFieldFaults } from '../../common/validation/json-object';
import type { RawTypedData } from '../../chains/evm/typed-data/typed-data';

const HASHES = ['domain_separator', 'hash_struct_message'] as const;
const FULL = ['domain', 'types', 'primaryType', 'message'] as const;

/** EIP-712 data whose two hashes the caller has computed: 64 hex digits each, `0x` optional. */
export interface TypedDataHashes {
  form: 'hashes';
  domainSeparator: string;
  structHash: string;
}

/** Either form of typed data. */
export type SignRequest = TypedDataHashes | ({ form: 'full' } & RawTypedData);

/**
 * Distinguishes the two forms of typed data. Hashes are checked here, full typed data later.
 *
 * @throws DomainError `invalid_request`
 */
export function parseSignRequest(body: unknown): SignRequest {
  if (!isObject(body)) throw invalidRequest('typed data must be an object');
  const isFull = FULL.some((name) => Object.hasOwn(body, name));
  const hasHashes = HASHES.some((name) => Object.hasOwn(body, name));
  if (isFull === hasHashes) {
    throw invalidRequest(
      `either ${HASHES.join(' and ')} or ${FULL.join(', ')} must be given${isFull ? ', not both' : ''}`,
    );
  }
  return isFull ? parseFull(body) : parseHashes(body);
}

/**
 * Parses the items of a batch. The items themselves are checked later, so that an invalid one fails alone.
 *
 * @throws DomainError `invalid_request`
 */
export function parseBatch(body: unknown): readonly unknown[] {
  if (!isObject(body)) throw invalidRequest('the request body must be a JSON object');
  const { items, ...others } = body;
  const faults = unknownFieldFaults(Object.keys(others));
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_BATCH_ITEMS) {
    faults.push(`items must be an array of 1 to ${MAX_BATCH_ITEMS} requests`);
  }
  if (faults.length > 0) throw invalidRequest(faults.join('; '));
  return items as readonly unknown[];
}

function parseHashes(body: Record<string, unknown>): SignRequest {
  const { domain_separator: domainSeparator, hash_struct_message: structHash } = body;
  const unknown = Object.keys(body).filter((name) => !(HASHES as readonly string[]).includes(name));
  const faults = [
    ...unknownFieldFaults(unknown),
    ...HASHES.filter((name) => !isHash32(body[name])).map(hashFault),
  ];
  if (!isHash32(domainSeparator) || !isHash32(structHash) || faults.length > 0) {
    throw invalidRequest(faults.join('; '));
  }
  return { form: 'hashes', domainSeparator, structHash };
}

function parseFull(body: Record<string, unknown>): SignRequest {
  const unknown = Object.keys(body).filter((name) => !(FULL as readonly string[]).includes(name));
  const missing = FULL.filter((name) => !Object.hasOwn(body, name));
  const faults = [...unknownFieldFaults(unknown), ...missing.map((name) => `${name} is missing`)];
  if (faults.length > 0) throw invalidRequest(faults.join('; '));
  const { domain, types, primaryType, message } = body;
  return { form: 'full', domain, types, primaryType, message };
}

const hashFault = (name: string): string => `${name} must be 32 bytes of hex (64 digits, optional 0x)`;
