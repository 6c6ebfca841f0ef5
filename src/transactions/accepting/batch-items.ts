import type { KeyedRequest } from './accepted-request';
import { itemDigest, itemKey, type StoredKey } from './idempotency-key';

/** A request of a batch, not yet checked. */
export interface BatchItem {
  body: unknown;
  key: StoredKey;
  /** How many items the batch has. */
  count: number;
}

/** The items of a batch with this idempotency key. */
export const batchItems = (bodies: readonly unknown[], idempotencyKey: string | undefined): BatchItem[] =>
  bodies.map((body, i) => ({ body, key: itemKey(idempotencyKey, i), count: bodies.length }));

/** What identifies an item when its batch is repeated. */
export const keyOfItem = ({ key, count }: BatchItem, body: object): KeyedRequest => ({
  ...key,
  ...itemDigest(body, count),
});
