import { SecretUnreadableError } from '../secrets/secret-cipher';
import type { UnitOfWork } from '../database/unit-of-work';
import type { StoredRow, StoredTable } from './stored-table';

const BATCH_SIZE = 100;

/** What became of a row: sealed, or why not. */
export interface Sealing {
  table: StoredTable;
  row: StoredRow;
  fault: string | undefined;
}

/**
 * Gives rows a MAC for what is in them now, without asking where it comes from; plain values of sealed columns are
 * encrypted, and secrets are bound to the columns that they belong to. Only for rows from before there were MACs, and for what
 * an operator has changed on purpose.
 */
export class RowSealing {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tables: readonly StoredTable[],
  ) {}

  /** Every row that has no MAC, a batch in one transaction. */
  async *unsealed(): AsyncGenerator<Sealing> {
    for (const table of this.tables) {
      for (let after: string | undefined = ''; after !== undefined;) {
        const start: string = after;
        const batch = await this.unitOfWork.run(async () => {
          const rows = await table.unsealedAfter(start, BATCH_SIZE);
          const sealings: Sealing[] = [];
          for (const row of rows) sealings.push(await this.seal(table, row));
          return sealings;
        });
        yield* batch;
        after = batch.at(-1)?.row.id;
      }
    }
  }

  /** One row, whatever its MAC; undefined where there is none. */
  one(table: StoredTable, id: string): Promise<Sealing | undefined> {
    return this.unitOfWork.run(async () => {
      const row = await table.findToChange(id);
      return row && this.seal(table, row);
    });
  }

  private async seal(table: StoredTable, row: StoredRow): Promise<Sealing> {
    if (!row.values) return { table, row, fault: table.faultOf(row) };
    try {
      const isReplaced = await table.replace(row, table.renewalOf(row, 'adopted'));
      return { table, row, fault: isReplaced ? undefined : 'was changed meanwhile' };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return { table, row, fault: table.secretFaultOf(row, 'adopted') };
    }
  }
}
