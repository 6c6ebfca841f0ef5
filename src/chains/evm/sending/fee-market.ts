import { greatest } from '../../../common/validation/big-integer';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { readResult } from '../node-read';
import { upperMedian } from './agreement';
import { type FeeHistory, feeHistoryCall, parseFeeHistory, parsePrice } from './fee-history';
import type { FeeSettings } from './fee-settings';
import { type FeeMarket, type Speed, SPEEDS } from './fees';

/**
 * Reads the fee market at the newest block. The tip of a speed is the median of the tips at its percentile in recent
 * blocks, ignoring blocks without tips. If there are none, it is the tip that the node suggests. It is never below the
 * minimum. Only a gas price is available if the node has no fee history, the chain has no base fee, or the network is
 * configured as legacy.
 *
 * @throws RpcUnavailableError; NodeRefusedError if no node has a gas price
 */
export async function readFeeMarket(pool: RpcPool, settings: FeeSettings): Promise<FeeMarket> {
  const { minimumTip, legacy } = settings;
  const [history, gasPrice] = await Promise.all([
    legacy ? undefined : readHistory(pool, settings),
    readResult(pool, evmCall('eth_gasPrice', []), parsePrice),
  ]);
  if (history) {
    const { baseFee, rewards } = history;
    return { baseFee, tips: await tipsFrom(rewards, pool, minimumTip), gasPrice };
  }
  return { baseFee: 0n, tips: risingTips(SPEEDS.map(() => minimumTip)), gasPrice };
}

/** The rewards are in the order of the speeds. */
async function readHistory(pool: RpcPool, { percentiles }: FeeSettings): Promise<FeeHistory | undefined> {
  // Nodes refuse duplicate percentiles.
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

/** 0n if the node suggests none. */
function readSuggestedTip(pool: RpcPool): Promise<bigint> {
  return pool.read(evmCall('eth_maxPriorityFeePerGas', []), (response) =>
    'error' in response ? 0n : parsePrice(response.result),
  );
}

/**
 * The median of the tips that are not zero; of two medians the upper one, so that the result is a tip that was paid.
 */
function medianOfPaid(tips: bigint[]): bigint | undefined {
  const paid = tips.filter((tip) => tip > 0n);
  return paid.length > 0 ? upperMedian(paid, (tip) => tip) : undefined;
}

/** The tips by speed, none of them below that of a slower speed. */
function risingTips(tips: bigint[]): FeeMarket['tips'] {
  let highest = 0n;
  const rising = tips.map((tip) => (highest = greatest(highest, tip)));
  return Object.fromEntries(SPEEDS.map((speed, i) => [speed, rising[i]])) as Record<Speed, bigint>;
}
