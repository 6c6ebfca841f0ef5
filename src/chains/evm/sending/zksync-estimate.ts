import { UINT128_MAX } from '../../../common/validation/big-integer';
import type { RpcPool } from '../../rpc/rpc-pool';
import { parseQuantity } from '../quantity';
import { callOf, noop } from './attempt-form';
import { estimateBy, type ExecutionCall, type Failure, parseGas } from './estimate';
import type { FeeQuote } from './fees';
import { parseObject } from './response-values';

/** The values that a ZKsync node recommends for a transaction. Gas also pays for data on L1, and includes a margin. */
export interface ZkSyncEstimate extends FeeQuote {
  gas: bigint;
}

type Reverted = Extract<Failure, { reverted: unknown }>;

/**
 * Fees are the same for all transactions in a block, so they are queried for an empty transfer of an arbitrary account.
 */
const ANYBODY = '0x000000000000000000000000000000000000dEaD';

/**
 * Calls `zks_estimateFee`.
 *
 * @returns undefined if nodes do not have the method, or refuse the call for a reason other than a revert
 * @throws RpcUnavailableError
 */
export async function estimateFee(
  pool: RpcPool,
  call: ExecutionCall,
): Promise<ZkSyncEstimate | Reverted | undefined> {
  const estimate = await estimateBy('zks_estimateFee', pool, call, parseEstimate);
  return 'refused' in estimate ? undefined : estimate;
}

/** The fees that nodes currently require; undefined as for {@link estimateFee}. @throws RpcUnavailableError */
export async function quoteFees(pool: RpcPool): Promise<FeeQuote | undefined> {
  const estimate = await estimateFee(pool, callOf(ANYBODY, noop(ANYBODY)));
  if (!estimate || 'reverted' in estimate) return undefined;
  const { maxFeePerGas, maxPriorityFeePerGas } = estimate;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function parseEstimate(result: unknown): ZkSyncEstimate {
  const { gas_limit, max_fee_per_gas, max_priority_fee_per_gas } = parseObject(result);
  const maxFeePerGas = parseQuantity(max_fee_per_gas, UINT128_MAX);
  // A tip above the whole price would be invalid.
  const maxPriorityFeePerGas = parseQuantity(max_priority_fee_per_gas, maxFeePerGas);
  return { gas: parseGas(gas_limit), maxFeePerGas, maxPriorityFeePerGas };
}
