import type { RpcPool } from '../../rpc/rpc-pool';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { AttemptContent, AttemptOrder } from '../../transaction-chain';
import { readBalance } from '../account';
import { NodeRefusedError } from '../node-read';
import { feesIn, type FeeNetwork, feesOf } from './attempt-fees';
import { type FeeMarket, type Fees, highestPrice } from './fees';

/**
 * As {@link feesOf}, without the attempts that the account cannot pay where it cannot replace them: no node has taken these, and
 * fees above theirs would keep a transaction, and all that follow it, waiting for funds that nobody meant to spend.
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

/** What nodes demand that the account has for it, in wei. */
const costOf = (attempt: AttemptContent): bigint =>
  BigInt(attempt.value) + BigInt(attempt.gas_limit) * highestPrice(feesIn(attempt));

/** In wei; undefined where no node says. */
export async function knownBalance(pool: RpcPool, address: string): Promise<bigint | undefined> {
  try {
    return await readBalance(pool, address);
  } catch (error) {
    if (error instanceof RpcUnavailableError || error instanceof NodeRefusedError) return undefined;
    throw error;
  }
}
