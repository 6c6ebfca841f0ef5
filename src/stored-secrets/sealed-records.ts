import { RECORD_PREFIX_LENGTH, type SealedColumn, type SecretPlace } from '../common/secrets/secret-cipher';
import type { UnitOfWork } from '../database/unit-of-work';

/** A secret as it is stored. */
export interface SealedRecord {
  place: SecretPlace;
  sealed: string;
}

interface Row {
  id: string;
  sealed: string;
}

/** The records of one sealed column, reached by the names of table and column alone: no module need be known. */
export class SealedRecords {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly column: SealedColumn,
  ) {}

  /** The next records in the order of their ids. */
  after(id: string, limit: number): Promise<SealedRecord[]> {
    return this.select(`id > ? ORDER BY id LIMIT ${limit}`, [id]);
  }

  /** The next records that do not begin with `prefix`. */
  withoutPrefixAfter(prefix: string, id: string, limit: number): Promise<SealedRecord[]> {
    return this.select(`id > ? AND ${this.prefix()} <> ? ORDER BY id LIMIT ${limit}`, [id, prefix]);
  }

  /** One record, if there is any. */
  one(): Promise<SealedRecord[]> {
    return this.select('1 = 1 ORDER BY id DESC LIMIT 1', []);
  }

  /** One record that begins with none of `prefixes`, if there is any. */
  oneWithoutPrefixes(prefixes: readonly string[]): Promise<SealedRecord[]> {
    const list = prefixes.map(() => '?').join(', ');
    return this.select(`${this.prefix()} NOT IN (${list}) ORDER BY id LIMIT 1`, prefixes);
  }

  /** Stores `sealed` in place of what was read, unless somebody has changed it since; tells whether it did. */
  replace({ place, sealed: old }: SealedRecord, sealed: string): Promise<boolean> {
    const column = this.escape(this.column.column);
    const update = `UPDATE ${this.escape(this.column.table)} SET ${column} = ? WHERE id = ? AND ${column} = ?`;
    return this.unitOfWork.run(async () => {
      const result = await this.unitOfWork.manager.queryRunner?.query(update, [sealed, place.row, old], true);
      return result?.affected === 1;
    });
  }

  private async select(condition: string, parameters: readonly string[]): Promise<SealedRecord[]> {
    const column = this.escape(this.column.column);
    const rows = await this.unitOfWork.manager.query<Row[]>(
      `SELECT id, ${column} AS sealed FROM ${this.escape(this.column.table)} WHERE ${column} IS NOT NULL AND ${condition}`,
      [...parameters],
    );
    return rows.map(({ id, sealed }) => ({ place: { ...this.column, row: id }, sealed }));
  }

  /** Compared as text and not by LIKE, which on SQLite does not tell upper from lower case. */
  private prefix(): string {
    return `SUBSTR(${this.escape(this.column.column)}, 1, ${RECORD_PREFIX_LENGTH})`;
  }

  private escape(name: string): string {
    return this.unitOfWork.manager.dataSource.driver.escape(name);
  }
}
