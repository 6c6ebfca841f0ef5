import { UINT64_MAX } from '../../../common/validation/big-integer';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { InternalCall } from '../../rpc/internal-call';
import { type JsonRpcError, MalformedResponseError } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { textOf } from '../error-text';
import { evmCall } from '../evm-call';
import { parseQuantity, toHex } from '../quantity';
import type { TRANSACTIONS } from '../transaction/unsigned-transaction';
import { parseBytes } from './response-values';
import { type Revert, revertOf } from './revert';
import type { SendCause } from '../../send-cause';
import { causeOfSendError } from './send-result';

type Members = ReturnType<(typeof TRANSACTIONS)[4]['read']>;

/** The execution of a transaction. */
export interface ExecutionCall {
  from: string;
  /** Null creates a contract. */
  to: string | null;
  /** In wei. */
  value: bigint;
  /** `0x` and hex digits. */
  data: string;
  accessList?: Members['access_list'];
  authorizationList?: Members['authorization_list'];
}

/** Why a node did not execute a call; `out_of_gas` if no amount of gas within the limit suffices. */
export type Refusal = SendCause | 'out_of_gas';

export type Failure = { reverted: Revert } | { refused: Refusal };

/** Every response was too large, although the result should be a number: the contract returned too much. */
const TOO_LARGE: Revert = { reason: 'execution reverted with more data than is read', data: null };

/** The gas that a transaction would use at the newest block. @throws RpcUnavailableError */
export function estimateGas(pool: RpcPool, call: ExecutionCall): Promise<{ gas: bigint } | Failure> {
  return estimateBy('eth_estimateGas', pool, call, (result) => ({ gas: parseGas(result) }));
}

/**
 * A node's estimate for a transaction, by a method whose only parameter is the call.
 *
 * @throws RpcUnavailableError
 */
export async function estimateBy<T>(
  method: 'eth_estimateGas' | 'zks_estimateFee',
  pool: RpcPool,
  call: ExecutionCall,
  parse: (result: unknown) => T,
): Promise<T | Failure> {
  try {
    return await execute(pool, evmCall(method, [toJson(call)]), parse);
  } catch (error) {
    if (error instanceof RpcUnavailableError && error.failure === 'too_large') return { reverted: TOO_LARGE };
    throw error;
  }
}

/**
 * Executes a call in the state after a block, to find out why a transaction reverted there.
 *
 * @param blockTag `latest`, or the number of a block as `0x` and hex digits
 * @returns the contract's return data, as `0x` and hex digits
 * @throws RpcUnavailableError
 */
export function callAt(
  pool: RpcPool,
  call: ExecutionCall,
  blockTag: string,
): Promise<{ returned: string } | Failure> {
  return execute(pool, evmCall('eth_call', [toJson(call), blockTag]), (result) => ({
    returned: parseBytes(result),
  }));
}

function execute<T>(pool: RpcPool, call: InternalCall, parse: (result: unknown) => T): Promise<T | Failure> {
  return pool.read(call, (response) =>
    'error' in response ? failureOf(response.error) : parse(response.result),
  );
}

function failureOf(error: JsonRpcError): Failure {
  const reverted = revertOf(error);
  if (reverted) return { reverted };
  if (/gas required exceeds|out of gas|gas spent exceeded/i.test(textOf(error)))
    return { refused: 'out_of_gas' };
  return { refused: causeOfSendError(error) };
}

/** @throws MalformedResponseError */
export function parseGas(result: unknown): bigint {
  const gas = parseQuantity(result, UINT64_MAX);
  if (gas === 0n) throw new MalformedResponseError('estimates no gas');
  return gas;
}

function toJson({ from, to, value, data, accessList, authorizationList }: ExecutionCall): object {
  return {
    from,
    ...(to !== null && { to }),
    value: toHex(value),
    data,
    ...(accessList && accessList.length > 0 && { accessList: accessList.map(accessToJson) }),
    ...(authorizationList &&
      authorizationList.length > 0 && { authorizationList: authorizationList.map(authorizationToJson) }),
  };
}

function accessToJson({ address, storage_keys }: Members['access_list'][number]): object {
  return { address, storageKeys: storage_keys.map((key) => `0x${key.toString('hex')}`) };
}

function authorizationToJson(authorization: Members['authorization_list'][number]): object {
  const { chain_id, address, nonce, y_parity, r, s } = authorization;
  return {
    chainId: toHex(chain_id),
    address,
    nonce: toHex(nonce),
    yParity: toHex(y_parity),
    r: toHex(r),
    s: toHex(s),
  };
}
