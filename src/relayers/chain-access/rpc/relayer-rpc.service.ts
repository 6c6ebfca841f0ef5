import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { OngoingAccess } from '../../../access/ongoing-access';
import { DomainError } from '../../../common/errors/domain-error';
import type { BytePieces } from '../../../common/http/byte-pieces';
import { currentRequest } from '../../../common/http/request-context';
import { RawBody } from '../../../common/http/raw-body';
import { RateLimit } from '../../../rate-limits/rate-limit';
import type { AppConfig } from '../../../config/app-config';
import { AbandonedCallError, RpcUnavailableError } from '../../../chains/rpc/endpoint-error';
import { inParallel } from '../../../chains/rpc/in-parallel';
import type { JsonRpcCall, JsonRpcError } from '../../../chains/rpc/json-rpc';
import type { NodeResponse } from '../../../chains/rpc/response/node-response';
import { allowsMethod } from '../../../chains/evm/rpc-methods';
import { RelayerChain } from '../relayer-chain';
import { RelayersService } from '../../relayers.service';
import { BatchLimits } from './batch-limits';
import { CopiedResponses } from './copied-responses';
import { HeldResponses } from './held-responses';
import { batchOf, parseRpcRequest, type RpcId, rpcIdOf } from './rpc-request';
import { batchOfResponses, failed, responseOf, unavailable } from './rpc-response';

/** The number of calls of one batch in progress at the same time. */
const BATCH_CONCURRENCY = 8;

const INVALID_REQUEST = -32600;
/** EIP-1474: resource unavailable. */
const RESOURCE_UNAVAILABLE = -32002;
/** Takes the place of a response for which no client waits any more. */
const REQUEST_OVER: JsonRpcError = { code: RESOURCE_UNAVAILABLE, message: 'The request is over' };
/** EIP-1474: method not supported. */
const METHOD_NOT_SUPPORTED = -32004;

/** Calls the chain and returns the response to the client. @throws RpcUnavailableError */
type Ask = (call: JsonRpcCall, id: RpcId) => Promise<BytePieces>;

/** Forwards JSON-RPC calls to the nodes of a relayer's network. */
@Injectable()
export class RelayerRpcService {
  private readonly maxResponseBytes: number;
  private readonly copies = new CopiedResponses();

  constructor(
    private readonly relayers: RelayersService,
    private readonly chain: RelayerChain,
    private readonly rateLimit: RateLimit,
    private readonly access: OngoingAccess,
    config: ConfigService<AppConfig, true>,
  ) {
    this.maxResponseBytes = config.get('rpc', { infer: true }).maxResponseBytes;
  }

  /**
   * Responds to a call, or to each call of a batch in order; each counts as one request. Results and errors of nodes
   * are forwarded in the bytes in which they were received. A pause, or a change of the API key, ends a batch in
   * progress.
   *
   * @returns JSON
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request`, `rate_limited`
   */
  async respond(relayerId: string, body: unknown): Promise<RawBody> {
    const relayer = await this.relayers.getForChain(relayerId);
    const { network, pool } = await this.chain.getOrThrow(relayer);
    const forward = (call: JsonRpcCall): Promise<NodeResponse> =>
      this.chain.watch(relayer, () => pool.forward(call, this.maxResponseBytes, currentRequest()?.signal));
    const batch = batchOf(body);
    // Without a batch, the limit on connections bounds the number of small responses.
    const held = new HeldResponses(batch && this.copies);
    const ask: Ask = async (call, id) => toResponse(id, held.hold(await forward(call)));
    try {
      if (!batch) return rawBody(await respondToOne(body, network.rpcMethods, ask), held);
      await this.rateLimit.charge(batch.length);
      const askWithin = within(new BatchLimits(this.maxResponseBytes), ask);
      const askNow: Ask = async (call, id) => {
        const refusal = await this.refusalOf(relayerId);
        return refusal ? failed(id, refusal) : askWithin(call, id);
      };
      const responses = await inParallel(batch, BATCH_CONCURRENCY, (item) =>
        respondToItem(item, network.rpcMethods, askNow),
      );
      return rawBody(batchOfResponses(responses), held);
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /**
   * Why a further call of a batch may no longer be made: the relayer was stopped, or the API key was revoked or
   * narrowed. Earlier calls keep their responses.
   */
  private async refusalOf(relayerId: string): Promise<JsonRpcError | undefined> {
    try {
      await this.access.recheck('rpc');
      await this.relayers.getForChain(relayerId);
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { code: RESOURCE_UNAVAILABLE, message: error.message };
    }
  }
}

const rawBody = (bytes: BytePieces, held: HeldResponses): RawBody =>
  new RawBody(
    bytes,
    () => held.release(),
    () => held.handOver(),
  );

const toResponse = (id: RpcId, response: NodeResponse): BytePieces =>
  'error' in response ? responseOf(id, 'error', response.error) : responseOf(id, 'result', response.result);

/** Makes calls within the limits of a batch. */
function within(limits: BatchLimits, ask: Ask): Ask {
  return async (call, id) => {
    const response = await limits.ask(() => ask(call, id));
    return response && limits.admit(response) ? response : failed(id, limits.noRoom);
  };
}

async function respondToItem(item: unknown, allowed: string[] | null, ask: Ask): Promise<BytePieces> {
  try {
    return await respondToOne(item, allowed, ask);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    return failed(rpcIdOf(item), { code: INVALID_REQUEST, message: error.detail });
  }
}

async function respondToOne(value: unknown, allowed: string[] | null, ask: Ask): Promise<BytePieces> {
  const { id, ...call } = parseRpcRequest(value);
  if (!allowsMethod(allowed, call.method))
    return failed(id, { code: METHOD_NOT_SUPPORTED, message: `Method not allowed: ${call.method}` });
  if (currentRequest()?.isOver) return failed(id, REQUEST_OVER);
  try {
    return await ask(call, id);
  } catch (error) {
    if (error instanceof AbandonedCallError) return failed(id, REQUEST_OVER);
    if (error instanceof RpcUnavailableError) return failed(id, unavailable(error));
    throw error;
  }
}
