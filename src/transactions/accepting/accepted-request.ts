import { invalidRequest } from '../../common/errors/domain-error';
import { DATE_TIME_RULE, parseDateTime } from '../../common/validation/rfc3339';
import { isObject, unknownFieldFaults } from '../../common/validation/json-object';
import type { StoredRequest } from '../transaction.entity';
import type { StoredDigest, StoredKey } from './idempotency-key';

/** The metadata of a transaction in JSON. @limit Transactions */
const MAX_METADATA_BYTES = 1024;
/** The names of metadata members, by which lists can be filtered. */
export const METADATA_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** The members that define what is sent. How they are parsed depends on the type of chain. */
const CHAIN_MEMBERS = [
  'to',
  'value',
  'data',
  'gas_limit',
  'type',
  'speed',
  'gas_price',
  'max_fee_per_gas',
  'max_priority_fee_per_gas',
  'access_list',
  'authorization_list',
  'max_attempts_price',
  'simulate',
];
const COMMON_MEMBERS = ['valid_until', 'metadata'];

/** The members of a request that do not depend on the chain. */
export interface CommonMembers {
  validUntil: Date | null;
  metadata: Record<string, string> | null;
}

/** A request that is ready to be stored. */
export interface AcceptedRequest extends CommonMembers, KeyedRequest {
  request: StoredRequest;
}

/** What identifies a request that is repeated. */
export interface KeyedRequest extends StoredKey, StoredDigest {}

/** @throws DomainError `invalid_request` if the body is not an object, or has unknown members */
export function assertMembers(body: unknown): Record<string, unknown> {
  if (!isObject(body)) throw invalidRequest('the request body must be a JSON object');
  const unknown = Object.keys(body).filter(
    (name) => !CHAIN_MEMBERS.includes(name) && !COMMON_MEMBERS.includes(name),
  );
  if (unknown.length > 0) throw invalidRequest(unknownFieldFaults(unknown).join('; '));
  return body;
}

/** @throws DomainError `invalid_request` */
export function readCommonMembers(body: Readonly<Record<string, unknown>>): CommonMembers {
  return { validUntil: readValidUntil(body.valid_until), metadata: readMetadata(body.metadata) };
}

function readValidUntil(value: unknown): Date | null {
  if (value === undefined || value === null) return null;
  const time = parseDateTime(value);
  if (!time) throw invalidRequest(`Invalid validUntil datetime format: valid_until ${DATE_TIME_RULE}`);
  if (time.getTime() <= Date.now()) throw invalidRequest('The validUntil time cannot be in the past');
  return time;
}

function readMetadata(value: unknown): Record<string, string> | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value) || Object.values(value).some((text) => typeof text !== 'string'))
    throw invalidRequest('metadata must be an object whose members are strings');
  if (Object.keys(value).some((name) => !METADATA_NAME.test(name)))
    throw invalidRequest('names in metadata must be 1 to 64 letters, digits, dots, underscores or dashes');
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_METADATA_BYTES)
    throw invalidRequest(`metadata must not exceed ${MAX_METADATA_BYTES} bytes of JSON`);
  return value as Record<string, string>;
}
