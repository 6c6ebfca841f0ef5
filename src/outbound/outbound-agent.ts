import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import { getOrCreate } from '../common/get-or-create';
import type { OutboundConnector } from './outbound-connector';
import type { OutboundExchange } from './outbound-exchange';

/** Time after which an idle connection to an origin is closed. @limit Outgoing calls */
const IDLE_MS = 30_000;

/** A request and the exchange that waits for its response. */
export interface ExchangeOptions extends Dispatcher.DispatchOptions {
  origin: string;
  exchange: OutboundExchange;
}

/**
 * Connections by origin, each with one exchange at a time; requests beyond the limit wait. undici's Agent
 * forgets a pool that has no open connection when an attempt to connect fails, even if other attempts are in progress.
 */
export class OutboundAgent {
  /** Only of origins with connections, or with requests that wait for one. */
  private readonly pools = new Map<string, Pool>();
  private readonly options: Pool.Options;

  /**
   * @param keepAlive whether connections are reused
   * @param connections the maximum number to one origin, open or being opened
   */
  constructor(
    private readonly connector: OutboundConnector,
    { keepAlive, connections }: { keepAlive: boolean; connections: number },
  ) {
    this.options = {
      connections,
      pipelining: keepAlive ? 1 : 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The exchange has a single timeout of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
  }

  dispatch(options: ExchangeOptions): void {
    const { origin, exchange } = options;
    if (exchange.signal.aborted) return;
    getOrCreate(this.pools, origin, () => this.createPool(origin)).dispatch(options, exchange);
  }

  /** @param error the error of the exchanges in progress */
  async destroy(error: Error): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy(error)));
  }

  private createPool(origin: string): Pool {
    const pool: Pool = new Pool(origin, {
      ...this.options,
      factory: (poolOrigin, options) => new OutboundClient(poolOrigin, options, this.connector, pool),
    });
    const dropIfUnused = (): void => {
      const { connected, size } = pool.stats;
      if (connected === 0 && size === 0 && this.pools.get(origin) === pool) this.pools.delete(origin);
    };
    return pool.on('disconnect', dropIfUnused).on('connectionError', dropIfUnused);
  }
}

interface Connection {
  exchange?: OutboundExchange;
  socket?: Socket;
}

/** One connection. It is opened for an exchange, and opening it is aborted along with that exchange. */
class OutboundClient extends Client {
  private readonly current: Connection;
  private couldNotConnect = false;

  constructor(
    origin: URL,
    options: Client.Options,
    connector: OutboundConnector,
    private readonly pool: Pool,
  ) {
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
    this.on('connectionError', () => {
      this.couldNotConnect = true;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { exchange } = options as ExchangeOptions;
    // The exchange timed out in the queue, so no connection is opened for it.
    if (exchange.signal.aborted) return true;
    // The pool no longer counts this client, but passes it the request that has waited longest.
    if (this.couldNotConnect) return this.pool.dispatch(options, handler);
    this.current.exchange = exchange;
    exchange.via = this.current;
    return super.dispatch(options, handler);
  }
}
