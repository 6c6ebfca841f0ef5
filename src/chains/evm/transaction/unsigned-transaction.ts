import { invalidRequest } from '../../../common/errors/domain-error';
import { UINT256_MAX, UINT64_MAX } from '../../../common/validation/big-integer';
import { CURVE_ORDER, MAX_S } from '../curve-order';
import {
  address,
  bytes,
  list,
  object,
  optional,
  parseInteger,
  quantity,
  receiver,
  signaturePart,
  word,
} from './transaction-members';

/**
 * Size of a serialized unsigned transaction: nodes commonly accept no more.
 * @limit Typed data, messages and transactions
 */
export const MAX_TRANSACTION_BYTES = 128 * 1024;

/** EIP-2681: an account whose nonce is 2^64−1 cannot send anything. */
const NONCE_MAX = UINT64_MAX - 1n;
/** Entries of an access list. @limit Typed data, messages and transactions */
const MAX_ACCESS_LIST_ITEMS = 1000;
const MAX_STORAGE_KEYS = 4000;
/** Entries of an authorization list (EIP-7702). @limit Typed data, messages and transactions */
const MAX_AUTHORIZATIONS = 100;

const account = { nonce: quantity(NONCE_MAX) };
const chain = { chain_id: quantity(UINT256_MAX) };
const gasPrice = { gas_price: quantity(UINT256_MAX) };
const gasFees = {
  max_priority_fee_per_gas: quantity(UINT256_MAX),
  max_fee_per_gas: quantity(UINT256_MAX),
};
/** `data`. */
export const CALLDATA = bytes(MAX_TRANSACTION_BYTES);
const call = {
  gas_limit: quantity(UINT64_MAX),
  to: receiver,
  value: optional(quantity(UINT256_MAX), 0n),
  data: optional(CALLDATA, Buffer.alloc(0)),
};
/** `access_list` (EIP-2930). */
export const ACCESS_LIST = list(
  object({ address, storage_keys: list(word, MAX_STORAGE_KEYS) }, 'AccessListItem'),
  MAX_ACCESS_LIST_ITEMS,
);
const access = { access_list: optional(ACCESS_LIST, []) };
const authorization = {
  ...chain,
  address,
  ...account,
  y_parity: quantity(1n),
  r: signaturePart(CURVE_ORDER - 1n, 'from 1 to the order of the curve'),
  s: signaturePart(MAX_S, 'from 1 to half the order of the curve (EIP-2)'),
};

/** `authorization_list` (EIP-7702). */
export const AUTHORIZATION_LIST = list(object(authorization, 'Authorization'), MAX_AUTHORIZATIONS);

/** The members of each type of transaction, in serialization order. */
export const TRANSACTIONS = {
  /** Legacy, replay-protected (EIP-155). */
  0: object({ ...account, ...gasPrice, ...call, ...chain }),
  /** EIP-2930. */
  1: object({ ...chain, ...account, ...gasPrice, ...call, ...access }),
  /** EIP-1559. */
  2: object({ ...chain, ...account, ...gasFees, ...call, ...access }),
  /** EIP-7702. */
  4: object({
    ...chain,
    ...account,
    ...gasFees,
    ...call,
    ...access,
    authorization_list: AUTHORIZATION_LIST,
  }),
};

export type TransactionType = keyof typeof TRANSACTIONS;

/** A transaction without its signature: its type, and its members in the order of {@link TRANSACTIONS}. */
export type UnsignedTransaction = {
  [T in TransactionType]: { type: T; members: ReturnType<(typeof TRANSACTIONS)[T]['read']> };
}[TransactionType];

const TYPES: readonly string[] = Object.keys(TRANSACTIONS);

/** Converts a number to a transaction type; undefined for blob transactions (3) and others that are not supported. */
export function transactionType(number: bigint | number | undefined): TransactionType | undefined {
  const name = String(number);
  return TYPES.includes(name) ? (Number(name) as TransactionType) : undefined;
}

/**
 * Parses a transaction from JSON: its `type`, and the members in {@link TRANSACTIONS}.
 *
 * @throws DomainError `invalid_request`, naming the path and the rule
 */
export function readTransaction(json: object): UnsignedTransaction {
  const { type: given, ...members } = json as Record<string, unknown>;
  const type = transactionType(parseInteger(given));
  if (type === undefined) throw invalidRequest('transaction.type must be 0, 1, 2 or 4');
  const transaction = {
    type,
    members: TRANSACTIONS[type].read(members, 'transaction'),
  } as UnsignedTransaction;
  const broken = brokenRule(transaction);
  if (broken !== undefined) throw invalidRequest(broken);
  return transaction;
}

/** The first rule between members that is broken. */
function brokenRule({ type, members }: UnsignedTransaction): string | undefined {
  if (type === 0 || type === 1) return undefined;
  if (members.max_priority_fee_per_gas > members.max_fee_per_gas)
    return 'transaction.max_priority_fee_per_gas must not exceed max_fee_per_gas';
  if (type === 2) return undefined;
  if (members.to === null) return 'transaction.to must not be null: type 4 creates no contract';
  if (members.authorization_list.length === 0) return 'transaction.authorization_list must not be empty';
  const foreign = members.authorization_list.findIndex(
    ({ chain_id }) => chain_id !== 0n && chain_id !== members.chain_id,
  );
  return foreign === -1
    ? undefined
    : `transaction.authorization_list[${foreign}].chain_id must be 0 or transaction.chain_id`;
}
