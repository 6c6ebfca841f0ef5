import { EndpointError, RpcUnavailableError } from '../../rpc/endpoint-error';
import type { JsonRpcError, JsonRpcResponse } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { textOf } from '../error-text';
import { loggableText } from '../loggable-text';
import { parseHash } from './response-values';
import type { SendCause } from '../../send-cause';
import type { OutgoingAttempt } from '../../transaction-chain';
import { type RefusalCause, rowOf } from './send-errors';

/**
 * What a node's error means for the transaction that was sent. Only its text is considered, because providers replace
 * codes.
 */
export function causeOfSendError(error: JsonRpcError): RefusalCause {
  return rowOf(textOf(error))?.cause ?? 'unknown';
}

/**
 * Sends signed transactions in order, as one batch if the node supports batches. A node that returns a different hash
 * has accepted the transaction as well: some chains compute the hash in their own way. An endpoint that says that they
 * are for another chain rests until its chain has been verified.
 *
 * @param transactions `raw` as `0x` and hex digits, and the hash in lower case
 * @returns the result for each; `unavailable` for all if it is not known for all; `unknown` for all if no endpoint
 * takes transactions of the chain
 */
export async function sendRaw(pool: RpcPool, transactions: readonly OutgoingAttempt[]): Promise<SendCause[]> {
  const calls = transactions.map(({ raw }) => evmCall('eth_sendRawTransaction', [raw]));
  const read = (response: JsonRpcResponse, index: number): SendCause => {
    const sent = transactions[index];
    if ('error' in response) {
      const cause = causeOfSendError(response.error);
      const isWrongChain = cause === 'wrong_chain';
      sent?.refused?.(isWrongChain ? 'unknown' : cause, loggableText(response.error));
      if (isWrongChain)
        throw new EndpointError('wrong_chain', 'The endpoint says that transactions are for another chain');
      return cause;
    }
    if (response.result !== sent?.hash) parseHash(response.result);
    return 'accepted';
  };
  try {
    return await pool.readAll(calls, read, true);
  } catch (error) {
    if (!(error instanceof RpcUnavailableError)) throw error;
    // Then none was sent: it would be wrong to say that it perhaps was.
    const cause = error.failure === 'wrong_chain' ? 'unknown' : 'unavailable';
    return transactions.map((): SendCause => cause);
  }
}
