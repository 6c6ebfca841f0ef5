import { Injectable } from '@nestjs/common';
import { readBalance, readNonce } from '../../chains/evm/account';
import type { RelayerEntity } from '../relayer.entity';
import { RelayersService } from '../relayers.service';
import { RelayerChain } from './relayer-chain';

/** A relayer and its account on the chain, as it is now. */
export interface RelayerStatus {
  relayer: RelayerEntity;
  /** In wei. */
  balance: bigint;
  /** The nonce of its next transaction. */
  nonce: bigint;
}

/** Reads relayers' accounts from the chain, even for relayers that are paused or disabled. */
@Injectable()
export class RelayerStatusService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly chain: RelayerChain,
  ) {}

  /** @throws DomainError `relayer_not_found`, `invalid_request` where it only signs, `network_unavailable` */
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
