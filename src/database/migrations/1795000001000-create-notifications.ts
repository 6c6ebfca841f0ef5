import { createdAtColumn, CreateTableMigration, idColumn, type NewTable } from './create-table';

export class CreateNotifications1795000001000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'notifications',
    columns: [
      idColumn,
      { name: 'type', type: 'varchar', length: '16' },
      { name: 'url', type: 'varchar', length: '2048' },
      { name: 'signing_key', type: 'text', isNullable: true },
      createdAtColumn,
    ],
    indices: [{ name: 'ix_notifications_created_at', columnNames: ['created_at', 'id'] }],
  };
}
