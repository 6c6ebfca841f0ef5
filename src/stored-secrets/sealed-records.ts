import type { Secret } from '../common/secrets/secret';
import {
  RECORD_PREFIX_LENGTH,
  readableOr,
  type SealedColumn,
  type SecretCipher,
  type SecretPlace,
} from '../secrets/secret-cipher';
import { affectedRows } from '../database/affected-rows';
import type { UnitOfWork } from '../database/unit-of-work';
import { type IdRange, idRanges, inRange } from './id-ranges';
import { type RotatingRecords, UnusableRecordError } from './rotating-records';

const UNREADABLE = 'cannot be decrypted with the storage keys';

/** A secret in its stored form. */
export interface SealedRecord {
  id: string;
  sealed: string;
}

/**
 * The records of one sealed column of a table without MACs. They are accessed by table and column name, independent of
 * the table's module.
 */
export class SealedRecords implements RotatingRecords<SealedRecord> {
  readonly name: string;
  private readonly newestPrefix: string;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly column: SealedColumn,
  ) {
    this.name = `${column.table}.${column.column}`;
    this.newestPrefix = cipher.newestPrefix(column);
    if (column.boundTo)
      throw new Error(`${this.name} is bound to other columns, so its table must be protected`);
  }

  after(id: string, limit: number): Promise<SealedRecord[]> {
    return this.select(`id > ? ORDER BY id LIMIT ${limit}`, [id]);
  }

  ranges(): AsyncGenerator<IdRange, void> {
    return idRanges(this.unitOfWork.manager, this.column.table);
  }

  /** Does not use LIKE, which is case-insensitive on SQLite. */
  outdatedIn(range: IdRange, limit: number): Promise<SealedRecord[]> {
    const prefix = `SUBSTR(${this.escape(this.column.column)}, 1, ${RECORD_PREFIX_LENGTH})`;
    const { condition, parameters } = inRange(range);
    return this.select(`${condition} AND ${prefix} <> ? ORDER BY id LIMIT ${limit}`, [
      ...parameters,
      this.newestPrefix,
    ]);
  }

  isCurrent({ sealed }: SealedRecord): boolean {
    return sealed.startsWith(this.newestPrefix);
  }

  faultOf(record: SealedRecord): string | undefined {
    return this.textOf(record) ? undefined : UNREADABLE;
  }

  async renew(record: SealedRecord): Promise<boolean> {
    const text = this.textOf(record);
    if (!text) throw new UnusableRecordError(this.name, record.id, UNREADABLE);
    const sealed = this.cipher.seal(text, this.placeOf(record));
    const column = this.escape(this.column.column);
    const update = `UPDATE ${this.escape(this.column.table)} SET ${column} = ? WHERE id = ? AND ${column} = ?`;
    return this.unitOfWork.run(async () => {
      const parameters = [sealed, record.id, record.sealed];
      return (await affectedRows(this.unitOfWork.manager, update, parameters)) === 1;
    });
  }

  private textOf(record: SealedRecord): Secret | undefined {
    return readableOr(undefined, () => this.cipher.open(record.sealed, this.placeOf(record)));
  }

  private placeOf({ id }: SealedRecord): SecretPlace {
    return { ...this.column, row: id };
  }

  private select(condition: string, parameters: readonly string[]): Promise<SealedRecord[]> {
    const column = this.escape(this.column.column);
    return this.unitOfWork.manager.query<SealedRecord[]>(
      `SELECT id, ${column} AS sealed FROM ${this.escape(this.column.table)} WHERE ${column} IS NOT NULL AND ${condition}`,
      [...parameters],
    );
  }

  private escape(name: string): string {
    return this.unitOfWork.manager.dataSource.driver.escape(name);
  }
}
