import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { JsonRpcError } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { textOf } from '../error-text';
import { parseHash } from './response-values';
import type { SendCause } from '../../send-cause';
import { rowOf } from './send-errors';

export { SEND_CAUSES, type SendCause } from '../../send-cause';

/** What an error of a node means for the transaction that was sent; its text decides, since providers replace codes. */
export function causeOfSendError(error: JsonRpcError): SendCause {
  return rowOf(textOf(error))?.cause ?? 'unknown';
}

/**
 * Sends a signed transaction. A node that returns another hash has accepted it too: some hash in their own way.
 *
 * @param raw the serialized transaction, `0x` and hex digits
 * @param expectedHash its hash, in lower case
 */
export async function sendRaw(pool: RpcPool, raw: string, expectedHash: string): Promise<SendCause> {
  try {
    return await pool.read(evmCall('eth_sendRawTransaction', [raw]), (response) => {
      if ('error' in response) return causeOfSendError(response.error);
      if (response.result !== expectedHash) parseHash(response.result);
      return 'accepted';
    });
  } catch (error) {
    if (error instanceof RpcUnavailableError) return 'unavailable';
    throw error;
  }
}
