import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditApi, NotificationsApi, RelayersApi, SigningApi, UnitOfWork } from 'relayer-management-service';
import { LedgerEntryEntity } from './ledger-entry.entity';

const LATEST = 100;

/** Statements that relayers have signed. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly signing: SigningApi,
    private readonly relayers: RelayersApi,
    private readonly notifications: NotificationsApi,
    private readonly audit: AuditApi,
  ) {}

  /**
   * Signs a statement (EIP-191) and books it, together with its event and its record in the audit log.
   *
   * @throws DomainError as `SigningApi.signMessage`
   */
  async book(relayerId: string, statement: string): Promise<LedgerEntryEntity> {
    // Signed outside of the unit of work, which may run again and must not wait for a key service.
    const { sig } = await this.signing.signMessage(relayerId, { message: statement });
    const entry = { id: randomUUID(), relayerId, statement, signature: sig, createdAt: new Date() };
    await this.record(entry);
    return entry;
  }

  /** Stores a signed statement together with its event and its record in the audit log. */
  async record(entry: LedgerEntryEntity): Promise<void> {
    const { id, relayerId, statement } = entry;
    await this.unitOfWork.run(async () => {
      await this.unitOfWork.repository(LedgerEntryEntity).insert(entry);
      await this.notifications.record({
        event: 'acme-ledger.entry_booked',
        payload: { payload_type: 'ledger_entry', entry_id: id, relayer_id: relayerId },
        relayerId,
      });
      // The statement itself stays out of the audit log, which outlives it.
      await this.audit.record({
        action: 'acme-ledger.entry.create',
        relayerId,
        id,
        after: { length: statement.length },
      });
    });
  }

  /**
   * The newest entries first. @throws DomainError `relayer_not_found`, also for a relayer that the caller cannot reach;
   * `forbidden`
   */
  async latest(relayerId: string): Promise<LedgerEntryEntity[]> {
    await this.relayers.get(relayerId);
    return this.unitOfWork
      .repository(LedgerEntryEntity)
      .find({ where: { relayerId }, order: { createdAt: 'DESC' }, take: LATEST });
  }
}
