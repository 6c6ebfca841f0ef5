import { createHash } from 'node:crypto';
import { invalidRequest } from '../../common/errors/domain-error';
import { canonicalJson } from '../../secrets/canonical-json';

/** The length of the column in `transactions`. */
const MAX_LENGTH = 255;
/** Visible ASCII, as in the IETF draft for the header. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the header `Idempotency-Key`; undefined if it is absent. @throws DomainError `invalid_request` */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw invalidRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');
}

/** The key of an item in a batch with this key; null if the batch has none. */
export function itemKey(key: string | undefined, index: number): string | null {
  if (key === undefined) return null;
  const ofItem = `${key}#${index}`;
  return ofItem.length <= MAX_LENGTH ? ofItem : `${sha256(key)}#${index}`;
}

/** SHA-256 in hex; equal for bodies with the same JSON content, regardless of the order of members. */
export const digestOf = (body: object): string => sha256(canonicalJson(body));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
