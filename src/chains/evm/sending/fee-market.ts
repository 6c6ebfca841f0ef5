import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { readResult } from '../node-read';
import { type FeeHistory, feeHistoryCall, parseFeeHistory, parsePrice } from './fee-history';
import type { FeeSettings } from './fee-settings';
import { type FeeMarket, type Speed, SPEEDS } from './fees';
import { parseSafeInteger } from './response-values';

/**
 * Reads the fee market at the newest block. The tip of a speed is the median of what recent blocks paid at its percentile,
 * blocks without tips aside; where there are none, the node's suggestion, and at least the minimum. A node without fee
 * history, a chain without base fee, or a network that is to be used like one, has a gas price only.
 *
 * @throws RpcUnavailableError; NodeRefusedError where no node has a gas price
 */
export async function readFeeMarket(pool: RpcPool, settings: FeeSettings): Promise<FeeMarket> {
  const { minimumTip, legacy } = settings;
  const [history, gasPrice] = await Promise.all([
    legacy ? undefined : readHistory(pool, settings),
    readResult(pool, evmCall('eth_gasPrice', []), parsePrice),
  ]);
  if (history) {
    const { block, baseFee, rewards } = history;
    return { block, baseFee, tips: await tipsFrom(rewards, pool, minimumTip), gasPrice };
  }
  const block = await readResult(pool, evmCall('eth_blockNumber', []), parseSafeInteger);
  return { block, baseFee: 0n, tips: risingTips(SPEEDS.map(() => minimumTip)), gasPrice };
}

/** The rewards are by speed, in their order. */
async function readHistory(pool: RpcPool, { percentiles }: FeeSettings): Promise<FeeHistory | undefined> {
  // Nodes refuse a percentile that is given twice.
  const asked = [...new Set(SPEEDS.map((speed) => percentiles[speed]))];
  const history = await pool.read(feeHistoryCall(asked), (response) =>
    parseFeeHistory(response, asked.length),
  );
  if (!history) return undefined;
  const ofSpeeds = (row: bigint[]): bigint[] =>
    SPEEDS.map((speed) => row[asked.indexOf(percentiles[speed])] ?? 0n);
  return { ...history, rewards: history.rewards.map(ofSpeeds) };
}

async function tipsFrom(rewards: bigint[][], pool: RpcPool, minimumTip: bigint): Promise<FeeMarket['tips']> {
  const medians = SPEEDS.map((_speed, i) => medianOfPaid(rewards.map((row) => row[i] ?? 0n)));
  const suggested = medians.includes(undefined) ? await readSuggestedTip(pool) : 0n;
  return risingTips(medians.map((median) => greatest(median ?? suggested, minimumTip)));
}

/** 0n where the node suggests none. */
function readSuggestedTip(pool: RpcPool): Promise<bigint> {
  return pool.read(evmCall('eth_maxPriorityFeePerGas', []), (response) =>
    'error' in response ? 0n : parsePrice(response.result),
  );
}

/** Of the tips that are not zero; the upper of two in the middle, so that it is a price that was paid. */
function medianOfPaid(tips: bigint[]): bigint | undefined {
  const paid = tips.filter((tip) => tip > 0n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return paid[Math.floor(paid.length / 2)];
}

/** Tips by speed, of which none is below that of a slower one. */
function risingTips(tips: bigint[]): FeeMarket['tips'] {
  let highest = 0n;
  const rising = tips.map((tip) => (highest = greatest(highest, tip)));
  return Object.fromEntries(SPEEDS.map((speed, i) => [speed, rising[i]])) as Record<Speed, bigint>;
}

const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
