import type { RpcPool } from '../../rpc/rpc-pool';
import type { AttemptOrder, Waiting } from '../../transaction-chain';
import { readBalance } from '../account';
import { unlessUnreadable } from '../node-read';
import { costOfAttempt, type FeeNetwork, feesOf } from './attempt-fees';
import { type FeeMarket, type Fees, highestPrice } from './fees';

const FOR_FUNDS: Waiting = {
  waits: 'Waiting for funds: the balance of the relayer does not cover value and fees of the next attempt',
  forFunds: true,
};

/**
 * As {@link feesOf}, but ignores attempts that the account can neither pay for nor replace. No node has accepted those,
 * and fees above theirs would make the transaction, and all that follow it, wait for funds that nobody intended to
 * spend. An attempt that the account can pay for is never replaced by one that it cannot pay for.
 *
 * @param rollupFees what each attempt costs in addition to its gas, in wei
 */
export async function payableFees(
  pool: RpcPool,
  order: AttemptOrder,
  gas: bigint,
  market: FeeMarket,
  network: FeeNetwork,
  rollupFees = 0n,
): Promise<Fees | Waiting> {
  const fees = feesOf(order, gas, market, network);
  if (order.replaces.length === 0) return orWaiting(fees);
  const funds = await knownBalance(pool, order.sender);
  if (funds === undefined) return orWaiting(fees);
  const balance = funds - rollupFees;
  const value = order.kind === 'noop' ? 0n : BigInt(order.request.value as string);
  const isPayable = (some: Fees): boolean => value + gas * highestPrice(some) <= balance;
  if (typeof fees !== 'string' && isPayable(fees)) return fees;
  const payable = order.replaces.filter((old) => costOfAttempt(old) <= balance);
  const lower = feesOf({ ...order, replaces: payable }, gas, market, network);
  if (typeof lower === 'string' || isPayable(lower) || payable.length === 0) return orWaiting(lower);
  return FOR_FUNDS;
}

const orWaiting = (fees: Fees | string): Fees | Waiting =>
  typeof fees === 'string' ? { waits: fees } : fees;

/** In wei; undefined if no node responds. */
export const knownBalance = (pool: RpcPool, address: string): Promise<bigint | undefined> =>
  unlessUnreadable(() => readBalance(pool, address));
