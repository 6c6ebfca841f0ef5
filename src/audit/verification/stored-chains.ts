import { type EntityTarget, MoreThan, type ObjectLiteral } from 'typeorm';
import { ProtectedColumns } from '../../database/integrity/protected-columns';
import { type RawRow, RowColumns } from '../../database/integrity/row-columns';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { MacState, RowMacs } from '../../secrets/row-macs';
import { AUDIT_CHAIN_PROTECTION, AuditChainEntity } from '../audit-chain.entity';
import { AuditEventEntity } from '../audit-event.entity';

/** A head and the state of its MAC; anything but `intact` was altered. */
export interface StoredHead {
  row: AuditChainEntity;
  mac: MacState;
}

/** A row in its stored form; null if it cannot be read. */
export interface StoredEvent {
  sequence: number;
  row: AuditEventEntity | null;
}

/** Reads the audit log directly from the database, without the service. */
export class StoredChains {
  private readonly protection: ProtectedColumns;
  private readonly events: RowColumns<AuditEventEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly macs: RowMacs,
  ) {
    this.protection = new ProtectedColumns(this.metadataOf(AuditChainEntity), AUDIT_CHAIN_PROTECTION);
    this.events = new RowColumns(this.metadataOf(AuditEventEntity));
  }

  /** The head of a chain, or the register. */
  async head(id: string): Promise<StoredHead | undefined> {
    const row = await this.unitOfWork.repository(AuditChainEntity).findOneBy({ id });
    if (row?.id !== id) return undefined;
    const { declared } = this.protection;
    return { row, mac: this.macs.check(declared.table, this.protection.contentOf(row), row.mac) };
  }

  /** Ids of heads, in the order of the database. */
  async idsAfter(id: string, limit: number): Promise<string[]> {
    const heads = this.unitOfWork.repository(AuditChainEntity);
    const where = { id: MoreThan(id) };
    const found = await heads.find({ select: { id: true }, where, order: { id: 'ASC' }, take: limit });
    return found.map((head) => head.id);
  }

  /** Rows of a chain in order. */
  async eventsAfter(chain: number, sequence: number, limit: number): Promise<StoredEvent[]> {
    const statement = `${this.events.selection} WHERE chain = ? AND sequence > ? ORDER BY sequence LIMIT ${limit}`;
    const rows = await this.unitOfWork.manager.query<RawRow[]>(statement, [chain, sequence]);
    return rows.map((raw) => ({ sequence: Number(raw.sequence), row: this.readable(raw) }));
  }

  /** Finds a row of a chain whose sequence is below the first one. */
  async eventBeforeFirst(chain: number): Promise<string | undefined> {
    const [row] = await this.unitOfWork.manager.query<{ sequence: number | string }[]>(
      'SELECT sequence FROM audit_events WHERE chain = ? AND sequence < 1 LIMIT 1',
      [chain],
    );
    return row && `${chain}-${row.sequence}`;
  }

  /** Finds a row whose chain number is outside of a range. */
  async eventOutside(first: number, last: number): Promise<string | undefined> {
    const [row] = await this.unitOfWork.manager.query<{ chain: number; sequence: number | string }[]>(
      'SELECT chain, sequence FROM audit_events WHERE chain < ? OR chain > ? ORDER BY chain, sequence LIMIT 1',
      [first, last],
    );
    return row && `${row.chain}-${row.sequence}`;
  }

  private readable(raw: RawRow): AuditEventEntity | null {
    try {
      return this.events.entityOf(raw);
    } catch {
      return null;
    }
  }

  private metadataOf<T extends ObjectLiteral>(entity: EntityTarget<T>) {
    return this.unitOfWork.manager.dataSource.getMetadata(entity);
  }
}
