import { type TableColumnOptions, TableIndex } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/** When a relayer is to be checked. */
export class AddRelayerChecks1795000020000 extends AddColumnsMigration {
  readonly table = 'relayers';
  readonly columns: TableColumnOptions[] = [
    { name: 'next_check_at', type: 'datetime', precision: 6, isNullable: true },
    { name: 'failed_checks', type: 'integer', default: 0 },
  ];
  override readonly index = new TableIndex({
    name: 'ix_relayers_next_check_at',
    columnNames: ['next_check_at'],
  });
}
