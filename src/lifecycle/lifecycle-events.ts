/** The form of what is signed. */
export type SignatureForm = 'typed_data' | 'typed_data_hashes' | 'message' | 'transaction';

/**
 * A signature that a relayer is about to create, or has created. Transactions that the service sends are signed later, without
 * further events: they are {@link TransactionMoment}s.
 *
 * @public
 */
export interface SignatureMoment {
  readonly relayerId: string;
  readonly signerId: string;
  /** The name of the relayer's network. */
  readonly network: string;
  readonly form: SignatureForm;
  /** What is signed: 64 lower-case hex digits. The content itself is not passed on. */
  readonly digest: string;
}

/**
 * A transaction that is about to be accepted.
 *
 * @public
 */
export interface TransactionMoment {
  readonly relayerId: string;
  /** EIP-55; null for the creation of a contract. */
  readonly to: string | null;
  /** In wei, as a decimal string. */
  readonly value: string;
  /** `0x` and hex digits. */
  readonly data: string;
}

/**
 * A transaction that was accepted: it is stored, with its nonce.
 *
 * @public
 */
export interface AcceptedTransactionMoment extends TransactionMoment {
  readonly transactionId: string;
}

/**
 * What happens in the service, as plugins see it. A `before` is awaited and can refuse; an `after` is observed.
 *
 * @public
 */
export interface LifecycleEvents {
  /** Policies allow the signature, and nothing is signed yet. */
  'signature.before': SignatureMoment;
  /** The signature is recorded, and about to be returned. */
  'signature.after': SignatureMoment;
  /** Policies allow the transaction or its replacement, and nothing is stored yet. */
  'transaction.before': TransactionMoment;
  /** The transaction is stored. Not for a repeated request, nor for a replacement. */
  'transaction.after': AcceptedTransactionMoment;
}
