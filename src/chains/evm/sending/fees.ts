import { greatest, least } from '../../../common/validation/big-integer';

/** How soon a transaction should be mined. */
export const SPEEDS = ['safeLow', 'average', 'fast', 'fastest'] as const;

export type Speed = (typeof SPEEDS)[number];

/** The fees that a transaction offers per unit of gas, in wei: a single price, or those of EIP-1559. */
export type Fees =
  | { kind: 'legacy'; gasPrice: bigint }
  | { kind: 'dynamic'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Fees that a node requires, in wei, regardless of the speed. */
export interface FeeQuote {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** The fee market of a network at one block. All prices are in wei. */
export interface FeeMarket {
  /** The base fee of the next block; 0n if the chain has none. */
  baseFee: bigint;
  tips: Record<Speed, bigint>;
  /** The result of `eth_gasPrice`, for legacy transactions. */
  gasPrice: bigint;
  /**
   * The fees that the nodes of the chain require, if they state them. They replace those computed from the other
   * members.
   */
  quote?: FeeQuote;
}

/** The constraints of a network and a relayer on fees, in wei. */
export interface FeeRules {
  /** Whether transactions have a single gas price. */
  legacy: boolean;
  /** Nodes of the network accept no lower tip. */
  minimumTip: bigint;
  /** The maximum price of a transaction (`gas_price_cap`). If undefined: {@link CAP_FACTOR} times the market. */
  cap: bigint | undefined;
}

/** If no policy limits the price, the limit is this many times the market price at the first attempt. */
export const CAP_FACTOR = 5n;

/** The price that a legacy transaction offers, in quarters of the node's gas price. */
const LEGACY_QUARTERS: Readonly<Record<Speed, bigint>> = { safeLow: 4n, average: 5n, fast: 6n, fastest: 8n };

/**
 * The fees of a first attempt. Twice the base fee is sufficient through five full blocks (1.125^6 > 2). A chain without
 * a base fee has legacy prices. No price exceeds `rules.cap`.
 */
export function marketFees(market: FeeMarket, speed: Speed, rules: FeeRules): Fees {
  const fees = unlimitedFees(market, speed, rules);
  return rules.cap === undefined ? fees : withPrice(fees, least(highestPrice(fees), rules.cap));
}

/**
 * The fees of an attempt that replaces another one. Both prices are at least 12.5 % and 1 wei above the old ones, since
 * some nodes refuse exactly 10 %. They are also at least those of the market, and of the same kind.
 *
 * @param cap in wei; undefined for no limit
 * @returns undefined if they would exceed the cap
 */
export function replacementFees(old: Fees, market: Fees, cap: bigint | undefined): Fees | undefined {
  const highest = greatest(bumped(highestPrice(old)), highestPrice(market));
  if (cap !== undefined && highest > cap) return undefined;
  if (market.kind === 'legacy') return { kind: 'legacy', gasPrice: highest };
  const tip = greatest(bumped(tipOf(old)), market.maxPriorityFeePerGas);
  return { kind: 'dynamic', maxFeePerGas: highest, maxPriorityFeePerGas: tip };
}

/** The same fees with another highest price, in wei, which the tip does not exceed. */
export function withPrice(fees: Fees, price: bigint): Fees {
  return fees.kind === 'legacy'
    ? { kind: 'legacy', gasPrice: price }
    : { ...fees, maxFeePerGas: price, maxPriorityFeePerGas: least(fees.maxPriorityFeePerGas, price) };
}

/**
 * The price limit of transactions that only use up a nonce, in wei: 1.25 times the cap, and always enough to replace an
 * attempt at the cap.
 */
export function noopCap(cap: bigint | undefined): bigint | undefined {
  return cap === undefined ? undefined : greatest((cap * 5n) / 4n, bumped(cap));
}

/** Whether the next block cannot include a transaction with these fees. */
export function isBelowBaseFee(fees: Fees, market: FeeMarket): boolean {
  return highestPrice(fees) < market.baseFee;
}

/** Whether fees are at least 10 % below others: small movements of the market are no reason for a new attempt. */
export function isFarBelow(fees: Fees, others: Fees): boolean {
  return highestPrice(fees) * 10n <= highestPrice(others) * 9n;
}

/** The cap of the rules, or {@link CAP_FACTOR} times the market, in wei. */
export function capOf(rules: FeeRules, market: FeeMarket, speed: Speed): bigint {
  return rules.cap ?? CAP_FACTOR * highestPrice(unlimitedFees(market, speed, rules));
}

/** The maximum price of a unit of gas, in wei. */
export function highestPrice(fees: Fees): bigint {
  return fees.kind === 'legacy' ? fees.gasPrice : fees.maxFeePerGas;
}

/** The same price in the form of EIP-1559. */
export function dynamicFees(fees: Fees): Extract<Fees, { kind: 'dynamic' }> {
  if (fees.kind === 'dynamic') return fees;
  return { kind: 'dynamic', maxFeePerGas: fees.gasPrice, maxPriorityFeePerGas: fees.gasPrice };
}

/** Whether fees are the same for a node, whatever the type of the transaction. */
export function areSame(one: Fees, other: Fees): boolean {
  const [a, b] = [dynamicFees(one), dynamicFees(other)];
  return a.maxFeePerGas === b.maxFeePerGas && a.maxPriorityFeePerGas === b.maxPriorityFeePerGas;
}

function unlimitedFees(market: FeeMarket, speed: Speed, { legacy, minimumTip }: FeeRules): Fees {
  if (market.quote)
    return legacy
      ? { kind: 'legacy', gasPrice: market.quote.maxFeePerGas }
      : { kind: 'dynamic', ...market.quote };
  if (legacy || market.baseFee === 0n) {
    const gasPrice = ceilDivide(market.gasPrice * LEGACY_QUARTERS[speed], 4n);
    return { kind: 'legacy', gasPrice: greatest(gasPrice, market.baseFee + minimumTip) };
  }
  const maxPriorityFeePerGas = greatest(market.tips[speed], minimumTip);
  const maxFeePerGas = 2n * market.baseFee + maxPriorityFeePerGas;
  return { kind: 'dynamic', maxFeePerGas, maxPriorityFeePerGas };
}

/** A legacy transaction offers all of its price as a tip. */
const tipOf = (fees: Fees): bigint => (fees.kind === 'legacy' ? fees.gasPrice : fees.maxPriorityFeePerGas);

/** 12.5 % more, rounded up, plus 1 wei. */
const bumped = (price: bigint): bigint => ceilDivide(price * 9n, 8n) + 1n;

const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
