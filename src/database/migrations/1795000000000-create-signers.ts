import { createdAtColumn, CreateTableMigration, idColumn, type NewTable } from './create-table';

export class CreateSigners1795000000000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'signers',
    columns: [
      idColumn,
      { name: 'kind', type: 'varchar', length: '32' },
      { name: 'settings', type: 'json' },
      { name: 'secret', type: 'text', isNullable: true },
      createdAtColumn,
    ],
    indices: [{ name: 'ix_signers_created_at', columnNames: ['created_at', 'id'] }],
  };
}
