import type { RpcPool } from '../../rpc/rpc-pool';
import { isAcknowledged, type SendCause } from '../../send-cause';
import type { OutgoingAttempt } from '../../transaction-chain';
import { areEnough, fromAvailable } from './agreement';
import { OF_THE_ENDPOINT } from './send-errors';
import { sendRaw } from './send-result';

/** Causes that say nothing about the transaction: it is signed for the chain of its network. */
const SILENT: readonly SendCause[] = [...OF_THE_ENDPOINT, 'wrong_chain'];

/** `unknown` says too little about the transaction to judge it. */
const ABSTENTIONS: readonly SendCause[] = [...SILENT, 'unknown'];

/**
 * As {@link sendRaw}. What an endpoint calls invalid is sent to all of them, because a request fails that is invalid: of
 * those that judge it, which must be at least half of all, more than half must say so.
 */
export async function sendAgreed(
  pool: RpcPool,
  transactions: readonly OutgoingAttempt[],
): Promise<SendCause[]> {
  const causes = await sendRaw(pool, transactions);
  const invalid = transactions.filter((_one, i) => causes[i] === 'invalid');
  if (invalid.length === 0 || pool.members.length === 1) return causes;
  const agreed = await sendToEach(pool, invalid);
  return causes.map((cause) => (cause === 'invalid' ? (agreed.shift() ?? cause) : cause));
}

/**
 * Whether each endpoint that says anything about a transaction refuses it as invalid, or for a reason that is not known;
 * at least half of all must say something.
 */
export async function isRefusedByAll(pool: RpcPool, transaction: OutgoingAttempt): Promise<boolean> {
  const { stated } = await fromAvailable(pool, async (one) => (await sendRaw(one, [transaction]))[0]);
  const causes = stated.filter((cause) => cause !== undefined && !SILENT.includes(cause));
  return (
    areEnough(causes.length, pool) && causes.every((cause) => cause === 'unknown' || cause === 'invalid')
  );
}

/** Sends them to those that respond, however few: one that accepts a transaction is enough. */
async function sendToEach(pool: RpcPool, transactions: readonly OutgoingAttempt[]): Promise<SendCause[]> {
  const { stated } = await fromAvailable(pool, (one) => sendRaw(one, transactions));
  return transactions.map((_one, i) =>
    agreedCause(
      pool,
      stated.map((causes) => causes[i] ?? 'unavailable'),
    ),
  );
}

function agreedCause(pool: RpcPool, causes: readonly SendCause[]): SendCause {
  const judged = causes.filter((cause) => !ABSTENTIONS.includes(cause));
  const others = judged.filter((cause) => cause !== 'invalid');
  if (judged.length > 2 * others.length && areEnough(judged.length, pool)) return 'invalid';
  return others.find(isAcknowledged) ?? others[0] ?? 'unavailable';
}
