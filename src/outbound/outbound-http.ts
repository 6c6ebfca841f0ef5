import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent } from 'undici';
import { BytePieces } from '../common/http/byte-pieces';
import { type ExchangeOptions, outboundAgent } from './outbound-agent';
import { Deadline } from './deadline';
import { type DestinationPurpose, failure } from './destination';
import { OutboundConnector } from './outbound-connector';
import { OutboundError } from './outbound-error';
import { OutboundExchange } from './outbound-exchange';
import type { OutboundResponse, OutboundQuestion, OutboundRequest } from './outbound-message';
import { type OutboundTarget, parseTarget } from './outbound-target';
import { ResponseBuffers } from './response-buffers';

export type { OutboundResponse, OutboundQuestion, OutboundRequest } from './outbound-message';

/** The two kinds of requests in one form. */
interface Call extends OutboundQuestion {
  method: 'GET' | 'POST';
  body: string | Buffer | null;
}

/** Calls to one origin that are in progress or wait for a connection. @limit Outgoing calls */
const MAX_CALLS_PER_ORIGIN = 16_384;

/** Connections of one purpose: one that was allowed for a purpose carries nothing for another. */
interface Agents {
  kept: Agent;
  fresh: Agent;
}

/** The only way in which the service calls addresses that users gave. */
@Injectable()
export class OutboundHttp implements OnApplicationShutdown {
  private readonly buffers = new ResponseBuffers();
  private readonly agents = new Map<DestinationPurpose, Agents>();
  private readonly calls = new Map<string, number>();

  constructor(private readonly connector: OutboundConnector) {}

  /**
   * Posts over a connection that is kept alive for the next call. Where the other side had closed it meanwhile and
   * answered nothing, the request is repeated once on a new one.
   *
   * @throws OutboundError
   */
  post(request: OutboundRequest): Promise<OutboundResponse> {
    return this.postThen(request, inOwnMemory);
  }

  /**
   * Posts like {@link post}, for large answers: once `read` is done, the memory of the body is used for others, unless the
   * reader keeps it.
   *
   * @throws OutboundError, and whatever `read` throws
   */
  postThen<T>(request: OutboundRequest, read: (answer: OutboundResponse) => T | Promise<T>): Promise<T> {
    return this.call({ method: 'POST', ...request }, read);
  }

  /** Gets in the way in which {@link post} posts. @throws OutboundError */
  get(question: OutboundQuestion): Promise<OutboundResponse> {
    return this.call({ method: 'GET', body: null, ...question }, inOwnMemory);
  }

  async onApplicationShutdown(): Promise<void> {
    const stopped = new OutboundError('aborted', 'The service stops');
    const agents = [...this.agents.values()].flatMap(({ kept, fresh }) => [kept, fresh]);
    await Promise.all(agents.map((agent) => agent.destroy(stopped)));
  }

  private async call<T>(call: Call, read: (answer: OutboundResponse) => T | Promise<T>): Promise<T> {
    const target = parseTarget(call.url, call.purpose);
    const deadline = new Deadline(target.destination, call);
    const calls = (this.calls.get(target.origin) ?? 0) + 1;
    if (calls > MAX_CALLS_PER_ORIGIN) {
      deadline.clear();
      throw failure('connection', target.destination, 'has too many calls under way');
    }
    this.calls.set(target.origin, calls);
    let exchange: OutboundExchange;
    try {
      exchange = await this.exchange(target, call, deadline.signal);
    } finally {
      deadline.clear();
      const left = (this.calls.get(target.origin) ?? 1) - 1;
      if (left > 0) this.calls.set(target.origin, left);
      else this.calls.delete(target.origin);
    }
    try {
      return await read(await exchange.answer);
    } finally {
      exchange.release();
    }
  }

  /** An exchange that has its answer. */
  private async exchange(target: OutboundTarget, call: Call, signal: AbortSignal): Promise<OutboundExchange> {
    const { kept, fresh } = this.agentsFor(call.purpose);
    const first = this.begin(target, call, signal);
    try {
      return await send(kept, target, call, first);
    } catch (error) {
      if (signal.aborted || !first.metClosedConnection) throw error;
      return send(fresh, target, call, this.begin(target, call, signal));
    }
  }

  private agentsFor(purpose: DestinationPurpose): Agents {
    let agents = this.agents.get(purpose);
    if (!agents) {
      agents = {
        kept: outboundAgent(this.connector, { keepAlive: true }),
        fresh: outboundAgent(this.connector, { keepAlive: false }),
      };
      this.agents.set(purpose, agents);
    }
    return agents;
  }

  private begin(target: OutboundTarget, call: Call, signal: AbortSignal): OutboundExchange {
    return new OutboundExchange(target.destination, signal, call, this.buffers);
  }
}

function inOwnMemory(answer: OutboundResponse): OutboundResponse {
  const body = Buffer.concat(answer.pieces.pieces);
  return { ...answer, body, pieces: new BytePieces([body]) };
}

async function send(
  agent: Agent,
  { origin, path, authorization }: OutboundTarget,
  { method, headers, body }: Call,
  exchange: OutboundExchange,
): Promise<OutboundExchange> {
  const options: ExchangeOptions = {
    origin,
    path,
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(authorization !== undefined && { authorization }),
      ...headers,
    },
    body,
    exchange,
  };
  agent.dispatch(options, exchange);
  await exchange.answer;
  return exchange;
}
