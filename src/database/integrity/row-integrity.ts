import { Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { EntityMetadata } from 'typeorm';
import { isConsistent, RowMacs } from '../../secrets/row-macs';
import { ProtectedColumns } from './protected-columns';

const ALTERED = 'A stored row was altered outside of the service and is not used';

/** Detects rows that were altered outside of the service; logs and counts them. */
@Injectable()
export class RowIntegrity {
  private readonly logger = new Logger('RowIntegrity');
  private readonly altered: Counter<'table'>;

  constructor(
    private readonly macs: RowMacs,
    registry: Registry,
  ) {
    this.altered = new Counter({
      name: 'storage_rows_altered_total',
      help: 'Rows that were not used because they do not match their MAC or other rows, counted at each attempt to read them',
      labelNames: ['table'],
      registers: [registry],
    });
    for (const { table } of macs.tables) this.altered.inc({ table }, 0);
  }

  /** Counts altered rows of a table whose rows have no MAC from 0 on; see {@link reportAltered}. */
  countAltered(table: string): void {
    this.altered.inc({ table }, 0);
  }

  /** @throws Error if the table is not declared */
  protectedColumnsOf(metadata: EntityMetadata): ProtectedColumns {
    const declared = this.macs.tables.find(({ table }) => table === metadata.tableName);
    if (!declared) throw new Error(`${metadata.tableName} is missing in app/protected-tables.ts`);
    return new ProtectedColumns(metadata, declared);
  }

  /** The MAC of a row that is about to be written. */
  macOf(columns: ProtectedColumns, row: object): string {
    return this.macs.compute(columns.declared.table, columns.contentOf(row));
  }

  /** @param row undefined if it could not be parsed */
  isIntact(columns: ProtectedColumns, id: string, row: object | undefined, mac: string | null): boolean {
    const { table } = columns.declared;
    const state = row ? this.macs.check(table, columns.contentOf(row, mac), mac) : 'mismatch';
    if (state === 'intact' && row) {
      if (isConsistent(columns.declared, row)) return true;
      this.reportAltered(table, id, 'has columns that contradict each other');
      return false;
    }
    this.altered.inc({ table });
    this.logger.error(ALTERED, { table, id, mac: state });
    return false;
  }

  /** Logs and counts a row that contradicts protected columns. @param cause completes "it …" */
  reportAltered(table: string, id: string, cause: string): void {
    this.altered.inc({ table });
    this.logger.error(ALTERED, { table, id, cause });
  }
}
