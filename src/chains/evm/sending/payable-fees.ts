import type { RpcPool } from '../../rpc/rpc-pool';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { AttemptContent, AttemptOrder } from '../../transaction-chain';
import { readBalance } from '../account';
import { NodeRefusedError } from '../node-read';
import { feesIn, type FeeNetwork, feesOf } from './attempt-fees';
import { type FeeMarket, type Fees, highestPrice } from './fees';

/**
 * As {@link feesOf}, but ignores attempts that the account can neither pay for nor replace. No node has accepted those,
 * and fees above theirs would make the transaction, and all that follow it, wait for funds that nobody intended to
 * spend.
 */
export async function payableFees(
  pool: RpcPool,
  order: AttemptOrder,
  gas: bigint,
  market: FeeMarket,
  network: FeeNetwork,
): Promise<Fees | string> {
  const fees = feesOf(order, gas, market, network);
  if (order.replaces.length === 0) return fees;
  const balance = await knownBalance(pool, order.sender);
  if (balance === undefined) return fees;
  const value = order.kind === 'noop' ? 0n : BigInt(order.request.value as string);
  if (typeof fees !== 'string' && value + gas * highestPrice(fees) <= balance) return fees;
  return feesOf(
    { ...order, replaces: order.replaces.filter((old) => costOf(old) <= balance) },
    gas,
    market,
    network,
  );
}

/** The balance in wei that nodes require for an attempt. */
const costOf = (attempt: AttemptContent): bigint =>
  BigInt(attempt.value) + BigInt(attempt.gas_limit) * highestPrice(feesIn(attempt));

/** In wei; undefined if no node responds. */
export async function knownBalance(pool: RpcPool, address: string): Promise<bigint | undefined> {
  try {
    return await readBalance(pool, address);
  } catch (error) {
    if (error instanceof RpcUnavailableError || error instanceof NodeRefusedError) return undefined;
    throw error;
  }
}
