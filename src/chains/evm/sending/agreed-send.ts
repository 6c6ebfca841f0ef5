import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import type { SendCause } from '../../send-cause';
import type { OutgoingAttempt } from '../../transaction-chain';
import { fromEach } from './agreement';
import { sendRaw } from './send-result';

/** Results that say nothing about the transaction. */
const ABSTENTIONS: readonly SendCause[] = ['unavailable', 'unknown', 'rate_limited'];
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
