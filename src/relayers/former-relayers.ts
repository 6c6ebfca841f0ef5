import { Injectable } from '@nestjs/common';
import { currentReach, outOfReach } from '../access/relayer-reach';
import type { AuditAction } from '../audit/audit-action';
import { AuditEventEntity } from '../audit/audit-event.entity';
import { UnitOfWork } from '../database/unit-of-work';

const DELETION: AuditAction = 'relayer.delete';

/** Deleted relayers, whose transactions, deliveries and audit events remain under their ids. */
@Injectable()
export class FormerRelayers {
  constructor(private readonly unitOfWork: UnitOfWork) {}

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
}
