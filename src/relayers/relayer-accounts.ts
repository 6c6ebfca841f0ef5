import { Injectable } from '@nestjs/common';
import { isReachable } from '../access/relayer-reach';
import { AuditLog } from '../audit/audit-log';
import type { DomainError } from '../common/errors/domain-error';
import { orOn } from '../common/errors/or-on';
import type { NetworkType } from '../chains/network-type';
import { ConfigurationError } from '../config/configuration-error';
import { isUniqueViolation } from '../database/drivers/driver-errors';
import { RowAlteredError } from '../database/integrity/row-altered.error';
import { UnitOfWork } from '../database/unit-of-work';
import { networkHasNoChainId } from '../networks/network.errors';
import { NetworksService } from '../networks/networks.service';
import { accountInUse, relayerExists, signerTaken } from './relayer.errors';
import { relayerUpdated } from './relayer-audit';
import { RelayerRows } from './relayer-rows';
import { RelayerEntity } from './relayer.entity';

/** The properties that must be unique among relayers, in various combinations. */
export type RelayerClaim = Pick<RelayerEntity, 'id' | 'signerId' | 'networkType' | 'network' | 'address'>;

/**
 * On EVM, an account is an address on a chain id, regardless of its network and signer. It has only one relayer:
 * policies, pause and nonces belong to the account, and must apply to every one of its signatures. A unique index
 * enforces this.
 */
@Injectable()
export class RelayerAccounts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: RelayerRows,
    private readonly networks: NetworksService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The chain id to store with a new relayer; null on networks that are not EVM. The network is locked until the end of
   * the unit of work. If it does not exist, the foreign key refuses the relayer.
   *
   * @throws DomainError `invalid_request` if the network is EVM and its chain id is not known
   */
  async holdChainId(name: string, networkType: NetworkType): Promise<string | null> {
    const network = await this.networks.lock(name, networkType);
    if (network && networkType === 'evm' && network.chainId === null) throw networkHasNoChainId(name);
    return network?.chainId ?? null;
  }

  /**
   * Explains why a unique index rejected a new relayer; undefined if no stored relayer conflicts with it any more.
   *
   * @param chainId the chain id of its network
   */
  async conflictOf(relayer: RelayerClaim, chainId: string | null): Promise<DomainError | undefined> {
    const { id, signerId, networkType, network, address } = relayer;
    if (await this.relayers.findOneBy({ id })) return relayerExists();
    if (await this.relayers.findOneBy({ signerId, networkType, network }))
      return signerTaken(signerId, network);
    if (chainId === null) return undefined;
    const owner = await this.relayers.findOneBy({ address, chainId });
    return owner ? accountInUse(isReachable(owner) ? owner.id : undefined, address, chainId) : undefined;
  }

  /**
   * Copies the chain ids of networks to relayers that have none yet. This is part of every unit of work that completes
   * networks, and of each startup, because a running instance of an older version stores relayers without a chain id.
   * Altered rows are skipped.
   *
   * @throws ConfigurationError if an account would get a second relayer
   */
  async followNetworks(): Promise<void> {
    const behind = await this.relayers
      .createQueryBuilder('relayer')
      .innerJoin('relayer.onNetwork', 'network')
      .where('relayer.chain_id IS NULL AND network.chain_id IS NOT NULL')
      .select(['relayer.id'])
      .orderBy('relayer.id')
      .getMany();
    for (const { id } of behind) await orOn(RowAlteredError, undefined, () => this.follow(id));
  }

  private get relayers() {
    return this.unitOfWork.repository(RelayerEntity);
  }

  private async follow(id: string): Promise<void> {
    const relayer = await this.rows.findToChange(id);
    // Another instance was faster, or the relayer was deleted.
    if (relayer?.chainId !== null) return;
    const { address, network, networkType } = relayer;
    const chainId = (await this.networks.lock(network, networkType))?.chainId ?? null;
    if (chainId === null) return;
    try {
      const entry = relayerUpdated(relayer, await this.rows.update(relayer, { chainId }));
      if (entry) await this.audit.record(entry);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const owner = await this.relayers.findOneBy({ address, chainId });
      throw new ConfigurationError([
        `Relayers '${owner?.id ?? '?'}' and '${id}' have the same account: ${address} on chain id ${chainId}`,
        'An account has one relayer. Nothing was changed: delete one of the two with the previous version, then start again',
      ]);
    }
  }
}
