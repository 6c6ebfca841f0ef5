import type { Driver, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { ApplyValueTransformers } from 'typeorm/util/ApplyValueTransformers';
import { placeholders } from '../placeholders';

/** A row as returned by the driver, by column name. */
export type RawRow = Readonly<Record<string, unknown>>;

/** The value that tells whether the driver cut off a text of the row. */
export const CUT_OFF = 'cut_off';

/** Maps database rows to entity properties like TypeORM's finders, but without looking for joins in each row. */
export class RowColumns<T extends ObjectLiteral> {
  readonly columns: readonly ColumnMetadata[];
  private readonly ambiguous: readonly ColumnMetadata[];

  /** @param properties the ones to read; by default all */
  constructor(
    private readonly metadata: EntityMetadata,
    properties?: readonly string[],
  ) {
    this.columns = metadata.columns.filter(({ propertyName }) => properties?.includes(propertyName) ?? true);
    this.ambiguous = this.columns.filter(isAmbiguous);
  }

  /** `SELECT … FROM …`. @param expressions constant SQL, read in addition to the columns */
  selectionWith(expressions: readonly string[]): string {
    const { driver } = this.metadata.dataSource;
    const names = this.columns.map(({ databaseName }) => driver.escape(databaseName));
    return `SELECT ${[...names, ...expressions].join(', ')} FROM ${this.table}`;
  }

  /** {@link selectionWith}, for rows of which nothing may be hidden from {@link readable}. */
  completeSelectionWith(expressions: readonly string[]): string {
    const { driver } = this.metadata.dataSource;
    const cutOff = this.cutOff(({ databaseName }) => driver.escape(databaseName));
    return this.selectionWith([...expressions, ...(cutOff === undefined ? [] : [`${cutOff} AS ${CUT_OFF}`])]);
  }

  /**
   * SQL for whether the driver cuts off a text of the row: that of SQLite does so at a NUL. The row would look unaltered,
   * and SQL would not find it by the text. Undefined for servers.
   */
  cutOff(nameOf: (column: ColumnMetadata) => string): string | undefined {
    if (this.metadata.dataSource.options.type !== 'better-sqlite3') return undefined;
    return this.columns.map((column) => `INSTR(${nameOf(column)}, CHAR(0)) > 0`).join(' OR ');
  }

  /** The quoted name of the table. */
  get table(): string {
    return this.metadata.dataSource.driver.escape(this.metadata.tablePath);
  }

  /** A statement that inserts rows, and its values. Undefined properties get their column's default. */
  insertionOf(rows: readonly T[]): { statement: string; values: unknown[] } {
    const { driver } = this.metadata.dataSource;
    const names = this.columns.map(({ databaseName }) => driver.escape(databaseName)).join(', ');
    const row = `(${placeholders(this.columns)})`;
    const values = rows.flatMap((each) =>
      this.columns.map((column): unknown =>
        driver.preparePersistentValue(column.getEntityValue(each) ?? column.default ?? null, column),
      ),
    );
    return {
      statement: `INSERT INTO ${this.table} (${names}) VALUES ${rows.map(() => row).join(', ')}`,
      values,
    };
  }

  /** The assignments of an update, and the values in the driver's form. @param properties the ones to set */
  assignmentsOf(row: T, properties: readonly string[]): { assignments: string; values: unknown[] } {
    const { driver } = this.metadata.dataSource;
    const changed = this.columns.filter(({ propertyName }) => properties.includes(propertyName));
    return {
      assignments: changed.map(({ databaseName }) => `${driver.escape(databaseName)} = ?`).join(', '),
      values: changed.map(
        (column) => driver.preparePersistentValue(column.getEntityValue(row), column) as unknown,
      ),
    };
  }

  /**
   * As {@link assignmentsOf}, for an update of several rows. Rows whose values differ are distinguished by id.
   *
   * @param rows at least one
   */
  assignmentsOfAll(
    rows: readonly T[],
    properties: readonly string[],
  ): { assignments: string; values: unknown[] } {
    const { driver } = this.metadata.dataSource;
    const each = rows.map((row) => this.assignmentsOf(row, properties).values);
    const changed = this.columns.filter(({ propertyName }) => properties.includes(propertyName));
    const perRow = `CASE id${' WHEN ? THEN ?'.repeat(rows.length)} END`;
    const values: unknown[] = [];
    const assignments = changed.map(({ databaseName }, i) => {
      const ofColumn = each.map((ofRow): unknown => ofRow[i]);
      const isSame = ofColumn.every((value) => isEqual(value, ofColumn[0]));
      values.push(
        ...(isSame
          ? ofColumn.slice(0, 1)
          : ofColumn.flatMap((value, row): unknown[] => [rows[row]?.id, value])),
      );
      return `${driver.escape(databaseName)} = ${isSame ? '?' : perRow}`;
    });
    return { assignments: assignments.join(', '), values };
  }

  /** @throws SyntaxError if a JSON column does not contain valid JSON */
  entityOf(raw: RawRow): T {
    const { driver } = this.metadata.dataSource;
    const entity = {} as T;
    for (const column of this.columns) {
      column.setEntityValue(entity, hydrated(driver, raw[column.databaseName], column));
    }
    return entity;
  }

  /**
   * As {@link entityOf}, but undefined if a JSON column does not contain valid JSON, or the driver cut off a text of a
   * {@link completeSelectionWith complete selection}.
   */
  readable(raw: RawRow): T | undefined {
    if (raw[CUT_OFF]) return undefined;
    try {
      return this.entityOf(raw);
    } catch {
      return undefined;
    }
  }

  /**
   * As {@link readable}, but also undefined if a time or boolean has a form that the service does not write. The row
   * would look unaltered, but SQL compares the forms differently.
   *
   * @param properties the ones to check
   */
  asWritten(raw: RawRow, properties: readonly string[]): T | undefined {
    const row = this.readable(raw);
    const { driver } = this.metadata.dataSource;
    for (const column of this.ambiguous)
      if (
        properties.includes(column.propertyName) &&
        !hasWrittenForm(driver, raw[column.databaseName], column)
      )
        return undefined;
    return row;
  }
}

/** Columns whose type has several stored forms of a value. */
const isAmbiguous = ({ type }: ColumnMetadata): boolean => type === 'datetime' || type === 'boolean';

/** Drivers of servers return times as dates, which have one form. SQLite's own times have no milliseconds. */
function hasWrittenForm(driver: Driver, value: unknown, column: ColumnMetadata): boolean {
  if (column.type === 'boolean') return value === null || value === 0 || value === 1;
  if (value === null || value instanceof Date) return true;
  const written: unknown = driver.preparePersistentValue(driver.prepareHydratedValue(value, column), column);
  return written === value || (typeof value === 'string' && written === `${value}.000`);
}

/** For servers, TypeORM takes a text that is not JSON for a JSON string. */
function hydrated(driver: Driver, value: unknown, column: ColumnMetadata): unknown {
  if (column.type !== 'json' || typeof value !== 'string') return driver.prepareHydratedValue(value, column);
  const parsed: unknown = JSON.parse(value);
  return column.transformer ? ApplyValueTransformers.transformFrom(column.transformer, parsed) : parsed;
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime());
