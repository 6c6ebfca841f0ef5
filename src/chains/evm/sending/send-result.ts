import { EndpointError, RpcUnavailableError } from '../../rpc/endpoint-error';
import type { JsonRpcError, JsonRpcResponse } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { textOf } from '../error-text';
import { loggableText } from '../loggable-text';
import { parseHash } from './response-values';
import type { SendCause } from '../../send-cause';
import type { OutgoingAttempt } from '../../transaction-chain';
import { rowOf } from './send-errors';

/**
 * What a node's error means for the transaction that was sent. Only its text is considered, because providers replace
 * codes.
 */
export function causeOfSendError(error: JsonRpcError): SendCause {
  return rowOf(textOf(error))?.cause ?? 'unknown';
}

/**
 * Sends signed transactions in order, as one batch if the node supports batches. A node that returns a different hash
 * has accepted the transaction as well: some chains compute the hash in their own way. An endpoint that says that they
 * are for another chain rests until its chain has been verified.
 *
 * @param transactions `raw` as `0x` and hex digits, and the hash in lower case
 * @returns the result for each; if it is not known for all, `wrong_chain` for those that no endpoint takes for that reason, and
 * `unavailable` for the others
 */
export async function sendRaw(pool: RpcPool, transactions: readonly OutgoingAttempt[]): Promise<SendCause[]> {
  const ofOtherChain = new Set<number>();
  const calls = transactions.map(({ raw }) => evmCall('eth_sendRawTransaction', [raw]));
  const read = (response: JsonRpcResponse, index: number): SendCause => {
    const sent = transactions[index];
    if ('error' in response) {
      const cause = causeOfSendError(response.error);
      sent?.refused?.(cause, loggableText(response.error));
      if (cause === 'wrong_chain') {
        ofOtherChain.add(index);
        throw new EndpointError('wrong_chain', 'The endpoint says that transactions are for another chain');
      }
      return cause;
    }
    if (response.result !== sent?.hash) parseHash(response.result);
    return 'accepted';
  };
  try {
    return await pool.readAll(calls, read, true);
  } catch (error) {
    if (!(error instanceof RpcUnavailableError)) throw error;
    const { failure } = error;
    return transactions.map((_one, i) =>
      failure === 'wrong_chain' && ofOtherChain.has(i) ? 'wrong_chain' : 'unavailable',
    );
  }
}
