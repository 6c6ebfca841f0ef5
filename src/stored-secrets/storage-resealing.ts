import { canonicalJson } from '../secrets/canonical-json';
import type { Secret } from '../common/secrets/secret';
import type { CommandOutput } from '../common/command-output';
import { recordsOf } from './records-of';
import type { RowSealing, Sealing } from './row-sealing';
import { showSecret } from './show-secret';
import type { NamedRow, StoredRow, StoredTable } from './stored-table';

const BATCH_SIZE = 100;
/** The command can be killed at any time. */
const NEVER = new AbortController().signal;

/** Accepts rows that an operator has changed intentionally, or that a version without MACs has written. */
export class StorageResealing {
  constructor(
    private readonly tables: readonly StoredTable[],
    private readonly sealing: RowSealing,
    private readonly output: CommandOutput,
  ) {}

  /**
   * Seals every row without a MAC. A row whose MAC does not match is reported and left alone: an operator must name it
   * by its id.
   *
   * @returns whether every row now has a matching MAC
   */
  async all(): Promise<boolean> {
    let isComplete = true;
    let sealed = 0;
    for await (const each of this.sealing.unsealed()) {
      if (this.report(each)) sealed += 1;
      else isComplete = false;
    }
    this.output.print(`${sealed} rows got a MAC`);
    return (await this.reportSkipped()) === 0 && isComplete;
  }

  /** @returns how many rows have a MAC that does not match */
  private async reportSkipped(): Promise<number> {
    let skipped = 0;
    for (const table of this.tables)
      for await (const row of recordsOf((after) => table.after(after, BATCH_SIZE), NEVER)) {
        const fault = row.mac === null ? undefined : table.macFaultOf(row);
        if (fault === undefined) continue;
        skipped += 1;
        this.output.printToStderr(`${table.name} ${row.id}: skipped, it ${fault}`);
      }
    return skipped;
  }

  /**
   * Seals these rows with their current content. If one of them does not exist, nothing is changed.
   *
   * @returns whether each of them now has a matching MAC
   */
  async rows(named: readonly NamedRow[]): Promise<boolean> {
    const missing = await this.missing(named);
    for (const { table, id } of missing) this.output.printToStderr(`${table} ${id}: there is no such row`);
    if (missing.length > 0) {
      this.output.printToStderr('Nothing was changed');
      return false;
    }
    let isComplete = true;
    for (const { table, id } of named) {
      const stored = this.tableOf(table);
      const sealing = stored && (await this.sealing.one(stored, id));
      if (sealing && this.report(sealing)) this.show(sealing);
      else isComplete = false;
    }
    return isComplete;
  }

  private async missing(named: readonly NamedRow[]): Promise<NamedRow[]> {
    const missing: NamedRow[] = [];
    for (const row of named) if (!(await this.tableOf(row.table)?.has(row.id))) missing.push(row);
    return missing;
  }

  private report({ table, row, fault }: Sealing): boolean {
    if (fault !== undefined) {
      this.output.printToStderr(`${table.name} ${row.id}: not sealed, it ${fault}`);
      return false;
    }
    this.output.print(`${table.name} ${row.id}: sealed`);
    return true;
  }

  private show({ table, row }: Sealing): void {
    for (const name of table.protectedColumns) this.showColumn(table, row, name);
  }

  private showColumn(table: StoredTable, row: StoredRow, name: string): void {
    const value = row.values?.[name];
    if (name === 'id' || value === null || value === undefined) return;
    const column = table.sealedColumns.find(({ column: sealed }) => sealed === name);
    const secret: Secret | undefined = column && table.textOf(row, column, 'adopted');
    this.output.print(`  ${name}: ${secret ? showSecret(secret) : canonicalJson(value)}`);
  }

  private tableOf(name: string): StoredTable | undefined {
    return this.tables.find((table) => table.name === name);
  }
}
