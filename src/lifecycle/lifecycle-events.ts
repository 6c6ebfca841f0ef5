/** The form of the signed content. */
export type SignatureForm = 'typed_data' | 'typed_data_hashes' | 'message' | 'transaction';

/**
 * A signature that a relayer is about to create, or has created. Transactions that the service sends are signed later,
 * without further events: they are {@link TransactionMoment}s.
 *
 * @public
 */
export interface SignatureMoment {
  readonly relayerId: string;
  readonly signerId: string;
  /** The name of the relayer's network. */
  readonly network: string;
  readonly form: SignatureForm;
  /** The signed digest: 64 lower-case hex digits. The content itself is not passed on. */
  readonly digest: string;
}

/**
 * A transaction that is about to be accepted.
 *
 * @public
 */
export interface TransactionMoment {
  readonly relayerId: string;
  /** The EIP-55 address; null to create a contract. */
  readonly to: string | null;
  /** In wei, as a decimal string. */
  readonly value: string;
  /** `0x` and hex digits. */
  readonly data: string;
}

/**
 * A transaction that has been accepted: it is stored with its nonce.
 *
 * @public
 */
export interface AcceptedTransactionMoment extends TransactionMoment {
  readonly transactionId: string;
}

/**
 * The events that plugins can listen to. A `before` event is awaited, and its listeners can refuse the operation; an
 * `after` event can only be observed.
 *
 * @public
 */
export interface LifecycleEvents {
  /** Policies allow the signature, and nothing has been signed yet. */
  'signature.before': SignatureMoment;
  /** The signature has been recorded, and is about to be returned. */
  'signature.after': SignatureMoment;
  /** Policies allow the transaction or its replacement, and nothing has been stored yet. */
  'transaction.before': TransactionMoment;
  /** The transaction has been stored. Does not occur for a repeated request or a replacement. */
  'transaction.after': AcceptedTransactionMoment;
}

/** The names of all events, as the compiler ensures. */
export const LIFECYCLE_EVENTS: Readonly<Record<keyof LifecycleEvents, true>> = {
  'signature.before': true,
  'signature.after': true,
  'transaction.before': true,
  'transaction.after': true,
};
