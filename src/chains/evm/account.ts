import type { InternalCall } from '../rpc/internal-call';
import { evmCall } from './evm-call';
import type { JsonRpcResponse } from '../rpc/json-rpc';
import { parseQuantity } from './quantity';
import type { RpcPool } from '../rpc/rpc-pool';

const UINT64_MAX = 2n ** 64n - 1n;
const UINT256_MAX = 2n ** 256n - 1n;

/** The node understood the call and refused it. */
export class NodeRefusedError extends Error {
  constructor(code: number) {
    super(`The node refused the call (code ${code})`);
    this.name = 'NodeRefusedError';
  }
}

/** The number of transactions that an account has sent, which is its next nonce. @throws RpcUnavailableError, NodeRefusedError */
export function readNonce(pool: RpcPool, address: string): Promise<bigint> {
  return readQuantity(pool, evmCall('eth_getTransactionCount', [address, 'latest']), UINT64_MAX);
}

/** In wei. @throws RpcUnavailableError, NodeRefusedError */
export function readBalance(pool: RpcPool, address: string): Promise<bigint> {
  return readQuantity(pool, evmCall('eth_getBalance', [address, 'latest']), UINT256_MAX);
}

async function readQuantity(pool: RpcPool, call: InternalCall, max: bigint): Promise<bigint> {
  const result = await pool.read(call, (response) => parse(response, max));
  if (result instanceof NodeRefusedError) throw result;
  return result;
}

function parse(response: JsonRpcResponse, max: bigint): bigint | NodeRefusedError {
  return 'error' in response
    ? new NodeRefusedError(response.error.code)
    : parseQuantity(response.result, max);
}
