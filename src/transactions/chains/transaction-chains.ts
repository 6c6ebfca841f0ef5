import { Injectable } from '@nestjs/common';
import { EvmTransactionChain } from '../../chains/evm/sending/evm-transaction-chain';
import type { RpcPool } from '../../chains/rpc/rpc-pool';
import type { NetworkEntity } from '../../networks/network.entity';
import { NetworksService } from '../../networks/networks.service';
import { RpcPools } from '../../networks/rpc-pools';
import { RelayerChain } from '../../relayers/chain-access/relayer-chain';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { Chain } from '../processing/lane-context';

/** The number of blocks after which a transaction is final, unless the network configures it. */
const DEFAULT_CONFIRMATIONS = 12;

interface KnownChain {
  key: string;
  privatePool: RpcPool | undefined;
  chain: Chain;
}

/**
 * The chains on which transactions are sent. Relayers with the same endpoints share a chain object and everything it
 * has read.
 */
@Injectable()
export class TransactionChains {
  private readonly chains = new WeakMap<RpcPool, KnownChain>();

  constructor(
    private readonly relayerChain: RelayerChain,
    private readonly networks: NetworksService,
    private readonly pools: RpcPools,
  ) {}

  /** @throws DomainError `invalid_request` for a relayer that can only sign */
  async of(relayer: ActingRelayer): Promise<Chain> {
    return (await this.accessOf(relayer)).chain;
  }

  /** The chain of a relayer and its network. @throws DomainError as {@link of} */
  async accessOf(relayer: ActingRelayer): Promise<{ chain: Chain; network: NetworkEntity }> {
    const { network, pool } = await this.relayerChain.getOrThrow(relayer);
    return { network, chain: this.chainOf(network, pool) };
  }

  private chainOf(network: NetworkEntity, pool: RpcPool): Chain {
    const privatePool = this.pools.poolOf(network, this.networks.privateRpcUrlsOf(network), 'private');
    const { requiredConfirmations, averageBlocktimeMs, features, tags, chainId } = network;
    const { privateFallbackBlocks, fees } = network;
    const key = JSON.stringify([
      ...[requiredConfirmations, averageBlocktimeMs],
      ...[features, tags, privateFallbackBlocks, fees],
    ]);
    const known = this.chains.get(pool);
    if (known?.key === key && known.privatePool === privatePool) return known.chain;
    const chain = new EvmTransactionChain(
      { public: pool, private: privatePool },
      {
        chainId: chainId ?? '',
        requiredConfirmations: requiredConfirmations ?? DEFAULT_CONFIRMATIONS,
        averageBlocktimeMs,
        features,
        tags,
        privateFallbackBlocks,
        fees,
      },
    );
    this.chains.set(pool, { key, privatePool, chain });
    return chain;
  }
}
