import { SecretUnreadableError } from '../secrets/secret-cipher';
import type { UnitOfWork } from '../database/unit-of-work';
import type { IdRange } from './id-ranges';
import type { StoredRow, StoredTable } from './stored-table';

const BATCH_SIZE = 100;

/** The result for a row: sealed, or the fault that prevented it. */
export interface Sealing {
  table: StoredTable;
  row: StoredRow;
  fault: string | undefined;
}

/**
 * Gives rows a MAC for their current content, whatever its origin. It also encrypts plain values of sealed columns, and
 * binds secrets to their columns. Only for rows from before MACs, and for intentional changes by an operator.
 */
export class RowSealing {
  /** @param sealed called in the unit of work that seals a row named by an operator */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tables: readonly StoredTable[],
    private readonly sealed?: (table: StoredTable, row: StoredRow) => Promise<void>,
  ) {}

  /** Seals every row without a MAC, in one transaction per batch. */
  async *unsealed(): AsyncGenerator<Sealing> {
    for (const table of this.tables)
      for await (const range of table.ranges()) yield* this.unsealedIn(table, range);
  }

  private async *unsealedIn(table: StoredTable, range: IdRange): AsyncGenerator<Sealing> {
    for (let after: string | undefined = range.after; after !== undefined;) {
      const rest: IdRange = { ...range, after };
      const batch = await this.unitOfWork.run(async () => {
        const rows = await table.unsealedIn(rest, BATCH_SIZE);
        const sealings: Sealing[] = [];
        for (const row of rows) sealings.push(await this.seal(table, row));
        return sealings;
      });
      yield* batch;
      after = batch.at(-1)?.row.id;
    }
  }

  /** Seals one row, even if its MAC does not match; undefined if there is no such row. */
  one(table: StoredTable, id: string): Promise<Sealing | undefined> {
    return this.unitOfWork.run(async () => {
      const row = await table.findToChange(id);
      const sealing = row && (await this.seal(table, row));
      if (sealing?.fault === undefined && row) await this.sealed?.(table, row);
      return sealing;
    });
  }

  private async seal(table: StoredTable, row: StoredRow): Promise<Sealing> {
    if (!row.values) return { table, row, fault: table.faultOf(row) };
    const contradiction = table.contradictionIn(row.values);
    if (contradiction !== undefined) return { table, row, fault: contradiction };
    try {
      const isReplaced = await table.replace(row, table.renewalOf(row, 'adopted'));
      return { table, row, fault: isReplaced ? undefined : 'was changed meanwhile' };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return { table, row, fault: table.secretFaultOf(row, 'adopted') };
    }
  }
}
