import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import { readBalance } from '../account';
import { unlessUnreadable } from '../node-read';
import { type Head, isKnown, readHead, readNonces, readReceipts, readTimestamp } from './chain-reads';

/**
 * Reads from each endpoint, for decisions that must not depend on a single endpoint (docs/adr/0034). It costs a call to
 * each. At least half of all endpoints must respond. Otherwise one endpoint could decide alone once the others are
 * made to fail.
 *
 * @returns what those that respond report
 * @throws RpcUnavailableError if fewer than half respond; NodeRefusedError if they refuse the call
 */
export async function fromEach<T>(pool: RpcPool, read: (one: RpcPool) => Promise<T>): Promise<T[]> {
  const { stated, errors } = await fromAvailable(pool, read);
  if (areEnough(stated.length, pool)) return stated;
  const unavailable = errors.find((error) => error instanceof RpcUnavailableError);
  throw unavailable ?? errors[0] ?? new RpcUnavailableError('connection');
}

/**
 * As {@link fromEach}, however few respond: for sending, and for callers that count the responses themselves.
 *
 * @returns what those that respond report, and the errors of the others that were called
 */
export async function fromAvailable<T>(
  pool: RpcPool,
  read: (one: RpcPool) => Promise<T>,
): Promise<{ stated: T[]; errors: Error[] }> {
  const results = await Promise.allSettled((await pool.apart()).map(read));
  return {
    stated: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : [])),
  };
}

/** Whether so many endpoints are at least half of all, including those that do not respond. */
export const areEnough = (count: number, pool: RpcPool): boolean =>
  count > 0 && 2 * count >= pool.members.length;

/**
 * The next nonce of an account, as most endpoints report it. If there are two and they differ, the lower one is used,
 * so that one endpoint cannot raise it.
 *
 * @throws as {@link fromEach}
 */
export async function readAgreedNonce(pool: RpcPool, address: string): Promise<number> {
  return lowerMedian(await fromEach(pool, (one) => readVerifiedNonce(one, address)), (nonce) => nonce);
}

/**
 * The highest next nonce of an account that any endpoint reports that {@link following follows the chain}; undefined
 * unless at least half of all do.
 */
export async function readHighestNonce(
  pool: RpcPool,
  address: string,
  stalledAfterMs: number,
): Promise<number | undefined> {
  const { stated } = await fromAvailable(pool, (one) => withHead(one, readVerifiedNonce(one, address)));
  const current = following(stated, stalledAfterMs);
  return areEnough(current.length, pool) ? Math.max(...current) : undefined;
}

/**
 * As {@link readAgreedNonce}, of the endpoints that {@link following follow the chain}: one of two would hold the nonce
 * back for as long as it does not.
 *
 * @throws as {@link fromEach}
 */
export async function readCurrentNonce(
  pool: RpcPool,
  address: string,
  stalledAfterMs: number,
): Promise<number> {
  const stated = await fromEach(pool, (one) => withHead(one, readVerifiedNonce(one, address)));
  return lowerMedian(following(stated, stalledAfterMs), (nonce) => nonce);
}

/** What an endpoint reports, and its newest block. */
interface WithHead<T> {
  head: Head;
  value: T;
}

export async function withHead<T>(one: RpcPool, reading: Promise<T>): Promise<WithHead<T>> {
  const [head, value] = await Promise.all([readHead(one), reading]);
  return { head, value };
}

/**
 * What those endpoints report that have not {@link isStalled stalled}: one that is restored from a snapshot reports an
 * old state. If all have, the chain has no blocks without transactions.
 */
export function following<T>(stated: readonly WithHead<T>[], stalledAfterMs: number): T[] {
  const current = stated.filter(({ head }) => !isStalled(head, stalledAfterMs));
  return (current.length > 0 ? current : stated).map(({ value }) => value);
}

/** The chain of the endpoint is verified after the read: the account may have any nonce on another chain. */
async function readVerifiedNonce(one: RpcPool, address: string): Promise<number> {
  const nonce = (await readNonces(one, [address])).get(address) ?? 0;
  if (!(await one.servesChain())) throw new RpcUnavailableError('wrong_chain');
  return nonce;
}

/**
 * Whether any endpoint has a transaction. All are called only if one does not have it: what a single one does not have
 * is not lost.
 *
 * @throws as {@link fromEach}
 */
export async function isKnownToAny(pool: RpcPool, hash: string): Promise<boolean> {
  if (await isKnown(pool, hash)) return true;
  if (pool.members.length === 1) return false;
  return (await fromEach(pool, (one) => isKnown(one, hash))).includes(true);
}

/**
 * The balance of an account in wei, as most endpoints report it; undefined if fewer than half of the endpoints respond.
 * If there are two and they differ, the higher one is used: this is for payments to the account, which an endpoint that
 * has stalled must not cause again and again.
 */
export async function readAgreedBalance(pool: RpcPool, address: string): Promise<bigint | undefined> {
  const { stated } = await fromAvailable(pool, (one) => readBalance(one, address));
  return areEnough(stated.length, pool) ? upperMedian(stated, (balance) => balance) : undefined;
}

/**
 * The balance of an account in wei, as most endpoints report it that {@link following follow the chain}. If there are two
 * and they differ, the lower one is used: this is for payments by the account.
 *
 * @throws as {@link fromEach}
 */
export async function readSpendableBalance(
  pool: RpcPool,
  address: string,
  stalledAfterMs: number,
): Promise<bigint> {
  const stated = await fromEach(pool, (one) => withHead(one, readBalance(one, address)));
  return lowerMedian(following(stated, stalledAfterMs), (balance) => balance);
}

/**
 * The item with the median number; of two medians the lower one, so that one of two or three endpoints cannot raise it.
 * @param items at least one
 */
export function lowerMedian<T>(items: readonly T[], numberOf: (item: T) => number | bigint): T {
  return sortedBy(items, numberOf)[Math.floor((items.length - 1) / 2)] as T;
}

/** As {@link lowerMedian}, but of two medians the higher one. */
export function upperMedian<T>(items: readonly T[], numberOf: (item: T) => number | bigint): T {
  return sortedBy(items, numberOf)[Math.floor(items.length / 2)] as T;
}

function sortedBy<T>(items: readonly T[], numberOf: (item: T) => number | bigint): T[] {
  const compared = (one: T, other: T): number => {
    const [a, b] = [numberOf(one), numberOf(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
  return [...items].sort(compared);
}

/**
 * The newest block, as most endpoints report it, with the gas limit that most report. If there are two and they differ,
 * the higher number is used, so that an endpoint that has stalled does not stop everything, and the higher gas limit, so
 * that one endpoint cannot refuse transactions.
 *
 * @throws as {@link fromEach}
 */
export async function readAgreedHead(pool: RpcPool): Promise<Head> {
  const heads = await fromEach(pool, readHead);
  const middle = upperMedian(heads, ({ number }) => number);
  return { ...middle, gasLimit: upperMedian(heads, ({ gasLimit }) => gasLimit).gasLimit };
}

/**
 * The time of a block in milliseconds, as most endpoints report it; if there are two and they differ, the later one.
 *
 * @throws as {@link fromEach}; RpcUnavailableError if no endpoint has the block
 */
export async function readAgreedTime(pool: RpcPool, block: number): Promise<number> {
  const statements = await fromEach(pool, (one) => readTimestamp(one, block));
  const times = statements.filter((time) => time !== null);
  if (times.length === 0) throw new RpcUnavailableError('connection');
  return upperMedian(times, (time) => time) * 1000;
}

/**
 * Whether an endpoint has stopped following the chain: its newest block is older than this. An endpoint that follows it
 * cannot be taken for one that has stopped, whatever the others report.
 */
export const isStalled = ({ timestamp }: Head, afterMs: number): boolean =>
  timestamp * 1000 < Date.now() - afterMs;

/**
 * Whether more than half of the responding endpoints report that the nonce of an account was used by the end of a block,
 * and none has a receipt of these transactions. Endpoints that cannot look these up, for example while they index their
 * blocks, do not count; those that do not have the block yet, or its state, do.
 *
 * @throws as {@link fromEach}
 */
export async function isUsedByOthers(
  pool: RpcPool,
  { address, nonce, hashes }: { address: string; nonce: number; hashes: readonly string[] },
  block: number,
): Promise<boolean> {
  const statements = await fromEach(pool, async (one) => {
    const [nonces, receipts] = await Promise.all([
      unlessUnreadable(() => readNonces(one, [address], block)),
      readReceipts(one, hashes, true),
    ]);
    return { isUsed: (nonces?.get(address) ?? 0) > nonce, isOurs: receipts.size > 0 };
  });
  const used = statements.filter(({ isUsed }) => isUsed);
  return 2 * used.length > statements.length && !statements.some(({ isOurs }) => isOurs);
}
