import { UINT256_MAX, UINT64_MAX } from '../../common/validation/big-integer';
import type { RpcPool } from '../rpc/rpc-pool';
import { evmCall } from './evm-call';
import { readResult } from './node-read';
import { parseQuantity } from './quantity';

/**
 * The number of transactions that an account has sent, which is its next nonce.
 *
 * @throws RpcUnavailableError, NodeRefusedError
 */
export function readNonce(pool: RpcPool, address: string): Promise<bigint> {
  return readResult(pool, evmCall('eth_getTransactionCount', [address, 'latest']), (result) =>
    parseQuantity(result, UINT64_MAX),
  );
}

/** The balance of an account in wei. @throws RpcUnavailableError, NodeRefusedError */
export function readBalance(pool: RpcPool, address: string): Promise<bigint> {
  return readResult(pool, evmCall('eth_getBalance', [address, 'latest']), (result) =>
    parseQuantity(result, UINT256_MAX),
  );
}
