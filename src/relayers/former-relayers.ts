import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, Not } from 'typeorm';
import { currentReach, isReachable, outOfReach, type ReachableRelayer } from '../access/relayer-reach';
import type { AuditAction } from '../audit/audit-action';
import { AuditEventEntity } from '../audit/audit-event.entity';
import { UnitOfWork } from '../database/unit-of-work';
import { FormerAccountEntity } from './former-account.entity';
import { RelayerEntity } from './relayer.entity';

const DELETION: AuditAction = 'relayer.delete';

type Account = Pick<RelayerEntity, 'address' | 'networkType' | 'network'>;

/** What is kept of a deleted relayer. */
export type FormerRelayer = Account & ReachableRelayer & Pick<RelayerEntity, 'signerId' | 'chainId'>;

/**
 * Deleted relayers. Their transactions, deliveries and audit events remain under their ids, and the coins on their
 * accounts.
 */
@Injectable()
export class FormerRelayers {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Remembers who had the account of a relayer. Must be called in the unit of work that deletes the relayer. */
  async remember(relayer: FormerRelayer): Promise<void> {
    const { id: relayerId, group, signerId, address, networkType, network, chainId } = relayer;
    await this.accounts.upsert(
      { address, networkType, network, chainId, signerId, relayerId, group, deletedAt: new Date() },
      ['address', 'networkType', 'network'],
    );
  }

  /**
   * Whether a relayer with this account was ever deleted, or one with this id was the last that had its account.
   *
   * @param chainId null if it is not EVM
   */
  include({ id, address }: Pick<RelayerEntity, 'id' | 'address'>, chainId: string | null): Promise<boolean> {
    return this.accounts.existsBy([{ relayerId: id }, ...(chainId === null ? [] : [{ address, chainId }])]);
  }

  /**
   * Asserts that the request may see what remains of an earlier relayer with the same id, because the creator of a
   * relayer sees it. A request that reaches relayers by group may therefore only reuse an id if the earlier relayer was
   * in one of its groups when it was deleted.
   *
   * @throws DomainError `forbidden`
   */
  async assertReaches(id: string): Promise<void> {
    const reach = currentReach();
    if (!reach || reach.relayers.has(id)) return;
    const deletion = await this.unitOfWork.repository(AuditEventEntity).findOne({
      where: { relayerId: id, action: DELETION },
      order: { at: 'DESC', chain: 'DESC', sequence: 'DESC' },
    });
    const group = deletion?.changes?.group?.before;
    if (deletion && !(typeof group === 'string' && reach.groups.has(group)))
      throw outOfReach('what is left of an earlier relayer with this id');
  }

  /**
   * Asserts that the request could reach the last relayer of the same signer, or with the same address, on each network,
   * because the creator of a relayer can sign for the account and move its coins. Existing relayers must be checked
   * first: then a relayer that is deleted meanwhile is found either there or here.
   *
   * @throws DomainError `forbidden`
   */
  async assertReachesAccount({
    id,
    signerId,
    address,
  }: Pick<RelayerEntity, 'id' | 'signerId' | 'address'>): Promise<void> {
    if (!currentReach()) return;
    // Two statements, so that each uses its index.
    if (!(await this.reachesAll(id, { signerId })))
      throw outOfReach(`every earlier relayer that signer '${signerId}' served`);
    if (!(await this.reachesAll(id, { address })))
      throw outOfReach(`every earlier relayer with the address ${address}`);
  }

  private async reachesAll(id: string, where: FindOptionsWhere<FormerAccountEntity>): Promise<boolean> {
    for (const account of await this.accounts.findBy(where)) {
      const { relayerId, group } = account;
      if (!isReachable({ id: relayerId, group }) && !(await this.reachesSuccessor(id, account))) return false;
    }
    return true;
  }

  /** Whether an account has a new relayer since, other than the one with this id, and the request reaches it. */
  private async reachesSuccessor(id: string, { address, networkType, network }: Account): Promise<boolean> {
    const successor = await this.unitOfWork.repository(RelayerEntity).findOne({
      select: { id: true, group: true },
      where: { address, networkType, network, id: Not(id) },
    });
    return successor !== null && isReachable(successor);
  }

  private get accounts() {
    return this.unitOfWork.repository(FormerAccountEntity);
  }
}
