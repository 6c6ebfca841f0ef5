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
  /** `0x` and hex digits; only where it is not that of the request, which was replaced since. */
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
  /** That nonce as a node has just stated it: lower where the node lags behind, or an earlier response was wrong. */
  reported: number;
  /** Changes with every poll of the chain. */
  poll: number;
}

/** What limits the fees of an attempt, in wei. */
export interface FeeLimits {
  /** For one unit of gas. */
  cap: bigint | undefined;
  /** For the whole transaction. */
  maxFee: bigint | undefined;
  /** Fees in the form from before EIP-1559. */
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
  /** What policies are checked against. */
  subject: Subject;
  sign: (signature: Signature) => SignedAttempt;
}

/** `waits`: it cannot be priced or paid now, and why. `refused`: it can never be valid, or would revert. */
export type Drafted<Subject> =
  { draft: Draft<Subject> } | { waits: string; forFunds?: boolean } | { refused: string; revert?: Revert };

/** What a failed execution returned. */
export interface Revert {
  reason: string;
  /** `0x` and hex digits. */
  data: string | null;
}

/** One chain, reached through the endpoints of a network or a relayer. What throws RpcUnavailableError may be repeated. */
export interface TransactionChain<Subject = unknown> {
  /** Half of what a block takes, in milliseconds: how often it is worth looking. */
  readonly pollMs: number;
  /** Blocks after which a transaction is final. */
  readonly requiredConfirmations: number;
  /** Transactions of an account that are in flight at most, where the chain itself limits them. */
  readonly maxInFlight: number;
  /** Whether each transaction must be acknowledged before the next one is sent. */
  readonly inOrder: boolean;
  /** Whether attempts can be sent so that nobody sees them before they are mined. */
  readonly hasPrivateEndpoint: boolean;
  /** Blocks after which what is sent privately may be sent publicly; null for never. */
  readonly privateFallbackBlocks: number | null;

  /**
   * Completes an accepted request: simulates it where that is wanted, and sets its gas limit.
   *
   * @returns the request to store; unchanged where no node responds
   * @throws DomainError `invalid_request` where it would revert, or can never be valid
   */
  complete(
    sender: string,
    request: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** What policies are checked with before fees and nonce are known: a request as it is stored. */
  subjectOf(request: Readonly<Record<string, unknown>>): Subject;
  /** What a unit of gas costs at a speed now, in wei. @throws RpcUnavailableError */
  priceAt(request: Readonly<Record<string, unknown>>): Promise<bigint>;
  /**
   * What a transaction pays now beside its gas, in wei: on some rollups for its data on L1. 0n elsewhere, and where the chain does not say.
   *
   * @throws RpcUnavailableError
   */
  dataFeeOf(sender: string, request: Readonly<Record<string, unknown>>): Promise<bigint>;
  /** The account now; concurrent readers share calls. @throws RpcUnavailableError */
  read(address: string): Promise<ChainView>;
  /**
   * The nonce of the next transaction that can be mined as most endpoints state it, the lower where two differ: for what must
   * not be believed of one. It costs a call to each. @throws RpcUnavailableError
   */
  agreedNonce(address: string): Promise<number>;
  /** The account at the next poll of the chain. @throws RpcUnavailableError */
  next(address: string): Promise<ChainView>;
  draft(order: AttemptOrder): Promise<Drafted<Subject>>;
  /** Whether an attempt could be replaced at the market's present fees, or must be, since it pays less than a block asks. */
  isOutpriced(content: AttemptContent): Promise<boolean>;
  /**
   * Sends attempts in the order of their nonces.
   *
   * @param isPrivate to private endpoints only
   * @returns what became of each
   */
  send(attempts: readonly OutgoingAttempt[], isPrivate: boolean): Promise<SendCause[]>;
  /** The data that signed bytes execute with: `0x` and hex digits. */
  dataOf(raw: string): string;
  /** Whether public nodes have an attempt. Of one that was sent privately they know nothing. */
  isKnown(hash: string): Promise<boolean>;
  /** Those of the hashes that are in a block. */
  inclusions(hashes: readonly string[]): Promise<Map<string, Inclusion>>;
  /**
   * Those of the inclusions that most endpoints state, at the depth of finality: one of several makes nothing final. It costs
   * calls to each.
   *
   * @returns the hashes of the transactions
   */
  agreedFinal(inclusions: readonly Inclusion[]): Promise<ReadonlySet<string>>;
  /** The transaction of an account with a nonce that is in a block; null where none can be found. */
  findMined(address: string, nonce: number): Promise<MinedTransaction | null>;
  /** Why a mined transaction failed; null where that cannot be found out. */
  revertOf(
    sender: string,
    request: Readonly<Record<string, unknown>>,
    inclusion: Inclusion,
  ): Promise<Revert | null>;
}
