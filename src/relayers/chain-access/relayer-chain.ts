import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/errors/domain-error';
import type { NetworkEntity } from '../../networks/network.entity';
import { callFailure, networkHasNoEndpoint } from '../../networks/network.errors';
import type { RpcUrl } from '../../networks/rpc-urls';
import { NetworksService } from '../../networks/networks.service';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { RpcPool } from '../../chains/rpc/rpc-pool';
import { RpcPools } from '../../networks/rpc-pools';
import type { ActingRelayer } from '../relayer.entity';
import { ownEndpointsUnused } from '../relayer.errors';
import { RelayersService } from '../relayers.service';
import { FailingCalls } from './failing-calls';

/** A relayer's network and the endpoints that reach it. */
export interface Chain {
  network: NetworkEntity;
  pool: RpcPool;
}

/** Gives relayers access to their chains. */
@Injectable()
export class RelayerChain {
  constructor(
    private readonly relayers: RelayersService,
    private readonly networks: NetworksService,
    private readonly pools: RpcPools,
    private readonly failingCalls: FailingCalls,
  ) {}

  /** The endpoints that a relayer uses: its own, or those of its network; undefined if it can only sign. */
  async poolOf(relayer: ActingRelayer): Promise<RpcPool | undefined> {
    return this.choosePool(relayer, await this.networkOf(relayer));
  }

  /** @throws DomainError `invalid_request` if the relayer can only sign */
  async getOrThrow(relayer: ActingRelayer): Promise<Chain> {
    if (relayer.networkType !== 'evm')
      throw invalidRequest(`not supported for relayers of network type ${relayer.networkType}`);
    const network = await this.networkOf(relayer);
    const pool = this.choosePool(relayer, network);
    if (!pool) throw this.ownUrlsOf(relayer) ? ownEndpointsUnused() : networkHasNoEndpoint(relayer.network);
    return { network, pool };
  }

  /**
   * Calls the chain for a relayer. Repeated failures cause a check of the relayer.
   *
   * @throws DomainError `network_unavailable`
   */
  async ask<T>(relayer: ActingRelayer, question: () => Promise<T>): Promise<T> {
    try {
      return await this.watch(relayer, question);
    } catch (error) {
      throw callFailure(relayer.network, error);
    }
  }

  /** Like {@link ask}, for callers that report failures in their own form. @throws RpcUnavailableError */
  async watch<T>(relayer: ActingRelayer, question: () => Promise<T>): Promise<T> {
    try {
      const response = await question();
      this.failingCalls.succeeded(relayer.id);
      return response;
    } catch (error) {
      if (error instanceof RpcUnavailableError) this.failingCalls.failed(relayer.id);
      throw error;
    }
  }

  private networkOf({ network, networkType }: ActingRelayer): Promise<NetworkEntity> {
    return this.networks.getByNameOrThrow(network, networkType);
  }

  private choosePool(relayer: ActingRelayer, network: NetworkEntity): RpcPool | undefined {
    const own = this.ownUrlsOf(relayer);
    return own
      ? this.pools.poolOf(network, own, 'relayer')
      : this.pools.poolOf(network, this.networks.rpcUrlsOf(network), 'network');
  }

  private ownUrlsOf(relayer: ActingRelayer): RpcUrl[] | undefined {
    const own = this.relayers.rpcUrlsOf(relayer);
    return own?.length ? own : undefined;
  }
}
