import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error';
import { RateLimit } from '../../common/throttling/rate-limit';
import type { JsonRpcAnswer, JsonRpcCall } from '../../networks/rpc/json-rpc';
import { RpcUnavailableError } from '../../networks/rpc/endpoint-error';
import { allowsMethod } from '../../networks/rpc/rpc-methods';
import { RelayerChain } from '../chain/relayer-chain';
import { RelayersService } from '../relayers.service';
import { BatchLimits } from './batch-limits';
import { batchOf, parseRpcRequest, rpcIdOf } from './rpc-request';
import { failed, type RpcResponse, unavailable } from './rpc-response';

/** Calls of one batch that are under way at once. */
const BATCH_CONCURRENCY = 8;

const INVALID_REQUEST = -32600;
/** EIP-1474: method not supported. */
const METHOD_NOT_SUPPORTED = -32004;

/** Asks the chain. @throws RpcUnavailableError */
type Ask = (call: JsonRpcCall) => Promise<JsonRpcAnswer>;

/** Passes JSON-RPC calls on to the nodes of a relayer's network. */
@Injectable()
export class RelayerRpcService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly chain: RelayerChain,
    private readonly rateLimit: RateLimit,
  ) {}

  /**
   * Answers a call, or each call of a batch in its order; each counts as one request. What a node says is passed on as it is,
   * errors included.
   *
   * @returns JSON: text takes a fraction of the memory of the values in it
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request`,
   * `rate_limited`
   */
  async answer(relayerId: string, body: unknown): Promise<string> {
    const relayer = await this.relayers.requireActive(relayerId);
    const { network, pool } = await this.chain.require(relayer);
    const ask: Ask = (call) => this.chain.watch(relayer, () => pool.call(call));
    const batch = batchOf(body);
    if (!batch) return JSON.stringify(await answerOne(body, network.rpcMethods, ask));
    await this.rateLimit.charge(batch.length);
    const limits = new BatchLimits();
    const askWithin: Ask = (call) => limits.ask(() => ask(call));
    const texts = await inParallel(batch, BATCH_CONCURRENCY, async (item) =>
      limits.write(await answerItem(item, network.rpcMethods, askWithin)),
    );
    return `[${texts.join(',')}]`;
  }
}

async function answerItem(item: unknown, allowed: string[] | null, ask: Ask): Promise<RpcResponse> {
  try {
    return await answerOne(item, allowed, ask);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    return failed(rpcIdOf(item), { code: INVALID_REQUEST, message: error.detail });
  }
}

/** @throws DomainError `invalid_request` */
async function answerOne(value: unknown, allowed: string[] | null, ask: Ask): Promise<RpcResponse> {
  const { id, ...call } = parseRpcRequest(value);
  if (!allowsMethod(allowed, call.method))
    return failed(id, { code: METHOD_NOT_SUPPORTED, message: `Method not allowed: ${call.method}` });
  try {
    return { jsonrpc: '2.0', id, ...(await ask(call)) };
  } catch (error) {
    if (error instanceof RpcUnavailableError) return failed(id, unavailable(error));
    throw error;
  }
}

/** Maps items in their order, `limit` of them at a time. */
async function inParallel<T, R>(items: T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
