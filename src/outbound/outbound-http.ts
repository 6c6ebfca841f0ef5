import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { getOrCreate } from '../common/get-or-create';
import { BytePieces } from '../common/http/byte-pieces';
import { TimeLimit } from '../common/event-loop/time-limit';
import { ClientTurns } from '../common/http/client-turns';
import { currentTrace, inSpan } from '../common/tracing/spans';
import { traceHeaders } from '../common/tracing/trace-context';
import { type ExchangeOptions, OutboundAgent } from './outbound-agent';
import { failure } from './destination';
import { OutboundConnector } from './outbound-connector';
import { OutboundError } from './outbound-error';
import { OutboundExchange } from './outbound-exchange';
import type { OutboundResponse, OutboundGetRequest, OutboundRequest } from './outbound-message';
import { type OutboundTarget, parseTarget } from './outbound-target';
import { ResponseBuffers } from './response-buffers';

/** A GET or POST request. */
interface Call extends OutboundGetRequest {
  method: 'GET' | 'POST';
  body: string | Buffer | null;
}

/** Calls to one origin that are in progress or wait for a connection. @limit Outgoing calls */
const MAX_CALLS_PER_ORIGIN = 16_384;
/** Connections to one origin for the service's own calls, open or being opened. @limit Outgoing calls */
const OWN_PER_ORIGIN = 64;
/** Connections to one origin for `…/rpc` and simulations of requests. @limit Outgoing calls */
const FORWARDED_PER_ORIGIN = 128;
/**
 * What the calls of one API key may use of them, of what those of all other keys leave; its further calls wait.
 * @limit Outgoing calls
 */
const SHARE_PERCENT = 50;

/**
 * The connections of one purpose, for the service or for clients. A connection that was allowed for one purpose never
 * carries a request for another.
 */
interface Agents {
  kept: OutboundAgent;
  fresh: OutboundAgent;
}

/** The only way in which the service calls URLs that users have configured. */
@Injectable()
export class OutboundHttp implements OnApplicationShutdown {
  private readonly ownBuffers = new ResponseBuffers();
  /** The calls of a batch keep their responses until the last one has ended. */
  private readonly forwardedBuffers = new ResponseBuffers();
  private readonly agents = new Map<string, Agents>();
  private readonly calls = new Map<string, number>();
  private readonly turns = new ClientTurns(FORWARDED_PER_ORIGIN, SHARE_PERCENT);
  /** Set when the service stops. */
  private stopped: OutboundError | undefined;

  constructor(private readonly connector: OutboundConnector) {}

  /**
   * Sends a POST request over a connection that is kept alive. If the server had already closed the connection without
   * a response, the request is repeated once on a new connection.
   *
   * @throws OutboundError
   */
  post(request: OutboundRequest): Promise<OutboundResponse> {
    return this.postThen(request, copyBody);
  }

  /**
   * Like {@link post}, for large responses: once `read` has ended, the memory of the body is reused, unless the reader
   * retains it.
   *
   * @throws OutboundError, or the error of `read`
   */
  postThen<T>(request: OutboundRequest, read: (response: OutboundResponse) => T | Promise<T>): Promise<T> {
    return this.call({ method: 'POST', ...request }, read);
  }

  /** Like {@link post}, but a GET. @throws OutboundError */
  get(request: OutboundGetRequest): Promise<OutboundResponse> {
    return this.call({ method: 'GET', body: null, ...request }, copyBody);
  }

  async onApplicationShutdown(): Promise<void> {
    const stopped = new OutboundError('aborted', 'The service is stopping');
    this.stopped = stopped;
    const agents = [...this.agents.values()].flatMap(({ kept, fresh }) => [kept, fresh]);
    await Promise.all(agents.map((agent) => agent.destroy(stopped)));
  }

  private async call<T>(call: Call, read: (response: OutboundResponse) => T | Promise<T>): Promise<T> {
    const target = parseTarget(call.url, call.purpose, call.isCustom);
    const { hostname, port } = target.destination;
    const attributes = {
      'http.request.method': call.method,
      'server.address': hostname,
      'server.port': port,
    };
    return inSpan(call.operation ?? call.purpose, { kind: 'client', attributes }, (span) =>
      this.callTarget(target, call, (response) => {
        span?.set({ 'http.response.status_code': response.status });
        return read(response);
      }),
    );
  }

  private async callTarget<T>(
    target: OutboundTarget,
    call: Call,
    read: (response: OutboundResponse) => T | Promise<T>,
  ): Promise<T> {
    if (this.stopped) throw this.stopped;
    const { timeoutMs } = call;
    const deadline = new TimeLimit(timeoutMs, call.signal, {
      late: () => failure('timeout', target.destination, `did not respond within ${timeoutMs} ms`),
      aborted: () => failure('aborted', target.destination, 'did not respond before the call was aborted'),
    });
    const calls = (this.calls.get(target.origin) ?? 0) + 1;
    if (calls > MAX_CALLS_PER_ORIGIN) {
      deadline.clear();
      throw failure('connection', target.destination, 'has too many calls in progress');
    }
    this.calls.set(target.origin, calls);
    let exchange: OutboundExchange;
    try {
      exchange = await this.exchangeInTurn(target, call, deadline.signal);
    } finally {
      deadline.clear();
      const left = (this.calls.get(target.origin) ?? 1) - 1;
      if (left > 0) this.calls.set(target.origin, left);
      else this.calls.delete(target.origin);
    }
    try {
      return await read(await exchange.response);
    } finally {
      exchange.release();
    }
  }

  private async exchangeInTurn(
    target: OutboundTarget,
    call: Call,
    signal: AbortSignal,
  ): Promise<OutboundExchange> {
    if (!call.isForwarded) return this.exchange(target, call, signal);
    const endTurn = await this.turns.take(target.origin, call.sharer, signal);
    try {
      return await this.exchange(target, call, signal);
    } finally {
      endTurn();
    }
  }

  /** Returns an exchange whose response has arrived. */
  private async exchange(target: OutboundTarget, call: Call, signal: AbortSignal): Promise<OutboundExchange> {
    const { kept, fresh } = this.agentsFor(call);
    const first = this.begin(target, call, signal);
    try {
      return await send(kept, target, call, first);
    } catch (error) {
      if (signal.aborted || this.stopped || !first.hitClosedConnection) throw error;
      return send(fresh, target, call, this.begin(target, call, signal));
    }
  }

  private agentsFor({ purpose, isForwarded }: Call): Agents {
    const key = isForwarded ? `${purpose} forwarded` : purpose;
    const connections = isForwarded ? FORWARDED_PER_ORIGIN : OWN_PER_ORIGIN;
    return getOrCreate(this.agents, key, () => ({
      kept: new OutboundAgent(this.connector, { keepAlive: true, connections }),
      fresh: new OutboundAgent(this.connector, { keepAlive: false, connections }),
    }));
  }

  private begin(target: OutboundTarget, call: Call, signal: AbortSignal): OutboundExchange {
    const buffers = call.isForwarded ? this.forwardedBuffers : this.ownBuffers;
    const { maxBytes, onTooLarge } = call;
    return new OutboundExchange(target.destination, signal, { maxBytes, onTooLarge }, buffers);
  }
}

function copyBody(response: OutboundResponse): OutboundResponse {
  const body = Buffer.concat(response.pieces.pieces);
  return { ...response, body, pieces: new BytePieces([body]) };
}

async function send(
  agent: OutboundAgent,
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
      ...traceHeaders(currentTrace()),
    },
    body,
    exchange,
  };
  agent.dispatch(options);
  try {
    await exchange.response;
  } catch (error) {
    // If the request still waits for a connection, the agent keeps its options until there is one.
    options.body = null;
    throw error;
  }
  return exchange;
}
