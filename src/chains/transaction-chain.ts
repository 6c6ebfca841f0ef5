import type { SendCause } from './send-cause';

/**
 * What the sending of transactions needs of a chain. The states, the ledger and the workers above it know nothing of EVM;
 * an implementation prices, builds, sends and finds transactions on its chain (docs/adr/0036).
 */

/** A signature of 32 bytes: `r` and `s` as 64 hex digits, and the recovery id plus 27. */
export interface Signature {
  r: string;
  s: string;
  v: 27 | 28;
}

/** The part of a signed attempt that clients see. Amounts are decimal strings; null where the form of fees has none. */
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
  /** `0x` and hex digits; only if it differs from that of the request, which was replaced since. */
  data?: string;
}

/** A signed attempt: its bytes in hex with `0x`, as they are sent. */
export interface SignedAttempt {
  raw: string;
  content: AttemptContent;
}

/** What is sent. */
export interface OutgoingAttempt {
  raw: string;
  hash: string;
}

/** Where a transaction is on the chain, and what it cost. Amounts are decimal strings. */
export interface Inclusion {
  hash: string;
  block_number: number;
  block_hash: string;
  succeeded: boolean;
  gas_used: string;
  /** Wei that were paid for its execution and, on rollups, its data. */
  fee: string | null;
}

/** A transaction that is in a block, sent by this service or not; its signature is as in {@link Signature}, null where nodes leave it out. */
export interface MinedTransaction {
  hash: string;
  block_number: number;
  r: string | null;
  s: string | null;
}

/** An account as the chain has it. */
export interface ChainView {
  /** The number of the newest block. */
  head: number;
  /** The nonce of the next transaction that can be mined. */
  nonce: number;
  /** The nonce in the newest response of a node: lower if the node lags behind, or an earlier response was wrong. */
  reported: number;
  /** Changes with every poll of the chain. */
  poll: number;
}

/** Limits of the fees of an attempt, in wei. */
export interface FeeLimits {
  /** For one unit of gas. */
  cap: bigint | undefined;
  /** For the whole transaction. */
  maxFee: bigint | undefined;
  /** Whether fees have the form from before EIP-1559. */
  legacy: boolean;
}

/** Which attempt is to be signed. */
export interface AttemptOrder {
  kind: 'request' | 'noop';
  sender: string;
  nonce: number;
  request: Readonly<Record<string, unknown>>;
  /** Attempts with the same nonce that nodes may have: the new one must be able to replace them. */
  replaces: readonly AttemptContent[];
  limits: FeeLimits;
}

/** An attempt that is ready to be signed. */
export interface Draft<Subject> {
  /** 32 bytes. */
  digest: Uint8Array;
  /** The subject that policies are checked against. */
  subject: Subject;
  sign: (signature: Signature) => SignedAttempt;
}

/** `waits`: why it cannot be priced or paid now. `refused`: why it can never be valid, or that it would revert. */
export type Drafted<Subject> =
  { draft: Draft<Subject> } | { waits: string; forFunds?: boolean } | { refused: string; revert?: Revert };

/** The result of a failed execution. */
export interface Revert {
  reason: string;
  /** `0x` and hex digits. */
  data: string | null;
}

/** One chain, reached through the endpoints of a network or a relayer. Calls that throw RpcUnavailableError may be repeated. */
export interface TransactionChain<Subject = unknown> {
  /** The polling interval in milliseconds: half the block time. */
  readonly pollMs: number;
  /** Blocks after which a transaction is final. */
  readonly requiredConfirmations: number;
  /** Whether each transaction must be acknowledged before the next one is sent. */
  readonly inOrder: boolean;
  /** Whether attempts can be sent privately, so that nobody sees them before they are mined. */
  readonly hasPrivateEndpoint: boolean;
  /** Blocks after which a private transaction may be sent publicly; null for never. */
  readonly privateFallbackBlocks: number | null;

  /**
   * Completes a request: simulates it if required, and sets its gas limit.
   *
   * @returns the request to store; unchanged if no node responds
   * @throws DomainError `invalid_request` if it would revert, or can never be valid
   */
  complete(
    sender: string,
    request: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The subject that policies are checked against before fees and nonce are known. @param request in its stored form */
  subjectOf(request: Readonly<Record<string, unknown>>): Subject;
  /** The current price of a unit of gas at the request's speed, in wei. @throws RpcUnavailableError */
  priceAt(request: Readonly<Record<string, unknown>>): Promise<bigint>;
  /**
   * What a transaction currently pays in addition to its gas, in wei: on some rollups for its data on L1. 0n elsewhere,
   * and if the chain does not state it.
   *
   * @throws RpcUnavailableError
   */
  dataFeeOf(sender: string, request: Readonly<Record<string, unknown>>): Promise<bigint>;
  /** The current account; concurrent readers share calls. @throws RpcUnavailableError */
  read(address: string): Promise<ChainView>;
  /**
   * The nonce of the next transaction that can be mined, as most endpoints state it; if two differ, the lower. For
   * decisions that a single endpoint must not make. It costs a call to each.
   *
   * @throws RpcUnavailableError
   */
  agreedNonce(address: string): Promise<number>;
  /** How many transactions of an account the chain itself allows in flight; a number above all settings if it sets no limit. */
  maxInFlight(address: string): Promise<number>;
  /** The account at the next poll of the chain. @throws RpcUnavailableError */
  next(address: string): Promise<ChainView>;
  draft(order: AttemptOrder): Promise<Drafted<Subject>>;
  /** Whether an attempt pays so little that current market fees could replace it, or that the next block cannot include it. */
  isOutpriced(content: AttemptContent): Promise<boolean>;
  /**
   * Sends attempts in the order of their nonces.
   *
   * @param isPrivate to private endpoints only
   * @returns the result of each
   */
  send(attempts: readonly OutgoingAttempt[], isPrivate: boolean): Promise<SendCause[]>;
  /** The data that signed bytes execute with: `0x` and hex digits. */
  dataOf(raw: string): string;
  /** Whether public nodes have an attempt. They do not know private ones. */
  isKnown(hash: string): Promise<boolean>;
  /** Those of the hashes that are in a block. */
  inclusions(hashes: readonly string[]): Promise<Map<string, Inclusion>>;
  /**
   * The inclusions that most endpoints state, at the depth of finality: a single one of several makes nothing final. It
   * costs calls to each.
   *
   * @returns the hashes of the transactions
   */
  agreedFinal(inclusions: readonly Inclusion[]): Promise<ReadonlySet<string>>;
  /** The transaction of an account with a nonce that is in a block; null if none can be found. */
  findMined(address: string, nonce: number): Promise<MinedTransaction | null>;
  /** Why a mined transaction failed; null if that cannot be determined. */
  revertOf(
    sender: string,
    request: Readonly<Record<string, unknown>>,
    inclusion: Inclusion,
  ): Promise<Revert | null>;
}
