import type { TableColumnOptions } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/** Counts how often a ledger was lowered, so that a nonce that was read before does not raise it again. */
export class AddNonceLowerings1795000065000 extends AddColumnsMigration {
  readonly table = 'account_nonces';
  /** The default keeps the ledgers valid that instances of the version before create. */
  readonly columns: TableColumnOptions[] = [{ name: 'lowerings', type: 'integer', default: 0 }];
}
