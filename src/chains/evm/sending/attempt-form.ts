import type { AttemptOrder, Signature, SignedAttempt } from '../../transaction-chain';
import { keccak256Hex } from '../keccak256';
import { serializeSigned } from '../transaction/serialized-transaction';
import {
  ACCESS_LIST,
  AUTHORIZATION_LIST,
  readTransaction,
  type UnsignedTransaction,
} from '../transaction/unsigned-transaction';
import type { ExecutionCall } from './estimate';
import { dynamicFees, type Fees } from './fees';
import type { EvmRequest } from './transaction-request';

/** The parts of an unsigned transaction. */
export interface Unsigned {
  request: Pick<EvmRequest, 'to' | 'value' | 'data' | 'type' | 'access_list' | 'authorization_list'>;
  nonce: number;
  gas: bigint;
  fees: Fees;
}

/** The longest possible values, to measure the size of a transaction before they are known. */
export const PLACEHOLDERS = {
  gas: 2n ** 64n - 1n,
  fees: { kind: 'dynamic', maxFeePerGas: 2n ** 128n - 1n, maxPriorityFeePerGas: 2n ** 128n - 1n },
} satisfies Pick<Unsigned, 'gas' | 'fees'>;

/** A transfer of nothing from an account to itself, which only uses up a nonce. */
export const noop = (sender: string): EvmRequest => ({
  to: sender,
  value: '0',
  data: '0x',
  gas_limit: null,
  type: null,
  speed: 'fast',
  gas_price: null,
  max_fee_per_gas: null,
  max_priority_fee_per_gas: null,
  access_list: null,
  authorization_list: null,
  max_attempts_price: null,
  max_fee: null,
  simulate: null,
});

/** Builds the transaction of a request from its nonce, gas and fees. */
export function unsignedOf(
  chainId: string,
  { request, nonce, gas, fees: given }: Unsigned,
): UnsignedTransaction {
  const { to, value, data, access_list, authorization_list } = request;
  // Types 2 and 4, the only one that can carry an authorization list, have the two prices of EIP-1559.
  const fees = request.type === 2 || authorization_list !== null ? dynamicFees(given) : given;
  const type = typeOf(request, fees);
  const lists = type === 0 ? {} : { ...(access_list && { access_list }) };
  return readTransaction({
    type,
    chain_id: chainId,
    nonce: nonce.toString(),
    gas_limit: gas.toString(),
    to,
    value,
    data: data ?? '0x',
    ...lists,
    ...(type === 4 && { authorization_list }),
    ...(fees.kind === 'legacy'
      ? { gas_price: fees.gasPrice.toString() }
      : {
          max_fee_per_gas: fees.maxFeePerGas.toString(),
          max_priority_fee_per_gas: fees.maxPriorityFeePerGas.toString(),
        }),
  });
}

/** The bytes to send, and the content that clients see. */
export function signedAttempt(
  kind: AttemptOrder['kind'],
  subject: UnsignedTransaction,
  signature: Signature,
): SignedAttempt {
  const serialized = serializeSigned(subject, signature);
  const { members } = subject;
  return {
    raw: `0x${serialized.toString('hex')}`,
    content: {
      hash: keccak256Hex(serialized),
      kind,
      to: members.to,
      value: members.value.toString(),
      gas_limit: members.gas_limit.toString(),
      gas_price: 'gas_price' in members ? members.gas_price.toString() : null,
      max_fee_per_gas: 'max_fee_per_gas' in members ? members.max_fee_per_gas.toString() : null,
      max_priority_fee_per_gas:
        'max_priority_fee_per_gas' in members ? members.max_priority_fee_per_gas.toString() : null,
      signature,
    },
  };
}

/** The execution of a request, for simulation. */
export function callOf(
  from: string,
  { to, value, data, access_list, authorization_list }: EvmRequest,
): ExecutionCall {
  return {
    from,
    to,
    value: BigInt(value),
    data: data ?? '0x',
    ...(access_list && { accessList: ACCESS_LIST.read(access_list, 'access_list') }),
    ...(authorization_list && {
      authorizationList: AUTHORIZATION_LIST.read(authorization_list, 'authorization_list'),
    }),
  };
}

function typeOf({ type, access_list, authorization_list }: Unsigned['request'], fees: Fees): 0 | 1 | 2 | 4 {
  if (fees.kind === 'dynamic') return authorization_list === null ? 2 : 4;
  return type === 1 || access_list !== null ? 1 : 0;
}
