import { UINT128_MAX } from '../../../common/validation/big-integer';
import type { InternalCall } from '../../rpc/internal-call';
import { type JsonRpcResponse, MalformedResponseError } from '../../rpc/json-rpc';
import { evmCall } from '../evm-call';
import { parseQuantity, toHex } from '../quantity';
import { isMissing, parseList, parseObject, parseSafeInteger } from './response-values';

const BLOCKS = 8;

/** The prices of recent blocks, in wei. */
export interface FeeHistory {
  /** The base fee of the block after these. */
  baseFee: bigint;
  /** For each block, the tip at each percentile. Empty if the node omits them. */
  rewards: bigint[][];
}

/** @param percentiles of the tips paid in a block, in ascending order */
export const feeHistoryCall = (percentiles: readonly number[]): InternalCall =>
  evmCall('eth_feeHistory', [toHex(BLOCKS), 'latest', percentiles]);

/**
 * Parses the response to {@link feeHistoryCall}. Undefined if the node has no fee history, or the chain no base fee.
 *
 * @param percentiles the number of percentiles that were requested
 * @throws MalformedResponseError
 */
export function parseFeeHistory(response: JsonRpcResponse, percentiles: number): FeeHistory | undefined {
  if ('error' in response) return undefined;
  const { oldestBlock, baseFeePerGas, reward } = parseObject(response.result);
  // An object without it is not a fee history.
  parseSafeInteger(oldestBlock);
  // Missing before London, and on chains without it.
  if (isMissing(baseFeePerGas)) return undefined;
  const baseFees = parseList(baseFeePerGas, BLOCKS + 1).map(parsePrice);
  const blocks = baseFees.length - 1;
  const baseFee = baseFees.at(-1);
  if (baseFee === undefined) throw malformed();
  const rewards = isMissing(reward) ? [] : parseRewards(reward, blocks, percentiles);
  return baseFee === 0n ? undefined : { baseFee, rewards };
}

function parseRewards(reward: unknown, blocks: number, percentiles: number): bigint[][] {
  const rows = parseList(reward, blocks);
  if (rows.length !== 0 && rows.length !== blocks) throw malformed();
  return rows.map((row) => {
    const tips = parseList(row, percentiles);
    if (tips.length !== percentiles) throw malformed();
    return tips.map(parsePrice);
  });
}

/** Parses a price in wei. @throws MalformedResponseError */
export const parsePrice = (value: unknown): bigint => parseQuantity(value, UINT128_MAX);

const malformed = (): MalformedResponseError => new MalformedResponseError('has no valid fee history');
