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
 * Sends signed transactions in their order, together where endpoints take batches. A node that returns another hash has accepted
 * it too: some hash in their own way.
 *
 * @param attempts `raw` is the serialized transaction, `0x` and hex digits, and `hash` its hash in lower case
 * @returns what became of each, in their order
 */
export async function sendAllRaw(
  pool: RpcPool,
  attempts: readonly { raw: string; hash: string }[],
): Promise<SendCause[]> {
  const calls = attempts.map(({ raw }) => evmCall('eth_sendRawTransaction', [raw]));
  try {
    return await pool.readAll(calls, (response, index): SendCause => {
      if ('error' in response) return causeOfSendError(response.error);
      if (response.result !== attempts[index]?.hash) parseHash(response.result);
      return 'accepted';
    });
  } catch (error) {
    if (error instanceof RpcUnavailableError) return attempts.map(() => 'unavailable');
    throw error;
  }
}

/** {@link sendAllRaw} for one. */
export async function sendRaw(pool: RpcPool, raw: string, hash: string): Promise<SendCause> {
  const [cause = 'unavailable'] = await sendAllRaw(pool, [{ raw, hash }]);
  return cause;
}
