import { Injectable } from '@nestjs/common';
import { currentReach, outOfReach, type ReachableRelayer } from '../access/relayer-reach';
import type { AuditAction } from '../audit/audit-action';
import { AuditEventEntity } from '../audit/audit-event.entity';
import { UnitOfWork } from '../database/unit-of-work';
import { FormerAccountEntity } from '../signers/former-account.entity';
import type { RelayerEntity } from './relayer.entity';

const DELETION: AuditAction = 'relayer.delete';

type Account = Pick<RelayerEntity, 'address' | 'networkType' | 'network'>;
type Successor = Pick<RelayerEntity, 'id' | 'address' | 'chainId'>;

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
   * When a relayer with this account was last deleted, or one with this id that was the last that had its account; null
   * if there was none. The account of a relayer without a chain id is not EVM.
   */
  async lastDeletionBefore({ id, address, chainId }: Successor): Promise<Date | null> {
    const last = await this.accounts.findOne({
      select: { deletedAt: true },
      where: [{ relayerId: id }, ...(chainId === null ? [] : [{ address, chainId }])],
      order: { deletedAt: 'DESC' },
    });
    return last?.deletedAt ?? null;
  }

  /**
   * Asserts that the request may see what remains of an earlier relayer with the same id, because the creator of a
   * relayer sees it. A request that reaches relayers by group may therefore only reuse an id if the earlier relayer was
   * in one of its groups when it was deleted. Transactions are kept for longer than the audit log, which is the only
   * record of the group.
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
    const isReached = typeof group === 'string' && reach.groups.has(group);
    if (!isReached && (deletion || (await this.hasTransactions(id))))
      throw outOfReach('what is left of an earlier relayer with this id');
  }

  private async hasTransactions(relayerId: string): Promise<boolean> {
    const statement = 'SELECT 1 FROM transactions WHERE relayer_id = ? LIMIT 1';
    const rows = await this.unitOfWork.manager.query<unknown[]>(statement, [relayerId]);
    return rows.length > 0;
  }

  private get accounts() {
    return this.unitOfWork.repository(FormerAccountEntity);
  }
}
