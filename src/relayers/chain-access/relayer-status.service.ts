import { Injectable } from '@nestjs/common';
import { readBalance, readNonce } from '../../chains/evm/account';
import type { RelayerEntity } from '../relayer.entity';
import { RelayersService } from '../relayers.service';
import { RelayerChain } from './relayer-chain';

/** A relayer and the current state of its account on the chain. */
export interface RelayerStatus {
  relayer: RelayerEntity;
  /** In wei. */
  balance: bigint;
  /** The next nonce. */
  nonce: bigint;
}

/** Reads the accounts of relayers from the chain, even for relayers that are paused or disabled. */
@Injectable()
export class RelayerStatusService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly chain: RelayerChain,
  ) {}

  /** @throws DomainError `relayer_not_found`, `invalid_request` if it can only sign, `network_unavailable` */
  async status(id: string): Promise<RelayerStatus> {
    const relayer = await this.relayers.getOrThrow(id);
    const { pool } = await this.chain.getOrThrow(relayer);
    const [balance, nonce] = await this.chain.ask(relayer, () =>
      Promise.all([readBalance(pool, relayer.address), readNonce(pool, relayer.address)]),
    );
    return { relayer, balance, nonce };
  }

  /** The balance in wei. @throws DomainError as {@link status} */
  async balance(id: string): Promise<bigint> {
    const relayer = await this.relayers.getOrThrow(id);
    const { pool } = await this.chain.getOrThrow(relayer);
    return this.chain.ask(relayer, () => readBalance(pool, relayer.address));
  }
}
