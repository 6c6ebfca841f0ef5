import { hash } from 'node:crypto';
import { invalidRequest } from '../../common/errors/domain-error';
import { canonicalJson } from '../../secrets/canonical-json';

/** The length of the column in `transactions`. */
const MAX_LENGTH = 255;
/** Visible ASCII, as in the IETF draft for the header. */
const KEY = /^[\x21-\x7e]{1,255}$/;
const LIKE_AN_EARLIER_ITEM = /#(\d+)$/;

/** Reads the header `Idempotency-Key`; undefined if it is absent. @throws DomainError `invalid_request` */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw invalidRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');
}

/** The stored forms of an idempotency key; null if there is none. */
export interface StoredKey {
  idempotencyKey: string | null;
  /** The form in which earlier versions stored it, if that is another one. */
  earlierKey: string | null;
}

const NO_KEY: StoredKey = { idempotencyKey: null, earlierKey: null };

/**
 * The key of a single request. One that looks like the key with which earlier versions stored the item of a batch has a
 * blank, which clients cannot send, so that a batch does not find it.
 */
export function singleKey(key: string | undefined): StoredKey {
  if (key === undefined) return NO_KEY;
  if (!LIKE_AN_EARLIER_ITEM.test(key)) return { idempotencyKey: key, earlierKey: null };
  const separate = key.replace(LIKE_AN_EARLIER_ITEM, '# $1');
  return { idempotencyKey: fitting(separate, `single ${sha256(key)}`), earlierKey: key };
}

/** The key of an item in a batch with this key. It has a blank, so no single request has the same one. */
export function itemKey(key: string | undefined, index: number): StoredKey {
  if (key === undefined) return NO_KEY;
  return {
    idempotencyKey: fitting(`${key} #${index}`, `batch ${sha256(key)} #${index}`),
    earlierKey: fitting(`${key}#${index}`, `${sha256(key)}#${index}`),
  };
}

const fitting = (key: string, hashed: string): string => (key.length <= MAX_LENGTH ? key : hashed);

/** SHA-256 in hex; equal for bodies with the same JSON content, regardless of the order of members. */
export const digestOf = (body: object): string => sha256(canonicalJson(body));

/** The stored digest of a request. */
export interface StoredDigest {
  digest: string | null;
  /** The digest with which earlier versions stored it, if that is another one. */
  earlierDigest?: string;
}

/**
 * The digest of an item in a batch with this number of items, because a shorter or longer batch is another request,
 * even if it has the same item.
 */
export function itemDigest(body: object, count: number): Required<StoredDigest> {
  const earlierDigest = digestOf(body);
  return { digest: sha256(`${earlierDigest} of ${count}`), earlierDigest };
}

const sha256 = (text: string): string => hash('sha256', text);
