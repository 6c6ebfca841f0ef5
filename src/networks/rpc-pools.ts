import { Inject, Injectable, Logger } from '@nestjs/common';
import type { NetworkEntity } from './network.entity';
import type { RpcUrl } from './rpc-urls';
import { evmChain } from '../chains/evm/evm-chain';
import type { CallJournal } from '../chains/rpc/call-journal';
import type { EndpointError } from '../chains/rpc/endpoint-error';
import { RpcEndpoint, type EndpointState } from '../chains/rpc/rpc-endpoint';
import { recall } from '../common/set-newest';
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
  private readonly logger = new Logger(RpcPools.name);
  private readonly endpoints = new Map<string, RpcEndpoint>();
  private readonly pools = new Map<string, RpcPool>();
  /** The endpoints that at least one network has; clients have chosen the others. */
  private readonly ofNetworks = new WeakSet<RpcEndpoint>();
  /** The endpoints that are not used since a failure. */
  private readonly failed = new WeakSet<RpcEndpoint>();

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
      const changed = this.report.bind(this, name);
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

  private report(network: string, endpoint: RpcEndpoint, state: EndpointState, cause?: EndpointError): void {
    const fields = { network, endpoint: endpoint.place };
    if (state === 'ready') {
      const isFirst = !this.failed.delete(endpoint);
      this.logger.log(isFirst ? 'RPC endpoint is in use' : 'RPC endpoint is in use again', fields);
      return;
    }
    this.failed.add(endpoint);
    if (state === 'wrong_chain')
      this.logger.error('RPC endpoint serves another chain and is not used', {
        ...fields,
        cause: cause?.message,
      });
    else
      this.logger.warn('RPC endpoint failed and is not used for a while', {
        ...fields,
        failure: cause?.failure,
        cause: cause?.message,
      });
  }
}
