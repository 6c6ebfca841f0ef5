import { Injectable } from '@nestjs/common';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { getOrCreate } from '../common/get-or-create';
import { affectedRows } from '../database/affected-rows';
import type { KnownStatement } from '../database/one-trip-transactions';
import { placeholders } from '../database/placeholders';
import { statementParts } from '../database/statement-parts';
import { UnitOfWork } from '../database/unit-of-work';
import type { AuditChain, ChainHead } from './audit-chain';
import { AuditEventEntity } from './audit-event.entity';
import { ChainRegister } from './chain-register';
import { HASHED_COLUMNS } from './row-hash';

/** All columns of a row, in the order of the values. */
const COLUMNS = [...HASHED_COLUMNS, 'hash'] as const;
type Column = (typeof COLUMNS)[number];

/** The maximum number of rows per statement on a database server. */
const MAX_ROWS = 500;
/**
 * The maximum number of rows per statement on SQLite, where prepared statements are cached by their text. Row counts
 * are powers of two, so that there are few texts.
 */
const MAX_PREPARED_ROWS = 64;

/** Writes rows with the cheapest possible statements, because signatures wait for them. */
@Injectable()
export class AuditRows {
  private timeColumn: ColumnMetadata | undefined;
  private readonly inserts = new Map<number, string>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly register: ChainRegister,
  ) {}

  /** Inserts the next rows of a chain and moves its head, in the current unit of work. */
  async append(chain: AuditChain, rows: readonly AuditEventEntity[]): Promise<ChainHead> {
    const { manager } = this.unitOfWork;
    const head = headAfter(rows);
    for (const { text, values } of this.insertsOf(rows)) await manager.query(text, [...values]);
    if (chain.head) {
      const { text, values } = this.moveOf(chain, chain.head, head);
      const moved = await affectedRows(manager, text, [...values]);
      if (moved !== 1)
        throw new Error(`The head of audit chain ${chain.number} is not as this process wrote it`);
    } else await this.register.rows.insert(headRow(chain, head, rows[0]?.at ?? null));
    return head;
  }

  /** The statements of {@link append} for a chain that has a head. */
  statementsOf(chain: AuditChain, from: ChainHead, rows: readonly AuditEventEntity[]): KnownStatement[] {
    return [...this.insertsOf(rows), this.moveOf(chain, from, headAfter(rows))];
  }

  private moveOf(chain: AuditChain, from: ChainHead, to: ChainHead): KnownStatement {
    const { mac } = this.register.rows.withMac(headRow(chain, to, null));
    return {
      meetsOne: true,
      text:
        'UPDATE audit_chains SET sequence = ?, hash = ?, mac = ?, export_at = COALESCE(export_at, ?) ' +
        'WHERE id = ? AND sequence = ? AND pruned_at IS NULL',
      values: [to.sequence, to.hash, mac, this.timeValue(new Date()), String(chain.number), from.sequence],
    };
  }

  private insertsOf(rows: readonly AuditEventEntity[]): KnownStatement[] {
    const parts = this.unitOfWork.locksRows ? statementParts(rows, MAX_ROWS, lengthOf) : preparedParts(rows);
    return Array.from(parts, (some) => ({ text: this.insertOf(some.length), values: this.valuesOf(some) }));
  }

  private valuesOf(rows: readonly AuditEventEntity[]): unknown[] {
    const at = this.timeValue(rows[0]?.at);
    const values: unknown[] = [];
    for (const row of rows)
      for (const column of COLUMNS) {
        if (column === 'at') values.push(at);
        else if (column === 'changes') values.push(row.changes && JSON.stringify(row.changes));
        else values.push(row[column]);
      }
    return values;
  }

  private insertOf(count: number): string {
    return getOrCreate(this.inserts, count, () => {
      const names = COLUMNS.map((column) => this.escape(this.columnOf(column).databaseName));
      const rows = Array<string>(count).fill(`(${placeholders(names)})`);
      return `INSERT INTO audit_events (${names.join(', ')}) VALUES ${rows.join(', ')}`;
    });
  }

  private timeValue(time: Date | undefined): unknown {
    this.timeColumn ??= this.columnOf('at');
    const { driver } = this.unitOfWork.manager.dataSource;
    return driver.preparePersistentValue(time, this.timeColumn) as unknown;
  }

  private escape(name: string): string {
    return this.unitOfWork.manager.dataSource.driver.escape(name);
  }

  private columnOf(property: Column): ColumnMetadata {
    const metadata = this.unitOfWork.manager.dataSource.getMetadata(AuditEventEntity);
    const column = metadata.findColumnWithPropertyName(property);
    if (!column) throw new Error(`${metadata.tableName} has no column for ${property}`);
    return column;
  }
}

/** The rows of each statement on SQLite. */
function* preparedParts(rows: readonly AuditEventEntity[]): Generator<AuditEventEntity[]> {
  for (let start = 0; start < rows.length;) {
    const count = Math.min(2 ** Math.floor(Math.log2(rows.length - start)), MAX_PREPARED_ROWS);
    yield rows.slice(start, start + count);
    start += count;
  }
}

const lengthOf = ({ changes }: AuditEventEntity): number => (changes ? JSON.stringify(changes).length : 0);

/** The head of a chain whose newest rows are these. */
export function headAfter(rows: readonly AuditEventEntity[]): ChainHead {
  const last = rows.at(-1);
  if (!last) throw new Error('There is nothing to append');
  return { sequence: last.sequence, hash: last.hash };
}

const headRow = (chain: AuditChain, { sequence, hash }: ChainHead, exportAt: Date | null) => ({
  id: String(chain.number),
  name: chain.name,
  sequence,
  hash,
  prunedAt: null,
  exported: 0,
  exportAt,
  createdAt: chain.createdAt,
});
