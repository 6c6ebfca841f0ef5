import { CreateTableMigration, idColumn, type NewTable } from './create-table';

export class CreateSigningFreeze1795000030100 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'signing_freeze',
    columns: [
      idColumn,
      { name: 'reason', type: 'varchar', length: '255' },
      { name: 'frozen_at', type: 'datetime', precision: 6 },
    ],
  };
}
