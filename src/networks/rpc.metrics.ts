import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { NetworkEntity } from './network.entity';
import { AbandonedCallError, EndpointError, type EndpointFailure } from '../chains/rpc/endpoint-error';
import type { JsonRpcCall } from '../chains/rpc/json-rpc';
import type { NodeBatch } from '../chains/rpc/response/node-batch';
import type { NodeResponse } from '../chains/rpc/response/node-response';
import { methodClass } from '../chains/evm/rpc-methods';
import type { RpcPool } from '../chains/rpc/rpc-pool';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/**
 * This instance is not notified if another one deletes a network, so networks are dropped when they are no longer used.
 */
const SHOWN_FOR_MS = 3_600_000;

type Outcome = EndpointFailure | 'ok' | 'node_error';

interface ShownPool {
  network: string;
  pool: RpcPool;
  usedAt: number;
}

/**
 * Counts and times calls to nodes, and exposes the state of the networks' endpoints. Only operators create networks, so
 * they are a closed set.
 */
@Injectable()
export class RpcMetrics {
  private readonly calls: Histogram<'network' | 'method_class' | 'outcome'>;
  private readonly failOvers: Counter<'network'>;
  /** By network id. */
  private readonly shown = new Map<string, ShownPool>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.calls = new Histogram({
      name: 'rpc_call_duration_seconds',
      help: 'Exchanges with RPC endpoints; method_class is read, call, logs, send or other; outcome is ok, node_error, or how the endpoint failed',
      labelNames: ['network', 'method_class', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.failOvers = new Counter({
      name: 'rpc_failovers_total',
      help: 'Calls that moved on to another endpoint',
      labelNames: ['network'],
      registers,
    });
    const shown = this.shown;
    new Gauge({
      name: 'rpc_endpoints',
      aggregator: 'max',
      help: "1 for the state of each of a network's own endpoints that this instance used within the hour, by position in its list",
      labelNames: ['network', 'position', 'state'],
      registers,
      collect() {
        this.reset();
        for (const [id, { network, pool, usedAt }] of shown) {
          if (performance.now() - usedAt > SHOWN_FOR_MS) shown.delete(id);
          else
            for (const [index, { endpoint }] of pool.members.entries())
              this.set({ network, position: index + 1, state: endpoint.state }, 1);
        }
      },
    });
  }

  observe(network: string, method: string, exchange: () => Promise<NodeResponse>): Promise<NodeResponse> {
    return this.time(network, method, exchange, (response) => !('error' in response));
  }

  /** A batch counts as one exchange, with the method of its first call. */
  observeBatch(
    network: string,
    [first]: readonly JsonRpcCall[],
    exchange: () => Promise<NodeBatch | undefined>,
  ): Promise<NodeBatch | undefined> {
    return this.time(network, first?.method ?? '', exchange, (batch) => batch !== undefined);
  }

  private async time<T>(
    network: string,
    method: string,
    exchange: () => Promise<T>,
    isOk: (response: T) => boolean,
  ): Promise<T> {
    const stop = this.calls.startTimer({ network, method_class: methodClass(method) });
    let outcome: Outcome | undefined = 'connection';
    try {
      const response = await exchange();
      outcome = isOk(response) ? 'ok' : 'node_error';
      return response;
    } catch (error) {
      if (error instanceof EndpointError) outcome = error.failure;
      else if (error instanceof AbandonedCallError) outcome = undefined;
      throw error;
    } finally {
      if (outcome) stop({ outcome });
    }
  }

  countFailOver(network: string): void {
    this.failOvers.inc({ network });
  }

  /** Exposes the endpoints in a network's current pool. */
  show({ id, name }: NetworkEntity, pool: RpcPool): void {
    this.shown.set(id, { network: name, pool, usedAt: performance.now() });
  }

  /** Drops a network whose endpoints were removed or replaced. New ones are exposed when they are used. */
  forget(networkId: string): void {
    this.shown.delete(networkId);
  }
}
