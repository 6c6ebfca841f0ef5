import type { SendCause } from './send-cause';

/**
 * What sending transactions requires of a chain. The states, the ledger and the workers that use it know nothing of
 * EVM; an implementation prices, builds, sends and finds transactions on its chain (docs/adr/0036).
 */

/** A signature of a 32-byte digest: `r` and `s` as 64 hex digits, and the recovery id plus 27. */
export interface Signature {
  r: string;
  s: string;
  v: 27 | 28;
}

/** What a transaction on a rollup costs in addition to the price of its gas, in wei. */
export interface RollupFees {
  /** For its data on L1. */
  data: bigint;
  /** For its gas limit; charged by the operator of the rollup. */
  operator: bigint;
}

/**
 * The part of a signed attempt that clients see. Amounts are decimal strings; null if the type of fee does not have
 * them.
 */
export interface AttemptContent {
  hash: string;
  kind: 'request' | 'noop';
  to: string | null;
  value: string;
  gas_limit: string;
  gas_price: string | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  signature: Signature;
  /** `0x` and hex digits; only set if it differs from the data of the request, which was replaced since. */
  data?: string;
}

/** A signed attempt: its bytes in hex with `0x`, as they are sent. */
export interface SignedAttempt {
  raw: string;
  content: AttemptContent;
}

/** An attempt to send. */
export interface OutgoingAttempt {
  raw: string;
  hash: string;
  /** Called with what a node says when it refuses the attempt: one short line, without URLs and secrets. */
  refused?: (cause: SendCause, text: string) => void;
}

/** Where a transaction is on the chain, and what it cost. Amounts are decimal strings. */
export interface Inclusion {
  hash: string;
  block_number: number;
  block_hash: string;
  succeeded: boolean;
  gas_used: string;
  /** The wei paid for its execution and, on rollups, for its data; null if it is not known. */
  fee: string | null;
}

/** A mined transaction of an account that may be final. */
export interface FinalCandidate {
  inclusion: Inclusion;
  nonce: number;
  /** The hashes of all its attempts, of which at most one can be included. */
  hashes: readonly string[];
  /** The attempt that was mined; null if it is not known. */
  attempt: AttemptContent | null;
  /** When it was first seen in its block. */
  since: Date;
  /** Whether the endpoint that was read last has this inclusion. */
  isRead: boolean;
}

/** A transaction that is in a block, whether this service sent it or not. */
export interface MinedTransaction {
  hash: string;
  block_number: number;
  /** The same as an attempt of the kind `request`; null if its signature cannot be checked. */
  signed: SignedAttempt | null;
}

/** The state of an account on the chain. */
export interface ChainView {
  /** The number of the newest block. */
  head: number;
  /** The nonce of the next transaction that can be mined. */
  nonce: number;
  /**
   * The nonce in the newest response of a node: lower if that node lags behind, or if an earlier response was wrong.
   */
  reported: number;
}

/** Fee limits of an attempt, in wei. */
export interface FeeLimits {
  /** Per unit of gas. */
  cap: bigint | undefined;
  /** For the whole transaction. */
  maxFee: bigint | undefined;
  /** Whether to use a gas price, as before EIP-1559. */
  legacy: boolean;
}

/** An earlier attempt with the same nonce. */
export interface ReplacedAttempt extends AttemptContent {
  /** Whether a node has ever acknowledged it. A node that does not have it accepts lower fees. */
  wasAcknowledged: boolean;
}

/** Which attempt to sign. */
export interface AttemptOrder {
  kind: 'request' | 'noop';
  sender: string;
  nonce: number;
  request: Readonly<Record<string, unknown>>;
  /** Whether this content was signed before. Then it is not simulated again: it keeps its gas limit. */
  wasSigned: boolean;
  /**
   * Attempts with the same nonce that nodes may have, oldest first. The new one must be able to replace those that were
   * acknowledged, and the others if its fees stay within the limits.
   */
  replaces: readonly ReplacedAttempt[];
  /** Whether attempts that no node has acknowledged do not count: nodes refuse them because they cost too much. */
  isAfresh?: boolean;
  /** Whether a refusal of a simulation counts if most of the endpoints that can simulate say so, however few can. */
  believesFew?: boolean;
  limits: FeeLimits;
}

/** An attempt that is ready to be signed. */
export interface Draft<Subject> {
  /** 32 bytes. */
  digest: Uint8Array;
  /** The subject that policies are checked against. */
  subject: Subject;
  /** Whether an attempt that it replaces offers the same for the same gas: the account cannot pay for more. */
  offersNoMore: boolean;
  sign: (signature: Signature) => SignedAttempt;
}

/** Why an attempt cannot be priced or paid for now. */
export interface Waiting {
  waits: string;
  forFunds?: boolean;
  /** Whether too few endpoints can simulate the request, or none knows why it cannot. */
  forSimulation?: boolean;
}

/** `refused`: why it can never be valid, or that it would revert. */
export type Drafted<Subject> = { draft: Draft<Subject> } | Waiting | { refused: string; revert?: Revert };

/**
 * Whether an attempt fits into a block. `later`: not into the newest one, but perhaps into a later one. `never`: most
 * endpoints have reported for a while that it does not fit; contains the reason.
 */
export type Fit = 'now' | 'later' | { never: string };

/** The result of an execution that reverted. */
export interface Revert {
  reason: string;
  /** `0x` and hex digits. */
  data: string | null;
}

/**
 * One chain, reached through the endpoints of a network or a relayer. Calls that throw RpcUnavailableError may be
 * repeated.
 */
export interface TransactionChain<Subject = unknown> {
  /** Blocks after which a transaction is final. */
  readonly requiredConfirmations: number;
  /** Whether each transaction must be acknowledged before the next is sent. */
  readonly inOrder: boolean;
  /** Whether attempts can be sent privately, so that they stay hidden until they are mined. */
  readonly hasPrivateEndpoint: boolean;
  /** Blocks after which a private transaction may be sent publicly; null for never. */
  readonly privateFallbackBlocks: number | null;

  /**
   * Completes a request: simulates it if required, and sets its gas limit.
   *
   * @param needsGas whether the gas limit must be known now, so that a request without one cannot stay unchanged if no
   * node responds
   * @returns the request to store; unchanged if no node responds
   * @throws DomainError `invalid_request` if it would revert, or can never be valid; RpcUnavailableError
   */
  complete(
    sender: string,
    request: Readonly<Record<string, unknown>>,
    needsGas?: boolean,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The subject that policies are checked against before fees and nonce are known.
   *
   * @param request in its stored form
   * @param nonce if it is known
   */
  subjectOf(request: Readonly<Record<string, unknown>>, nonce?: number): Subject;
  /** The current price of a unit of gas at the speed of the request, in wei. @throws RpcUnavailableError */
  priceAt(request: Readonly<Record<string, unknown>>): Promise<bigint>;
  /**
   * What a transaction with a gas limit currently costs in addition to the price of its gas. 0n on other chains than
   * rollups, and if the chain does not report it.
   *
   * @throws RpcUnavailableError
   */
  rollupFeesOf(sender: string, request: Readonly<Record<string, unknown>>): Promise<RollupFees>;
  /** The current state of an account; concurrent readers share calls. @throws RpcUnavailableError */
  read(address: string): Promise<ChainView>;
  /**
   * The nonce of the next transaction that can be mined, as most endpoints report it; if there are two and they differ,
   * the lower one. For decisions that must not depend on a single endpoint. It costs a call to each.
   *
   * @throws RpcUnavailableError
   */
  agreedNonce(address: string): Promise<number>;
  /**
   * As {@link agreedNonce}, but endpoints that do not follow the chain any more have no say: for decisions about open
   * transactions, which must not wait for them forever.
   *
   * @throws RpcUnavailableError
   */
  agreedCurrentNonce(address: string): Promise<number>;
  /**
   * What an account can pay with, in the smallest unit of the chain's coin, as most endpoints report it that follow the
   * chain; the lower one of two. It costs calls to each.
   *
   * @throws RpcUnavailableError
   */
  spendableBalance(address: string): Promise<bigint>;
  /**
   * The highest next nonce that any endpoint reports that follows the chain; undefined unless at least half of all do. It
   * costs calls to each.
   */
  highestNonce(address: string): Promise<number | undefined>;
  /** How many transactions of an account the chain itself allows in flight; above all settings if it sets no limit. */
  maxInFlight(address: string): Promise<number>;
  /** The state of an account at the next poll of the chain. @throws RpcUnavailableError */
  next(address: string): Promise<ChainView>;
  draft(order: AttemptOrder): Promise<Drafted<Subject>>;
  /**
   * Whether an attempt pays so little that one at current market fees could replace it, or that the next block cannot
   * include it.
   */
  isOutpriced(content: AttemptContent): Promise<boolean>;
  /** Whether an attempt offers clearly more than a first attempt would at current market fees. */
  isOverpriced(order: AttemptOrder, content: AttemptContent): Promise<boolean>;
  /** Whether an attempt fits into a block, whose limits may have changed since it was signed. */
  fit(content: AttemptContent): Promise<Fit>;
  /**
   * Whether an attempt has less gas than it needs now, as more than half of the endpoints say that can simulate it; of two
   * that differ about a no-op, the higher one counts. False if that cannot be determined.
   *
   * @param request what it executes; undefined for a no-op
   */
  isShortOfGas(
    sender: string,
    attempt: AttemptContent,
    request?: Readonly<Record<string, unknown>>,
  ): Promise<boolean>;
  /**
   * Whether each endpoint that says anything about an attempt refuses it as invalid, or for a reason that is not known. It
   * is sent to all of them.
   *
   * @param isPrivate to private endpoints only
   * @throws RpcUnavailableError
   */
  isRefusedByAll(attempt: OutgoingAttempt, isPrivate: boolean): Promise<boolean>;
  /**
   * Sends attempts in the order of their nonces.
   *
   * @param isPrivate to private endpoints only
   * @returns the result of each
   */
  send(attempts: readonly OutgoingAttempt[], isPrivate: boolean): Promise<SendCause[]>;
  /** The data that a signed transaction executes: `0x` and hex digits. */
  dataOf(raw: string): string;
  /**
   * Whether the bytes of a signed transaction have the content and nonce of a subject, whatever its gas and fees are,
   * and the signature of the sender.
   */
  isSignedForm(raw: string, sender: string, subject: Subject): boolean;
  /** Whether any of the public nodes has an attempt. They do not know private attempts. */
  isKnown(hash: string): Promise<boolean>;
  /** The inclusions of those hashes that are in a block. */
  inclusions(hashes: readonly string[]): Promise<Map<string, Inclusion>>;
  /**
   * Which transactions of an account most endpoints confirm at the depth of finality, while no other one that follows
   * the chain contradicts: a single endpoint of several that respond cannot make anything final, nor determine what it
   * has cost. It costs calls to each.
   *
   * @returns by the hashes of the candidates, the inclusions on which endpoints agree, with their fees; they may differ
   * from the candidates
   */
  agreedFinal(
    address: string,
    candidates: readonly FinalCandidate[],
  ): Promise<ReadonlyMap<string, Inclusion>>;
  /**
   * As {@link inclusions}, those that at least half of the endpoints have that respond and follow the chain. None if there
   * is only one, or if none responds. Two endpoints may have different ones of a transaction. It costs calls to each.
   */
  inclusionsOfHalf(hashes: readonly string[]): Promise<Inclusion[]>;
  /** The mined transaction of an account with this nonce; null if none can be found. */
  findMined(address: string, nonce: number): Promise<MinedTransaction | null>;
  /**
   * When a block was created, in milliseconds since 1970, as most endpoints report it. It costs a call to each.
   *
   * @throws RpcUnavailableError
   */
  timeOf(block: number): Promise<number>;
  /**
   * Whether most endpoints agree that a nonce was used, and none of them has a receipt of these transactions. They are
   * asked at the depth of finality, or at the greatest depth whose state nodes keep. It costs calls to each endpoint.
   * False if none can tell.
   *
   * @throws RpcUnavailableError
   */
  isUsedElsewhere(address: string, nonce: number, hashes: readonly string[]): Promise<boolean>;
  /** Why a mined transaction failed; null if that cannot be determined. */
  revertOf(
    sender: string,
    request: Readonly<Record<string, unknown>>,
    inclusion: Inclusion,
  ): Promise<Revert | null>;
}
