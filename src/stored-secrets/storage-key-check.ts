import { Injectable } from '@nestjs/common';
import { MAC_PREFIX_LENGTH, RowMacs } from '../secrets/row-macs';
import { RECORD_PREFIX_LENGTH, SecretCipher } from '../secrets/secret-cipher';
import { ConfigurationError } from '../config/configuration-error';
import { placeholders } from '../database/placeholders';
import { UnitOfWork } from '../database/unit-of-work';
import { ROWS_PER_STATEMENT } from './id-ranges';
import type { NamedRow } from './stored-table';

/** The maximum number of different prefixes to check in a column; the service never writes more. */
const MAX_PREFIXES = 1000;
/** The prefix of a secret or MAC, with the version of its key. */
const RECORD = /^(?:v1|v2|m1|m2)\.([0-9a-f]{12})\.$/;

/** A column whose records begin with a prefix of this length. */
interface Prefixes {
  table: string;
  column: string;
  length: number;
}

/** A secret or MAC, and the version of its key. */
interface KeyedRecord {
  table: string;
  column: string;
  id: string;
  version: string;
}

/** What to do if the storage key that rows were written with is not configured. */
export const STORAGE_KEY_REMEDY =
  'Set the key that the database was written with, or append it to the list; a backup of the keys has it.';

/** Checks at startup that the storage keys include all those that the database was written with. */
@Injectable()
export class StorageKeyCheck {
  private hasFoundNothing = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly macs: RowMacs,
  ) {}

  /**
   * Searches each column for a secret or MAC whose key is not configured: removing an old key too early prevents
   * startup, instead of failing the first signature. A record without a key version was altered, and is handled when it
   * is used.
   *
   * Of a large table, it reads the rows with the lowest and the highest ids. A rotation that was interrupted has left the
   * highest, because it goes in the order of ids; and ids of transactions are random, so the ends are a fair sample.
   *
   * @param except rows that are not checked
   * @throws ConfigurationError with the location of a record whose key is missing
   */
  async verify(except: readonly NamedRow[] = []): Promise<void> {
    this.hasFoundNothing = true;
    for await (const record of this.records(except)) {
      this.hasFoundNothing = false;
      if (!this.isKnown(record)) throw lacking(record);
    }
  }

  /**
   * Checks again if {@link verify} has found an empty database: another instance may have filled it since, with keys that
   * are not configured here.
   *
   * @throws ConfigurationError like {@link verify}
   */
  async verifyFirstRows(): Promise<void> {
    if (this.hasFoundNothing) await this.verify();
  }

  /**
   * Like {@link verify}, but passes if any of the records has a key that is configured: the others were altered, or
   * their key is lost.
   *
   * @throws ConfigurationError
   */
  async verifyAny(): Promise<void> {
    let first: KeyedRecord | undefined;
    for await (const record of this.records([])) {
      if (this.isKnown(record)) return;
      first ??= record;
    }
    if (first) throw lacking(first);
  }

  private isKnown({ version }: KeyedRecord): boolean {
    return this.cipher.keyVersions.includes(version);
  }

  private async *records(except: readonly NamedRow[]): AsyncGenerator<KeyedRecord> {
    const sealed = this.cipher.columns.map(({ table, column }) => ({
      table,
      column,
      length: RECORD_PREFIX_LENGTH,
    }));
    const macs = this.macs.tables.map(({ table }) => ({ table, column: 'mac', length: MAC_PREFIX_LENGTH }));
    for (const place of [...sealed, ...macs]) {
      const ids = except.filter(({ table }) => table === place.table).map(({ id }) => id);
      for (const order of ['ASC', 'DESC'] as const) yield* await this.recordsAtEnd(place, ids, order);
    }
  }

  private async recordsAtEnd(
    { table, column, length }: Prefixes,
    except: readonly string[],
    order: 'ASC' | 'DESC',
  ): Promise<KeyedRecord[]> {
    const { driver } = this.unitOfWork.manager.dataSource;
    const others = except.length === 0 ? '' : ` AND id NOT IN (${placeholders(except)})`;
    const end =
      `SELECT id, SUBSTR(${driver.escape(column)}, 1, ${length}) AS prefix FROM ${driver.escape(table)} ` +
      `ORDER BY id ${order} LIMIT ${ROWS_PER_STATEMENT}`;
    const found = await this.unitOfWork.manager.query<{ id: string; prefix: string }[]>(
      `SELECT MIN(id) AS id, prefix FROM (${end}) AS rows_at_end ` +
        `WHERE prefix IS NOT NULL${others} GROUP BY prefix ORDER BY 1 LIMIT ${MAX_PREFIXES}`,
      [...except],
    );
    return found.flatMap(({ id, prefix }) => {
      const version = RECORD.exec(prefix)?.[1];
      return version === undefined ? [] : [{ table, column, id, version }];
    });
  }
}

const lacking = ({ table, column, id, version }: KeyedRecord): ConfigurationError =>
  new ConfigurationError([
    `STORAGE_ENCRYPTION_KEY lacks a key that this database was written with: ` +
      `${table}.${column} of row ${id} names the key ${version}, which is not in the list`,
  ]);
