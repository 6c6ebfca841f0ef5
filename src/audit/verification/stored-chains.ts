import type { EntityTarget, ObjectLiteral } from 'typeorm';
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
  /**
   * Whether the row has the form that the service writes. Another form of the same values matches the hash, but
   * databases compare and sort it differently, which hides the row from filters.
   */
  isAsWritten: boolean;
}

/** The name of a selected expression, see `hiddenFromDriver`. */
const HIDDEN = 'hidden_part';

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
    // Not as entities: TypeORM merges rows whose ids are read as the same text.
    const found = await this.unitOfWork.manager.query<{ id: string }[]>(
      `SELECT id FROM audit_chains WHERE id > ? ORDER BY id LIMIT ${limit}`,
      [id],
    );
    return found.map((head) => head.id);
  }

  /** Rows of a chain in order. */
  async eventsAfter(chain: number, sequence: number, limit: number): Promise<StoredEvent[]> {
    const selection = this.events.selectionWith([`${this.hiddenFromDriver} AS ${HIDDEN}`]);
    const statement = `${selection} WHERE chain = ? AND sequence > ? ORDER BY sequence LIMIT ${limit}`;
    const rows = await this.unitOfWork.manager.query<RawRow[]>(statement, [chain, sequence]);
    return rows.map((raw) => {
      const row = this.events.readable(raw) ?? null;
      const isAsWritten = !!row && Number(raw[HIDDEN]) === 0 && this.hasWrittenTime(raw, row);
      return { sequence: Number(raw.sequence), row, isAsWritten };
    });
  }

  /** Finds a row of a chain whose sequence is below the first one. */
  eventBeforeFirst(chain: number): Promise<string | undefined> {
    return this.eventWhere('chain = ? AND sequence < 1', chain);
  }

  /** Finds a row whose chain number is between two numbers, as on SQLite it need not be an integer. */
  eventBetween(chain: number, next: number): Promise<string | undefined> {
    return this.eventWhere('chain > ? AND chain < ?', chain, next);
  }

  /** Finds a row whose chain number is outside of a range. */
  eventOutside(first: number, last: number): Promise<string | undefined> {
    return this.eventWhere('chain < ? OR chain > ?', first, last);
  }

  private async eventWhere(condition: string, ...values: number[]): Promise<string | undefined> {
    const [row] = await this.unitOfWork.manager.query<{ chain: number; sequence: number | string }[]>(
      `SELECT chain, sequence FROM audit_events WHERE ${condition} ORDER BY chain, sequence LIMIT 1`,
      values,
    );
    return row && `${row.chain}-${row.sequence}`;
  }

  /**
   * An expression that is 0 or null unless drivers omit a part of the row: texts of SQLite are cut off at a NUL, and times of
   * servers at the millisecond.
   */
  private get hiddenFromDriver(): string {
    const { driver } = this.unitOfWork.manager.dataSource;
    const cutOff = this.events.cutOff(({ databaseName }) => driver.escape(databaseName));
    return cutOff ?? `MICROSECOND(${driver.escape('at')}) % 1000`;
  }

  /** Many texts stand for the same time. Drivers of servers return dates, which have one form. */
  private hasWrittenTime(raw: RawRow, row: AuditEventEntity): boolean {
    const time: unknown = row.at;
    return time instanceof Date && raw.at === this.events.assignmentsOf(row, ['at']).values[0];
  }

  private metadataOf<T extends ObjectLiteral>(entity: EntityTarget<T>) {
    return this.unitOfWork.manager.dataSource.getMetadata(entity);
  }
}
