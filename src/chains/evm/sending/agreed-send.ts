import type { RpcPool } from '../../rpc/rpc-pool';
import { isAcknowledged, type SendCause } from '../../send-cause';
import type { OutgoingAttempt } from '../../transaction-chain';
import { areEnough, fromAvailable } from './agreement';
import { OF_THE_ENDPOINT } from './send-errors';
import { sendRaw } from './send-result';

/**
 * As {@link sendRaw}. What an endpoint calls invalid is sent to all of them, because a request fails that is invalid:
 * at least half of all must say so, and more than half of those that respond, also with an error that is not known.
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
  const causes = stated.filter((cause) => cause !== undefined && !OF_THE_ENDPOINT.includes(cause));
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
  const responses = causes.filter((cause) => !OF_THE_ENDPOINT.includes(cause));
  const others = responses.filter((cause) => cause !== 'invalid');
  const invalid = responses.length - others.length;
  if (invalid > others.length && areEnough(invalid, pool)) return 'invalid';
  return (
    others.find(isAcknowledged) ?? others.find((cause) => cause !== 'unknown') ?? others[0] ?? 'unavailable'
  );
}
