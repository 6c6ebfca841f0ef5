import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { SendCause } from '../../send-cause';
import type { OutgoingAttempt } from '../../transaction-chain';
import { fromEach } from './agreement';
import { sendRaw } from './send-result';

/** Results that say nothing about the transaction; `unknown` says too little to judge it. */
const OF_THE_ENDPOINT: readonly SendCause[] = ['unavailable', 'rate_limited'];
const ABSTENTIONS: readonly SendCause[] = [...OF_THE_ENDPOINT, 'unknown'];
const ACKNOWLEDGED: readonly SendCause[] = ['accepted', 'already_known'];

/**
 * As {@link sendRaw}. What an endpoint calls invalid is sent to all of them, because a request fails that is invalid: of
 * those that judge it, more than half must say so.
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
 * at least one must.
 *
 * @throws RpcUnavailableError
 */
export async function isRefusedByAll(pool: RpcPool, transaction: OutgoingAttempt): Promise<boolean> {
  const stated = await fromEach(pool, async (one) => (await sendRaw(one, [transaction]))[0]);
  const causes = stated.filter((cause) => cause !== undefined && !OF_THE_ENDPOINT.includes(cause));
  return causes.length > 0 && causes.every((cause) => cause === 'unknown' || cause === 'invalid');
}

async function sendToEach(pool: RpcPool, transactions: readonly OutgoingAttempt[]): Promise<SendCause[]> {
  try {
    const stated = await fromEach(pool, (one) => sendRaw(one, transactions));
    return transactions.map((_one, i) => agreedCause(stated.map((causes) => causes[i] ?? 'unavailable')));
  } catch (error) {
    if (error instanceof RpcUnavailableError) return transactions.map(() => 'unavailable');
    throw error;
  }
}

function agreedCause(causes: readonly SendCause[]): SendCause {
  const judged = causes.filter((cause) => !ABSTENTIONS.includes(cause));
  const others = judged.filter((cause) => cause !== 'invalid');
  if (judged.length > 2 * others.length) return 'invalid';
  return others.find((cause) => ACKNOWLEDGED.includes(cause)) ?? others[0] ?? 'unavailable';
}
