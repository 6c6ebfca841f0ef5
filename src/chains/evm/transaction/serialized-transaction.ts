import { invalidRequest } from '../../../common/errors/domain-error';
import type { DigestSignature } from '../digest-signature';
import { hexWord } from '../quantity';
import { decodeRlp, encodeRlp, encodeTyped, integerBytes, type RlpItem } from '../rlp';
import {
  MAX_TRANSACTION_BYTES,
  readTransaction,
  TRANSACTIONS,
  transactionType,
  type UnsignedTransaction,
} from './unsigned-transaction';

/** The value of a member: an integer, an address, bytes, null, or a list or object of such values. */
type Value = bigint | string | Buffer | null | readonly Value[] | { readonly [name: string]: Value };

/** The bytes whose keccak256 is signed: EIP-155 for type 0, EIP-2718 for the others. */
export function serializeUnsigned(transaction: UnsignedTransaction): Buffer {
  const fields = fieldsOf(transaction);
  // EIP-155 puts two zeros in place of r and s.
  return encodeTyped(
    transaction.type,
    transaction.type === 0 ? [...fields, ...[0n, 0n].map(toItem)] : fields,
  );
}

/** The signed transaction as nodes accept it. */
export function serializeSigned(transaction: UnsignedTransaction, { r, s, v }: DigestSignature): Buffer {
  const yParity = BigInt(v - 27);
  const signature = [BigInt(`0x${r}`), BigInt(`0x${s}`)];
  if (transaction.type !== 0)
    return encodeTyped(transaction.type, [...fieldsOf(transaction), ...[yParity, ...signature].map(toItem)]);
  const { chain_id, ...members } = transaction.members;
  return encodeTyped(0, [
    ...Object.values(members).map(toItem),
    ...[35n + 2n * chain_id + yParity, ...signature].map(toItem),
  ]);
}

/**
 * Parses an unsigned transaction in serialized form: `0x` and hex digits.
 *
 * @throws DomainError `invalid_request` if the transaction is already signed, of another type or not canonical, or if a
 * member breaks a rule
 */
export function readSerialized(hex: string): UnsignedTransaction {
  const bytes = bytesOf(hex);
  const { type, fields } = decoded(bytes);
  if (type === undefined) throw invalidRequest('transaction must be of type 0, 1, 2 or 4');
  if (fields === undefined) throw invalidRequest('transaction is not valid RLP');
  const members = type === 0 ? withoutLegacyEnd(fields) : fields;
  refuseMiscounted(type, members.length);
  const json = TRANSACTIONS[type].fromRlp(members) as object;
  const transaction = readTransaction({ ...json, type });
  if (!serializeUnsigned(transaction).equals(bytes))
    throw invalidRequest('transaction is not in canonical RLP');
  return transaction;
}

/** A transaction and its signature. */
export interface SignedTransaction {
  transaction: UnsignedTransaction;
  signature: DigestSignature;
}

/**
 * Parses a transaction that {@link serializeSigned} serialized: `0x` and hex digits. Who has signed it is not checked.
 *
 * @throws Error if the bytes are something else
 */
export function readSigned(hex: string): SignedTransaction {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  const { type, fields } = decoded(bytes);
  if (type === undefined || fields === undefined) throw notSigned();
  const [v = 0n, r = 0n, s = 0n] = fields.slice(-3).map(toInteger);
  const yParity = Number(type === 0 ? (v + 1n) % 2n : v);
  const members = type === 0 ? [...fields.slice(0, -3), toItem((v - 35n) / 2n)] : fields.slice(0, -3);
  const json = TRANSACTIONS[type].fromRlp(members) as object;
  const transaction = readTransaction({ ...json, type });
  const signature = { r: hexWord(r), s: hexWord(s), v: yParity === 0 ? (27 as const) : (28 as const) };
  if (!serializeSigned(transaction, signature).equals(bytes)) throw notSigned();
  return { transaction, signature };
}

/** The `data` of a transaction that {@link serializeSigned} serialized; both are `0x` and hex digits. */
export function dataOf(signed: string): string {
  const { type, fields } = decoded(Buffer.from(signed.slice(2), 'hex'));
  const data = type === undefined ? undefined : fields?.at(TRANSACTIONS[type].names.indexOf('data'));
  if (!Buffer.isBuffer(data)) throw notSigned();
  return `0x${data.toString('hex')}`;
}

/** What a transaction executes, on which chain and with which nonce: all but its type, gas and fees. */
export function executionOf({ members }: UnsignedTransaction): Buffer {
  const { chain_id, nonce, to, value, data } = members;
  const accessList = 'access_list' in members ? members.access_list : [];
  const authorizations = 'authorization_list' in members ? members.authorization_list : [];
  return encodeRlp([chain_id, nonce, to, value, data, accessList, authorizations].map(toItem));
}

/** The type of a transaction, if it is supported, and its fields, if they are valid RLP. */
function decoded(bytes: Buffer): { type?: UnsignedTransaction['type']; fields?: readonly RlpItem[] } {
  // A typed transaction begins with its type, up to 0x7f; a legacy one begins with an RLP list (EIP-2718).
  const isLegacy = (bytes[0] ?? 0) >= 0xc0;
  const type = isLegacy ? 0 : transactionType(bytes[0]);
  if (type === undefined || (type === 0 && !isLegacy)) return {};
  const fields = decodeRlp(isLegacy ? bytes : bytes.subarray(1));
  return fields === undefined || Buffer.isBuffer(fields) ? { type } : { type, fields };
}

function bytesOf(hex: string): Buffer {
  if (!/^0x[0-9a-fA-F]*$/.test(hex) || hex.length % 2 === 1 || hex.length === 2)
    throw invalidRequest('transaction must be an object, or 0x and an even number of hex digits');
  if (hex.length > 2 + 2 * MAX_TRANSACTION_BYTES)
    throw invalidRequest(`transaction must not exceed ${MAX_TRANSACTION_BYTES} bytes`);
  return Buffer.from(hex.slice(2), 'hex');
}

/** Removes the two zeros of EIP-155. */
function withoutLegacyEnd(fields: readonly RlpItem[]): readonly RlpItem[] {
  if (fields.length === 6)
    throw invalidRequest('transaction has no chain id (EIP-155): it could be sent on every network');
  if (fields.length !== 9) throw invalidRequest('transaction of type 0 must have 9 fields');
  const end = fields.slice(7);
  if (end.some((item) => item.length > 0)) throw alreadySigned();
  return fields.slice(0, 7);
}

function refuseMiscounted(type: UnsignedTransaction['type'], count: number): void {
  const wanted = TRANSACTIONS[type].names.length;
  if (count === wanted) return;
  if (count === wanted + 3) throw alreadySigned();
  throw invalidRequest(`transaction of type ${type} must have ${wanted} fields`);
}

const notSigned = () => new Error('These are not the bytes of a signed transaction');

const alreadySigned = () => invalidRequest('transaction is already signed');

function fieldsOf({ members }: UnsignedTransaction): RlpItem[] {
  return Object.values<Value>(members).map(toItem);
}

/** The members of an object must be in serialization order. */
function toItem(value: Value): RlpItem {
  if (value === null) return Buffer.alloc(0);
  if (typeof value === 'bigint') return integerBytes(value);
  if (typeof value === 'string') return Buffer.from(value.slice(2), 'hex');
  if (Buffer.isBuffer(value)) return value;
  return Object.values<Value>(value as readonly Value[]).map(toItem);
}

const toInteger = (item: RlpItem): bigint =>
  Buffer.isBuffer(item) && item.length > 0 ? BigInt(`0x${item.toString('hex')}`) : 0n;
