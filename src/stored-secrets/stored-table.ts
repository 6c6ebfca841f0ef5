import type { EntityMetadata } from 'typeorm';
import {
  isConsistent,
  MAC_PREFIX_LENGTH,
  type MacState,
  type ProtectedTable,
  type RowMacs,
} from '../secrets/row-macs';
import {
  RECORD_PREFIX_LENGTH,
  readableOr,
  type SealedColumn,
  type SecretCipher,
  secretPlace,
} from '../secrets/secret-cipher';
import { Secret } from '../common/secrets/secret';
import { affectedRows } from '../database/affected-rows';
import { ProtectedColumns } from '../database/integrity/protected-columns';
import { type RawRow, RowColumns } from '../database/integrity/row-columns';
import type { UnitOfWork } from '../database/unit-of-work';
import { type IdRange, idRanges, inRange } from './id-ranges';
import { type RotatingRecords, UnusableRecordError } from './rotating-records';

/** The fault of a row whose storage key is missing: the row itself may be intact. */
export const UNKNOWN_KEY_FAULT = 'has a MAC of a storage key that is not configured';

const MAC_FAULTS: Readonly<Record<Exclude<MacState, 'intact'>, string>> = {
  missing: 'has no MAC',
  unknown_key: UNKNOWN_KEY_FAULT,
  mismatch: 'does not match its MAC',
};

const CONTRADICTORY = 'has columns that contradict each other';
const UNREADABLE = 'has a column that holds something else';

/** A row by its table and id. */
export interface NamedRow {
  table: string;
  id: string;
}

/** A row in its stored form. */
export interface StoredRow {
  id: string;
  mac: string | null;
  /** The values by column name, with JSON parsed; undefined if a column cannot be parsed. */
  values: Readonly<Record<string, unknown>> | undefined;
}

/** The new values of a row: the resealed columns and the MAC. */
export type Renewal = Readonly<Record<string, string>> & { readonly mac: string };

/** The rows of one protected table and their secrets, independent of the table's module. */
export class StoredTable implements RotatingRecords<StoredRow> {
  readonly name: string;
  readonly sealedColumns: readonly SealedColumn[];
  private readonly metadata: EntityMetadata;
  private readonly columns: RowColumns<Record<string, unknown>>;
  private readonly protection: ProtectedColumns;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly macs: RowMacs,
    declared: ProtectedTable,
  ) {
    this.name = declared.table;
    this.sealedColumns = cipher.columns.filter(({ table }) => table === declared.table);
    const { dataSource } = unitOfWork.manager;
    const metadata = dataSource.entityMetadatas.find(({ tableName }) => tableName === declared.table);
    if (!metadata) throw new Error(`${declared.table} has no entity`);
    this.metadata = metadata;
    this.columns = new RowColumns(metadata);
    this.protection = new ProtectedColumns(metadata, declared);
  }

  /** The names of the columns that the MAC covers, in the order of the entity's properties. */
  get protectedColumns(): string[] {
    return this.metadata.columns
      .filter(({ propertyName }) => this.protection.properties.includes(propertyName))
      .map(({ databaseName }) => databaseName)
      .filter((name) => name !== 'mac');
  }

  after(id: string, limit: number): Promise<StoredRow[]> {
    return this.select('id > ?', [id], `ORDER BY id LIMIT ${limit}`);
  }

  ranges(): AsyncGenerator<IdRange, void> {
    return idRanges(this.unitOfWork.manager, this.name);
  }

  /** Includes rows without a MAC. */
  outdatedIn(range: IdRange, limit: number): Promise<StoredRow[]> {
    const of = (column: string, length: number) => `SUBSTR(${this.escape(column)}, 1, ${length})`;
    const outdated = [
      'mac IS NULL',
      `${of('mac', MAC_PREFIX_LENGTH)} <> ?`,
      ...this.sealedColumns.map(({ column }) => `${of(column, RECORD_PREFIX_LENGTH)} <> ?`),
    ];
    const prefixes = this.sealedColumns.map((column) => this.cipher.newestPrefix(column));
    const { condition, parameters } = inRange(range);
    return this.select(
      `${condition} AND (${outdated.join(' OR ')})`,
      [...parameters, this.macs.newestPrefixOf(this.name), ...prefixes],
      `ORDER BY id LIMIT ${limit}`,
    );
  }

  /** The first rows of a range without a MAC, locked until the end of the unit of work. */
  unsealedIn(range: IdRange, limit: number): Promise<StoredRow[]> {
    const { condition, parameters } = inRange(range);
    return this.select(
      `${condition} AND mac IS NULL`,
      parameters,
      `ORDER BY id LIMIT ${limit}${this.unitOfWork.forUpdate}`,
    );
  }

  /** One row, locked until the end of the unit of work. */
  async findToChange(id: string): Promise<StoredRow | undefined> {
    const rows = await this.select('id = ?', [id], this.unitOfWork.forUpdate);
    return rows.find((row) => row.id === id);
  }

  async has(id: string): Promise<boolean> {
    const rows = await this.select('id = ?', [id], '');
    return rows.some((row) => row.id === id);
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.any('1 = 1', []));
  }

  /** Whether any row has a MAC. Reads until the first one, usually the first row of the table. */
  async hasMacs(): Promise<boolean> {
    for await (const range of this.ranges()) {
      const { condition, parameters } = inRange(range);
      if (await this.any(`${condition} AND mac IS NOT NULL`, parameters)) return true;
    }
    return false;
  }

  isCurrent({ mac, values }: StoredRow): boolean {
    return (
      mac !== null &&
      mac.startsWith(this.macs.newestPrefixOf(this.name)) &&
      this.sealedColumns.every((column) => {
        const record = values?.[column.column];
        return typeof record !== 'string' || record.startsWith(this.cipher.newestPrefix(column));
      })
    );
  }

  faultOf(row: StoredRow): string | undefined {
    return this.macFaultOf(row) ?? this.secretFaultOf(row, 'intact');
  }

  macFaultOf({ values, mac }: StoredRow): string | undefined {
    if (!values) return UNREADABLE;
    const state = this.macs.check(this.name, this.contentOf(values, mac), mac);
    return state === 'intact' ? this.contradictionIn(values) : MAC_FAULTS[state];
  }

  /** What is wrong with a row even if it gets a new MAC; undefined for most. */
  contradictionIn(values: Readonly<Record<string, unknown>>): string | undefined {
    return isConsistent(this.protection.declared, this.entityOf(values)) ? undefined : CONTRADICTORY;
  }

  /** @param origin `adopted` for a row that may date from before its secrets were bound or encrypted */
  secretFaultOf(row: StoredRow, origin: 'intact' | 'adopted'): string | undefined {
    const unreadable = this.sealedColumns.filter((column) =>
      readableOr(true, () => {
        this.textOf(row, column, origin);
        return false;
      }),
    );
    if (unreadable.length === 0) return undefined;
    const names = unreadable.map(({ column }) => column).join(', ');
    return `has ${names}, which cannot be decrypted with the storage keys`;
  }

  /** The plain text of a sealed column; undefined if it is null. @throws SecretUnreadableError */
  textOf(
    { id, values = {} }: StoredRow,
    column: SealedColumn,
    origin: 'intact' | 'adopted',
  ): Secret | undefined {
    const record = values[column.column];
    if (typeof record !== 'string') return undefined;
    const place = secretPlace(column, id, values);
    if (origin === 'intact') return this.cipher.open(record, place);
    return column.plainBefore?.test(record) === true
      ? new Secret(record)
      : this.cipher.openForResealing(record, place);
  }

  async renew(row: StoredRow): Promise<boolean> {
    const fault = this.faultOf(row);
    if (fault !== undefined) throw new UnusableRecordError(this.name, row.id, fault);
    return this.unitOfWork.run(() => this.replace(row, this.renewalOf(row, 'intact')));
  }

  /**
   * The new values that rotate a row to the first storage key: its secrets are resealed, and the MAC covers the row as
   * it was read.
   *
   * @throws SecretUnreadableError
   */
  renewalOf(row: StoredRow, origin: 'intact' | 'adopted'): Renewal {
    const sealed: Record<string, string> = {};
    for (const column of this.sealedColumns) {
      const text = this.textOf(row, column, origin);
      const record = row.values?.[column.column];
      if (!text || (typeof record === 'string' && record.startsWith(this.cipher.newestPrefix(column))))
        continue;
      sealed[column.column] = this.cipher.seal(text, secretPlace(column, row.id, row.values ?? {}));
    }
    return { ...sealed, mac: this.macs.compute(this.name, this.contentOf({ ...row.values, ...sealed })) };
  }

  /**
   * Writes the new values unless the MAC has changed since the row was read, as it does with every legitimate change. A
   * change that does not update the MAC is not covered by the new MAC either, because that is computed from what was
   * read.
   */
  async replace({ id, mac }: StoredRow, renewal: Renewal): Promise<boolean> {
    const columns = Object.keys(renewal);
    const statement =
      `UPDATE ${this.escape(this.name)} SET ${columns.map((name) => `${this.escape(name)} = ?`).join(', ')} ` +
      `WHERE id = ? AND ${mac === null ? 'mac IS NULL' : 'mac = ?'}`;
    const parameters = [...columns.map((name) => renewal[name]), id, ...(mac === null ? [] : [mac])];
    return (await affectedRows(this.unitOfWork.manager, statement, parameters)) === 1;
  }

  private async any(condition: string, parameters: string[]): Promise<boolean> {
    const statement = `SELECT id FROM ${this.escape(this.name)} WHERE ${condition} LIMIT 1`;
    return (await this.unitOfWork.manager.query<unknown[]>(statement, parameters)).length > 0;
  }

  private async select(condition: string, parameters: string[], rest: string): Promise<StoredRow[]> {
    const statement = `${this.columns.completeSelectionWith([])} WHERE ${condition} ${rest}`;
    const rows = await this.unitOfWork.manager.query<RawRow[]>(statement, parameters);
    return rows.map((raw) => ({
      id: raw.id as string,
      mac: raw.mac as string | null,
      values: this.valuesOf(raw),
    }));
  }

  private valuesOf(raw: RawRow): Record<string, unknown> | undefined {
    const entity = this.columns.asWritten(raw, this.protection.properties);
    return (
      entity &&
      Object.fromEntries(
        this.metadata.columns.map(({ databaseName, propertyName }) => [databaseName, entity[propertyName]]),
      )
    );
  }

  /** @param mac as for `ProtectedColumns.contentOf` */
  private contentOf(values: Readonly<Record<string, unknown>>, mac: string | null = null): string {
    return this.protection.contentOf(this.entityOf(values), mac);
  }

  private entityOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      this.metadata.columns.map(({ databaseName, propertyName }) => [propertyName, values[databaseName]]),
    );
  }

  private escape(name: string): string {
    return this.metadata.dataSource.driver.escape(name);
  }
}
