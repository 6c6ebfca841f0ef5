import { Injectable } from '@nestjs/common';
import { currentReach, outOfReach } from '../access/relayer-reach';
import type { AuditAction } from '../audit/audit-action';
import { AuditEventEntity } from '../audit/audit-event.entity';
import { UnitOfWork } from '../database/unit-of-work';

const DELETION: AuditAction = 'relayer.delete';

/** Relayers that were deleted: their transactions, deliveries and audit events stay under their ids. */
@Injectable()
export class FormerRelayers {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Whoever creates a relayer sees what is left under its id. So a request that reaches relayers by their group creates none under the id
   * of one that was in no group of its own when it was deleted.
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
