import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';

/** A row as returned by the driver, by column name. */
export type RawRow = Readonly<Record<string, unknown>>;

/** Maps database rows to entity properties like TypeORM's finders, but without looking for joins in each row. */
export class RowColumns<T extends ObjectLiteral> {
  readonly columns: readonly ColumnMetadata[];

  /** @param properties to read; all if omitted */
  constructor(
    private readonly metadata: EntityMetadata,
    properties?: readonly string[],
  ) {
    this.columns = metadata.columns.filter(({ propertyName }) => properties?.includes(propertyName) ?? true);
  }

  /** `SELECT … FROM …` */
  get selection(): string {
    return this.selectionWith([]);
  }

  /** {@link selection} with further expressions. @param expressions constant SQL */
  selectionWith(expressions: readonly string[]): string {
    const { driver } = this.metadata.dataSource;
    const names = this.columns.map(({ databaseName }) => driver.escape(databaseName));
    return `SELECT ${[...names, ...expressions].join(', ')} FROM ${this.table}`;
  }

  /** Its name, as statements have it. */
  get table(): string {
    return this.metadata.dataSource.driver.escape(this.metadata.tablePath);
  }

  /** What an update sets, and the values as the driver takes them. @param properties which ones are set */
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

  /** @throws SyntaxError if a JSON column does not contain JSON */
  entityOf(raw: RawRow): T {
    const { driver } = this.metadata.dataSource;
    const entity = {} as T;
    for (const column of this.columns) {
      column.setEntityValue(entity, driver.prepareHydratedValue(raw[column.databaseName], column));
    }
    return entity;
  }
}
