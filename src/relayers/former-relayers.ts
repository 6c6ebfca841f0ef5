import { Injectable } from '@nestjs/common';
import { currentReach, outOfReach } from '../access/relayer-reach';
import type { AuditAction } from '../audit/audit-action';
import { AuditEventEntity } from '../audit/audit-event.entity';
import { UnitOfWork } from '../database/unit-of-work';
import { DeletedRelayerEntity } from './deleted-relayer.entity';
import type { RelayerEntity } from './relayer.entity';

const DELETION: AuditAction = 'relayer.delete';

/** Deleted relayers, whose transactions, deliveries and audit events remain under their ids. */
@Injectable()
export class FormerRelayers {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Records a deletion. Must be called in its unit of work, after the row was deleted.
   *
   * @param relayer undefined if its row was altered
   */
  async record(id: string, relayer?: Pick<RelayerEntity, 'address' | 'chainId'>): Promise<void> {
    const former = { id, address: relayer?.address ?? '', chainId: relayer?.chainId ?? '' };
    if (await this.deleted.existsBy(former)) return;
    await this.deleted.insert({ ...former, deletedAt: new Date() });
  }

  /** Whether a relayer with this id, or with this account, was ever deleted. @param chainId null if it is not EVM */
  include({ id, address }: Pick<RelayerEntity, 'id' | 'address'>, chainId: string | null): Promise<boolean> {
    return this.deleted.existsBy([{ id }, ...(chainId === null ? [] : [{ address, chainId }])]);
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

  private get deleted() {
    return this.unitOfWork.repository(DeletedRelayerEntity);
  }
}
