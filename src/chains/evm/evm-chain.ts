import { UINT64_MAX } from '../../common/validation/big-integer';
import { type JsonRpcResponse, MalformedResponseError } from '../rpc/json-rpc';
import type { RpcChain } from '../rpc/rpc-chain';
import { evmCall } from './evm-call';
import { ownerOf } from './node-errors';
import { parseQuantity } from './quantity';
import { isSharedRead } from './rpc-methods';

/** An EVM chain as its endpoints see it. @param chainId as in EIP-155 */
export const evmChain = (chainId: bigint): RpcChain => ({
  id: chainId.toString(),
  probe: evmCall('eth_chainId', []),
  readId: readChainId,
  ownerOf,
  isSharedRead,
});

function readChainId(response: JsonRpcResponse): string {
  if ('error' in response) throw new MalformedResponseError('to eth_chainId is an error');
  return parseQuantity(response.result, UINT64_MAX).toString();
}
