import { invalidRequest } from '../../../common/errors/domain-error';
import { parseBigInteger, UINT128_MAX, UINT64_MAX } from '../../../common/validation/big-integer';
import { type Member, parseInteger, receiver } from '../transaction/transaction-members';
import {
  ACCESS_LIST,
  AUTHORIZATION_LIST,
  CALLDATA,
  MAX_TRANSACTION_BYTES,
  type TransactionType,
} from '../transaction/unsigned-transaction';
import { type Speed, SPEEDS } from './fees';
import { hasDataFloor, TRANSFER_GAS } from './gas-limits';

/**
 * A transaction request as it is stored: amounts are decimal strings, bytes are `0x` and hex digits, and members that
 * were not given are null.
 */
export interface EvmRequest {
  to: string | null;
  value: string;
  data: string | null;
  gas_limit: string | null;
  type: TransactionType | null;
  speed: Speed | null;
  gas_price: string | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  access_list: object[] | null;
  authorization_list: object[] | null;
  /** The maximum price per unit of gas of any attempt other than a no-op. */
  max_attempts_price: string | null;
  /** The maximum cost of all of its gas in wei, which is the amount reserved from a spending limit. */
  max_fee: string | null;
  simulate: boolean | null;
}

/** The constraints of a relayer's policies on requests. */
export interface RequestRules {
  chainId: bigint;
  /** If false, a request must have a gas limit. */
  estimatesGas: boolean;
  /** The maximum price per unit of gas in wei. */
  cap: bigint | undefined;
  /** Whether the network has the feature `eip1559`. */
  hasEip1559: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const CREATION_GAS = 53_000n;

/**
 * Parses the members of a request that define the transaction; the error texts are those of the API that clients know.
 *
 * @param body whose other members the caller has read; null means the same as absent
 * @throws DomainError `invalid_request`
 */
export function readEvmRequest(body: Fields, rules: RequestRules): EvmRequest {
  const request: EvmRequest = {
    to: given(body.to) ? receiver.read(body.to === '' ? null : body.to, 'to') : null,
    value: readValue(body.value),
    data: readData(body.data),
    gas_limit: readAmount(body, 'gas_limit', UINT64_MAX),
    type: readType(body.type),
    speed: readSpeed(body.speed),
    gas_price: readAmount(body, 'gas_price', UINT128_MAX),
    max_fee_per_gas: readAmount(body, 'max_fee_per_gas', UINT128_MAX),
    max_priority_fee_per_gas: readAmount(body, 'max_priority_fee_per_gas', UINT128_MAX),
    access_list: readList(body, 'access_list', ACCESS_LIST),
    authorization_list: readList(body, 'authorization_list', AUTHORIZATION_LIST),
    max_attempts_price: readAmount(body, 'max_attempts_price', UINT128_MAX),
    max_fee: null,
    simulate: readSimulate(body.simulate),
  };
  const broken = brokenRule(request, rules);
  if (broken !== undefined) throw invalidRequest(broken);
  return request;
}

/**
 * The gas that every transaction of this form uses, whatever it executes (Yellow Paper, 6.2; EIP-2028, 2930, 3860,
 * 7702).
 */
export function intrinsicGas({ to, data, access_list, authorization_list }: EvmRequest): bigint {
  const bytes = Buffer.from((data ?? '0x').slice(2), 'hex');
  let gas = to === null ? CREATION_GAS : TRANSFER_GAS;
  for (const byte of bytes) gas += byte === 0 ? 4n : 16n;
  if (to === null) gas += 2n * BigInt(Math.ceil(bytes.length / 32));
  for (const entry of access_list ?? [])
    gas += 2400n + 1900n * BigInt((entry as { storage_keys: unknown[] }).storage_keys.length);
  return gas + 25_000n * BigInt(authorization_list?.length ?? 0);
}

/** The least gas limit of a transaction with this data, where there is one (EIP-7623). */
function floorGas({ data }: EvmRequest): bigint {
  let tokens = 0n;
  for (const byte of Buffer.from((data ?? '0x').slice(2), 'hex')) tokens += byte === 0 ? 1n : 4n;
  return TRANSFER_GAS + 10n * tokens;
}

function brokenRule(request: EvmRequest, rules: RequestRules): string | undefined {
  const { estimatesGas, cap } = rules;
  const { to, data, gas_limit: gasLimit, gas_price: gasPrice, speed } = request;
  const { max_fee_per_gas: maxFee, max_priority_fee_per_gas: tip } = request;
  if (to === null && (data === null || data === '0x'))
    return 'Both txs `to` and `data` fields are missing. At least one of them has to be set.';
  if (gasLimit === null && (!estimatesGas || request.simulate === false))
    return estimatesGas
      ? 'gas_limit is required when simulate is false'
      : 'gas_limit is required when gas_limit_estimation policy is disabled';
  const intrinsic = intrinsicGas(request);
  if (gasLimit !== null && BigInt(gasLimit) < intrinsic)
    return `gas_limit is too low, intrinsic gas is ${intrinsic} and gas_limit is ${gasLimit}`;
  const floor = gasLimit !== null && hasDataFloor(rules.chainId) ? floorGas(request) : 0n;
  if (gasLimit !== null && BigInt(gasLimit) < floor)
    return `gas_limit is too low, its data costs at least ${floor} and gas_limit is ${gasLimit}`;
  const modes = [gasPrice !== null, speed !== null, maxFee !== null || tip !== null].filter(Boolean);
  if (modes.length === 0) return 'Transaction must specify either gasPrice, speed, or EIP1559 parameters';
  if (modes.length > 1)
    return 'Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters';
  if ((maxFee === null) !== (tip === null))
    return 'EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas';
  if (maxFee !== null && tip !== null && BigInt(maxFee) < BigInt(tip))
    return 'maxFeePerGas must be greater than or equal to maxPriorityFeePerGas';
  const price = gasPrice ?? maxFee;
  if (price !== null && cap !== undefined && BigInt(price) > cap) return 'Gas price is too high';
  const { max_attempts_price: limit } = request;
  if (price !== null && limit !== null && BigInt(price) > BigInt(limit))
    return 'max_attempts_price must not be below gas_price or max_fee_per_gas, which are used exactly';
  return brokenTypeRule(request, rules);
}

function brokenTypeRule(request: EvmRequest, { chainId, hasEip1559 }: RequestRules): string | undefined {
  const { type, to, gas_price: gasPrice, max_fee_per_gas: maxFee, access_list, authorization_list } = request;
  const isLegacy = type === 0 || type === 1;
  if (isLegacy && maxFee !== null) return `max_fee_per_gas must not be given for type ${type}`;
  if ((type === 2 || type === 4) && gasPrice !== null) return `gas_price must not be given for type ${type}`;
  if (type === 2 && request.speed !== null && !hasEip1559)
    return 'type must not be 2 beside speed: the network does not have the feature eip1559';
  if (access_list !== null && type === 0) return 'access_list must not be given for type 0';
  if (type === 4 && authorization_list === null) return 'authorization_list is required for type 4';
  if (authorization_list === null) return undefined;
  if (type !== null && type !== 4) return `authorization_list must not be given for type ${type}`;
  if (gasPrice !== null) return 'gas_price must not be given beside authorization_list';
  if (to === null) return 'to must not be null beside authorization_list: type 4 creates no contract';
  if (authorization_list.length === 0) return 'authorization_list must not be empty';
  const foreign = AUTHORIZATION_LIST.read(authorization_list, 'authorization_list').findIndex(
    ({ chain_id }) => chain_id !== 0n && chain_id !== chainId,
  );
  return foreign === -1
    ? undefined
    : `authorization_list[${foreign}].chain_id must be 0 or ${chainId}, that of the relayer's network`;
}

const given = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * No chain has 2^128 wei, so no account can pay more. Up to 2^256-1, nodes would refuse it because the sum of value and
 * fees overflows, and later nonces would wait for it.
 */
function readValue(value: unknown): string {
  const amount = parseInteger(value);
  if (amount !== undefined && amount <= UINT128_MAX) return amount.toString();
  const rule = given(value) ? 'must be' : 'is required:';
  throw invalidRequest(
    `value ${rule} wei as a JSON integer, a decimal string, or 0x and hex digits, up to 2^128-1`,
  );
}

function readData(value: unknown): string | null {
  if (!given(value)) return null;
  const text = value === '' ? '0x' : value;
  // Clients of the API that this one is compatible with may omit the prefix.
  const hex = typeof text === 'string' && !text.startsWith('0x') ? `0x${text}` : text;
  return `0x${CALLDATA.read(hex, 'data').toString('hex')}`;
}

function readAmount(body: Fields, name: string, max: bigint): string | null {
  const value = body[name];
  if (!given(value)) return null;
  const amount = parseBigInteger(value);
  if (amount !== undefined && amount <= max) return amount.toString();
  throw invalidRequest(`${name} must be a JSON integer or a decimal string from 0 to ${max}`);
}

function readType(value: unknown): TransactionType | null {
  if (!given(value)) return null;
  if (value === 0 || value === 1 || value === 2 || value === 4) return value;
  throw invalidRequest('type must be 0, 1, 2 or 4');
}

function readSpeed(value: unknown): Speed | null {
  if (!given(value)) return null;
  const speed = SPEEDS.find((each) => each === value);
  if (speed) return speed;
  throw invalidRequest(`speed must be one of ${SPEEDS.join(', ')}`);
}

function readSimulate(value: unknown): boolean | null {
  if (!given(value)) return null;
  if (typeof value === 'boolean') return value;
  throw invalidRequest('simulate must be a boolean');
}

/** Stored as given: it is parsed again, by the same rules, for each attempt. */
function readList(body: Fields, name: string, member: Member<unknown>): object[] | null {
  const value = body[name];
  if (!given(value)) return null;
  member.read(value, name);
  return value as object[];
}

/** What a signature adds to a transaction of type 1 or higher: y_parity, r and s, with their prefixes. */
const SIGNATURE_BYTES = 67;

/** Whether an unsigned transaction is larger than nodes commonly accept once it has its signature. */
export const isOversized = (bytes: number): boolean => bytes + SIGNATURE_BYTES > MAX_TRANSACTION_BYTES;
