import { Inject, Injectable, Logger } from '@nestjs/common';
import type { NetworkEntity } from './network.entity';
import type { RpcUrl } from './rpc-urls';
import { evmChain } from '../chains/evm/evm-chain';
import type { CallJournal } from '../chains/rpc/call-journal';
import { type EndpointEvents, RpcEndpoint } from '../chains/rpc/rpc-endpoint';
import { recall } from '../common/set-newest';
import { EndpointLog } from './endpoint-log';
import { RpcMetrics } from './rpc.metrics';
import { RpcPool } from '../chains/rpc/rpc-pool';
import type { RpcTransport } from '../chains/rpc/rpc-transport';

/** Injection token of the {@link RpcTransport}. */
export const RPC_TRANSPORT = Symbol('RpcTransport');
/** Injection token of the {@link CallJournal}. */
export const CALL_JOURNAL = Symbol('CallJournal');

const MAX_ENDPOINTS = 8192;
const MAX_POOLS = 4096;

/** The pools of all networks and relayers, which share the state of each endpoint. */
@Injectable()
export class RpcPools {
  private readonly log = new EndpointLog(new Logger(RpcPools.name));
  private readonly endpoints = new Map<string, RpcEndpoint>();
  private readonly pools = new Map<string, RpcPool>();
  /** The endpoints that at least one network has; clients have chosen the others. */
  private readonly ofNetworks = new WeakSet<RpcEndpoint>();

  constructor(
    @Inject(RPC_TRANSPORT) private readonly transport: RpcTransport,
    private readonly metrics: RpcMetrics,
    @Inject(CALL_JOURNAL) private readonly journal: CallJournal,
  ) {}

  /**
   * The pool of a network's own endpoints, of the endpoints that a relayer uses instead, or of the private endpoints.
   * Undefined if there is no usable endpoint: there are no URLs, all weights are 0, or the chain of the network is
   * unknown.
   */
  poolOf(
    network: NetworkEntity,
    urls: RpcUrl[],
    owner: 'network' | 'relayer' | 'private',
  ): RpcPool | undefined {
    const used = urls.filter(({ weight }) => weight > 0);
    if (network.networkType !== 'evm' || network.chainId === null || used.length === 0) {
      if (owner === 'network') this.metrics.forget(network.id);
      return undefined;
    }
    const chainId = network.chainId;
    const key = JSON.stringify([network.id, chainId, used.map(({ url, weight }) => [url, weight])]);
    const pool = recall(this.pools, key, MAX_POOLS, () => {
      const members = used.map(({ url, weight }) => ({
        endpoint: this.endpoint(network, chainId, url),
        weight,
      }));
      return new RpcPool(members, {
        failedOver: () => this.metrics.countFailOver(network.name),
      });
    });
    if (owner !== 'relayer') for (const { endpoint } of pool.members) this.ofNetworks.add(endpoint);
    if (owner === 'network') this.metrics.show(network, pool);
    return pool;
  }

  private endpoint({ id, name }: NetworkEntity, chainId: string, url: string): RpcEndpoint {
    return recall(this.endpoints, JSON.stringify([id, chainId, url]), MAX_ENDPOINTS, () => {
      const isCustom = (): boolean => !this.ofNetworks.has(endpoint);
      const transport: RpcTransport = {
        call: (to, call, maxBytes, isForwarded) =>
          this.metrics.observe(name, call.method, () =>
            this.transport.call(to, call, maxBytes, isForwarded, isCustom()),
          ),
        callAll: (to, calls, maxBytes) =>
          this.metrics.observeBatch(name, calls, () =>
            this.transport.callAll(to, calls, maxBytes, isCustom()),
          ),
      };
      const changed: EndpointEvents['changed'] = (...change) => this.log.add(name, isCustom(), ...change);
      const { journal } = this;
      const chain = evmChain(BigInt(chainId));
      const endpoint: RpcEndpoint = new RpcEndpoint(
        url,
        chain,
        transport,
        () => performance.now(),
        { changed },
        journal,
      );
      return endpoint;
    });
  }
}
