import type { Socket } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { OutboundConnector } from './outbound-connector';
import type { OutboundExchange } from './outbound-exchange';

/** Open connections to one origin, and as many for the calls of `…/rpc`. @limit Outgoing calls */
const CONNECTIONS_PER_ORIGIN = 64;
/** Time after which an idle connection to an origin is closed. @limit Outgoing calls */
const IDLE_MS = 30_000;

/** A request and the exchange that waits for its response. */
export interface ExchangeOptions extends Dispatcher.DispatchOptions {
  exchange: OutboundExchange;
}

/**
 * Connections by origin: at most 64 per origin, each with one exchange at a time; further requests wait. Origins
 * without connections are dropped.
 *
 * @param keepAlive whether connections are reused
 */
export function outboundAgent(connector: OutboundConnector, { keepAlive }: { keepAlive: boolean }): Agent {
  return new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: keepAlive ? 1 : 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // The exchange has a single timeout of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin: string | URL, options: object) =>
      new Pool(origin, {
        ...options,
        factory: (poolOrigin: URL, clientOptions: object) =>
          new OutboundClient(poolOrigin, clientOptions, connector),
      }),
  });
}

interface Connection {
  exchange?: OutboundExchange;
  socket?: Socket;
}

/** One connection. It is opened for an exchange, and opening it is aborted along with that exchange. */
class OutboundClient extends Client {
  private readonly current: Connection;

  constructor(origin: URL, options: Client.Options, connector: OutboundConnector) {
    const current: Connection = {};
    const connect: buildConnector.connector = (_to, callback) => {
      const exchange = current.exchange;
      if (!exchange) {
        callback(new Error('There is no exchange to connect for'), null);
        return;
      }
      connector.connect(exchange.destination, exchange.signal).then(
        (socket) => {
          current.socket = socket;
          callback(null, socket);
        },
        (error: unknown) => callback(error as Error, null),
      );
    };
    super(origin, { ...options, connect });
    this.current = current;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { exchange } = options as ExchangeOptions;
    // The exchange timed out in the queue, so no connection is opened for it.
    if (exchange.signal.aborted) return true;
    this.current.exchange = exchange;
    exchange.via = this.current;
    return super.dispatch(options, handler);
  }
}
