import type { DataOf, Parameters } from './routes.ts';

type Body<Options> = Options extends { body?: infer B } ? NonNullable<B> : never;

type OfRelayer<Suffix extends string> = `/api/v1/relayers/{relayer_id}${Suffix}`;

/** A relayer: an account with its network, signer and policies. */
export type RelayerResource = DataOf<'get', OfRelayer<''>>;
/**
 * A transaction of a relayer, at the time of the response. Amounts are in wei: fees as decimal strings, `value` as hex.
 */
export type Transaction = DataOf<'get', OfRelayer<'/transactions/{transaction_id}'>>;
export type TransactionStatus = Transaction['status'];
/** A transaction to send. Amounts may be bigints. */
export type TransactionRequest = Body<Parameters<'post', OfRelayer<'/transactions'>>>;
export type TransactionBatch = Body<Parameters<'post', OfRelayer<'/transactions/batch'>>>;
export type TransactionBatchResult = DataOf<'post', OfRelayer<'/transactions/batch'>>;
/** Typed data to sign: in full, or as its two hashes. */
export type TypedData = Body<Parameters<'post', OfRelayer<'/sign-typed-data'>>>;
export type TypedDataSignature = DataOf<'post', OfRelayer<'/sign-typed-data'>>;
export type SignedMessage = DataOf<'post', OfRelayer<'/sign'>>;
/** A complete unsigned transaction, as members or in serialized form. */
export type UnsignedTransaction = Body<Parameters<'post', OfRelayer<'/sign-transaction'>>>['transaction'];
export type SignedTransaction = DataOf<'post', OfRelayer<'/sign-transaction'>>;
/** A request that waits, or has waited, for approval by other keys. */
export type Approval = DataOf<'get', '/api/v1/changes/{change_id}'>;
