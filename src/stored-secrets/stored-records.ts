import type { RowMacs } from '../secrets/row-macs';
import type { SecretCipher } from '../secrets/secret-cipher';
import type { UnitOfWork } from '../database/unit-of-work';
import type { RotatingRecords } from './rotating-records';
import { SealedRecords } from './sealed-records';
import { StoredTable } from './stored-table';

/** Everything that storage keys protect: the rows of protected tables, and the sealed columns of other tables. */
export class StoredRecords {
  readonly tables: readonly StoredTable[];
  readonly columns: readonly SealedRecords[];

  constructor(unitOfWork: UnitOfWork, cipher: SecretCipher, macs: RowMacs) {
    this.tables = macs.tables.map((table) => new StoredTable(unitOfWork, cipher, macs, table));
    this.columns = cipher.columns
      .filter(({ table }) => macs.tables.every((declared) => declared.table !== table))
      .map((column) => new SealedRecords(unitOfWork, cipher, column));
  }

  get all(): readonly RotatingRecords[] {
    return [...this.tables, ...this.columns];
  }
}
