import { greatest } from '../../../common/validation/big-integer';
import type { AttemptContent, AttemptOrder, ReplacedAttempt } from '../../transaction-chain';
import type { FeeSettings } from './fee-settings';
import {
  CAP_FACTOR,
  capOf,
  type FeeMarket,
  type FeeRules,
  type Fees,
  highestPrice,
  marketFees,
  noopCap,
  replacementFees,
  type Speed,
  withPrice,
} from './fees';
import type { EvmRequest } from './transaction-request';

/** The properties of a network that fees depend on. */
export interface FeeNetwork extends Pick<FeeSettings, 'minimumTip' | 'legacy'> {
  features: readonly string[];
}

/** The fees of an attempt, or the reason why it must wait. */
export function feesOf(
  order: AttemptOrder,
  gas: bigint,
  market: FeeMarket,
  network: FeeNetwork,
): Fees | string {
  const { kind, limits, replaces } = order;
  const request = order.request as unknown as Partial<EvmRequest>;
  const given = kind === 'request' ? givenFees(request) : undefined;
  const speed: Speed = kind === 'request' ? (request.speed ?? 'fast') : 'fast';
  const set: readonly NamedLimit[] = [
    ['gas_price_cap', limits.cap],
    ['policies.transactions.max_fee', priceOf(limits.maxFee, gas)],
    // Limits of a request do not apply to a no-op, because one that is stuck delays all later transactions.
    ...(kind === 'request' ? [['max_attempts_price', amountOf(request.max_attempts_price)] as const] : []),
  ];
  const lowest = lowestOf([...set, ...(kind === 'request' ? [reservedLimit(request, gas)] : [])]);
  const cap = lowest?.price;
  const isLegacy =
    limits.legacy || network.legacy || !network.features.includes('eip1559') || request.type === 0;
  const rules: FeeRules = {
    legacy: isLegacy || request.type === 1,
    minimumTip: network.minimumTip,
    cap: kind === 'noop' ? noopCap(cap) : cap,
  };
  if (given) {
    if (cap !== undefined && highestPrice(given) > cap)
      return 'Waiting: its fees are above gas_price_cap or policies.transactions.max_fee';
    return given;
  }
  // What the client has replaced is not sent again, so new content does not wait for lower prices.
  const isNew = kind === 'request' && !order.wasSigned;
  const usual = capOf({ ...rules, cap: undefined }, market, speed);
  // What is reserved, perhaps for other content, does not replace the usual limit.
  const isUsual = cap === undefined || (lowestOf(set) === undefined && usual < cap);
  const limit = isUsual ? usual : cap;
  const highest = kind === 'noop' ? noopLimit(order, limit) : limit;
  const atLimit = `Waiting: the fees are at their limit (${isUsual ? `${CAP_FACTOR} times the market` : (lowest?.name ?? '')}), and are not raised any more`;
  let fees = marketFees(market, speed, rules);
  for (const old of stillHeld(replaces)) {
    const replacement = replacementFees(feesIn(old), fees, isNew && old.wasAcknowledged ? cap : highest);
    if (replacement) fees = replacement;
    // Nodes that do not have the earlier attempts, or not any more, accept the new one at the limit.
    else if (isNew && old.wasAcknowledged) fees = withPrice(fees, cap ?? highestPrice(fees));
    else if (old.wasAcknowledged) return atLimit;
  }
  return !isNew && offersNoMore(order, gas, fees) ? atLimit : fees;
}

/**
 * The attempts without those that were refused before a node accepted a cheaper one: it would have refused that one if it
 * had them. Otherwise every increase would exceed their price again, and be refused for the same reason.
 */
const stillHeld = (replaces: readonly ReplacedAttempt[]): readonly ReplacedAttempt[] =>
  replaces.filter(
    (old, i) =>
      old.wasAcknowledged ||
      !replaces.slice(i + 1).some((later) => later.wasAcknowledged && priceIn(later) < priceIn(old)),
  );

const priceIn = (attempt: AttemptContent): bigint => highestPrice(feesIn(attempt));

/** Whether the newest attempt has the same content, and its gas and its price are as high. */
function offersNoMore({ kind, replaces }: AttemptOrder, gas: bigint, fees: Fees): boolean {
  const newest = replaces.at(-1);
  if (newest?.kind !== kind || BigInt(newest.gas_limit) < gas) return false;
  return highestPrice(fees) <= highestPrice(feesIn(newest));
}

/** The fees that the client specified; undefined if they follow the market. */
export function givenFees(request: Partial<EvmRequest>): Fees | undefined {
  const gasPrice = amountOf(request.gas_price);
  if (gasPrice !== undefined) return { kind: 'legacy', gasPrice };
  const maxFeePerGas = amountOf(request.max_fee_per_gas);
  const maxPriorityFeePerGas = amountOf(request.max_priority_fee_per_gas);
  return maxFeePerGas === undefined || maxPriorityFeePerGas === undefined
    ? undefined
    : { kind: 'dynamic', maxFeePerGas, maxPriorityFeePerGas };
}

/** The fees that an attempt offers. */
export function feesIn({ gas_price, max_fee_per_gas, max_priority_fee_per_gas }: AttemptContent): Fees {
  if (gas_price !== null) return { kind: 'legacy', gasPrice: BigInt(gas_price) };
  return {
    kind: 'dynamic',
    maxFeePerGas: BigInt(max_fee_per_gas ?? 0),
    maxPriorityFeePerGas: BigInt(max_priority_fee_per_gas ?? 0),
  };
}

/** What an attempt costs at most, in wei, without the data fee of a rollup: the balance that nodes require for it. */
export const costOfAttempt = (attempt: AttemptContent): bigint =>
  BigInt(attempt.value) + BigInt(attempt.gas_limit) * priceIn(attempt);

/**
 * The limit for a no-op. It must be able to replace every attempt of the request, even if the market has fallen since.
 */
function noopLimit({ replaces }: AttemptOrder, cap: bigint): bigint | undefined {
  const prices = replaces.filter(({ kind }) => kind === 'request').map(priceIn);
  return noopCap(prices.reduce(greatest, cap));
}

const priceOf = (fee: bigint | undefined, gas: bigint): bigint | undefined =>
  fee === undefined ? undefined : fee / gas;

const amountOf = (amount: string | null | undefined): bigint | undefined =>
  typeof amount === 'string' ? BigInt(amount) : undefined;

/** The fee that spending limits have reserved for a request. */
const reservedLimit = (request: Partial<EvmRequest>, gas: bigint): NamedLimit => [
  'the max_fee of policies.transactions.spend_limits',
  priceOf(amountOf(request.max_fee), gas),
];

/** What limits the price, and the price in wei; undefined if there is no such limit. */
type NamedLimit = readonly [name: string, price: bigint | undefined];

const lowestOf = (limits: readonly NamedLimit[]): { name: string; price: bigint } | undefined =>
  limits.reduce<{ name: string; price: bigint } | undefined>(
    (lowest, [name, price]) =>
      price !== undefined && (lowest === undefined || price < lowest.price) ? { name, price } : lowest,
    undefined,
  );
