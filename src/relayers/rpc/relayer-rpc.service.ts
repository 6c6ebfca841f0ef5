import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error';
import { RateLimit } from '../../common/throttling/rate-limit';
import type { JsonRpcAnswer, JsonRpcError } from '../../networks/rpc/json-rpc';
import { RpcUnavailableError } from '../../networks/rpc/endpoint-error';
import { allowsMethod } from '../../networks/rpc/rpc-methods';
import { type Chain, RelayerChain } from '../chain/relayer-chain';
import type { RelayerEntity } from '../relayer.entity';
import { RelayersService } from '../relayers.service';
import { batchOf, parseRpcRequest, type RpcId, rpcIdOf } from './rpc-request';

/** An answer of JSON-RPC 2.0 to a client. */
export type RpcResponse = { jsonrpc: '2.0'; id: RpcId } & JsonRpcAnswer;

/** Calls of one batch that are under way at once. */
const BATCH_CONCURRENCY = 8;

const INVALID_REQUEST = -32600;
/** EIP-1474: method not supported. */
const METHOD_NOT_SUPPORTED = -32004;

/** Passes JSON-RPC calls on to the nodes of a relayer's network. */
@Injectable()
export class RelayerRpcService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly chain: RelayerChain,
    private readonly rateLimit: RateLimit,
  ) {}

  /**
   * Answers a call, or each call of a batch in its order; each counts as one request. What a node says is passed on as it is, errors included.
   *
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request`,
   * `rate_limited`
   */
  async answer(relayerId: string, body: unknown): Promise<RpcResponse | RpcResponse[]> {
    const relayer = await this.relayers.requireActive(relayerId);
    const chain = await this.chain.require(relayer);
    const batch = batchOf(body);
    if (!batch) return this.answerOne(relayer, chain, body);
    await this.rateLimit.charge(batch.length);
    return inParallel(batch, BATCH_CONCURRENCY, (item) => this.answerItem(relayer, chain, item));
  }

  private async answerItem(relayer: RelayerEntity, chain: Chain, item: unknown): Promise<RpcResponse> {
    try {
      return await this.answerOne(relayer, chain, item);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
      return failed(rpcIdOf(item), { code: INVALID_REQUEST, message: error.detail });
    }
  }

  private async answerOne(
    relayer: RelayerEntity,
    { network, pool }: Chain,
    value: unknown,
  ): Promise<RpcResponse> {
    const { id, ...call } = parseRpcRequest(value);
    if (!allowsMethod(network.rpcMethods, call.method))
      return failed(id, { code: METHOD_NOT_SUPPORTED, message: `Method not allowed: ${call.method}` });
    try {
      const answer = await this.chain.watch(relayer, () => pool.call(call));
      return { jsonrpc: '2.0', id, ...answer };
    } catch (error) {
      if (error instanceof RpcUnavailableError) return failed(id, unavailable(error));
      throw error;
    }
  }
}

const failed = (id: RpcId, error: JsonRpcError): RpcResponse => ({ jsonrpc: '2.0', id, error });

/** The codes that clients of the OpenZeppelin Relayer know. */
function unavailable({ failure }: RpcUnavailableError): JsonRpcError {
  if (failure === 'timeout') return { code: -33000, message: 'Request timeout' };
  return failure === 'rate_limited' || failure === 'overloaded'
    ? { code: -33001, message: 'Rate limited' }
    : { code: -33002, message: 'Bad gateway' };
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
