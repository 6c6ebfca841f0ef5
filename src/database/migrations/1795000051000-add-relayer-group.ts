import { type TableColumnOptions, TableIndex } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/** The label by which API keys reach several relayers. */
export class AddRelayerGroup1795000051000 extends AddColumnsMigration {
  readonly table = 'relayers';
  readonly columns: TableColumnOptions[] = [
    { name: 'relayer_group', type: 'varchar', length: '36', isNullable: true },
  ];
  override readonly index = new TableIndex({
    name: 'ix_relayers_relayer_group',
    columnNames: ['relayer_group'],
  });
}
