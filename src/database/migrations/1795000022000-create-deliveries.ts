import { createdAtColumn, CreateTableMigration, idColumn, type NewTable, reference } from './create-table';

export class CreateDeliveries1795000022000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'deliveries',
    columns: [
      idColumn,
      { name: 'notification_id', type: 'varchar', length: '36' },
      { name: 'event', type: 'varchar', length: '32' },
      { name: 'payload', type: 'json' },
      { name: 'state', type: 'varchar', length: '16' },
      { name: 'attempts', type: 'integer' },
      { name: 'give_up_at', type: 'datetime', precision: 6 },
      { name: 'next_attempt_at', type: 'datetime', precision: 6, isNullable: true },
      { name: 'last_status', type: 'integer', isNullable: true },
      { name: 'last_failure', type: 'varchar', length: '32', isNullable: true },
      { name: 'finished_at', type: 'datetime', precision: 6, isNullable: true },
      createdAtColumn,
    ],
    indices: [
      { name: 'ix_deliveries_notification_id', columnNames: ['notification_id', 'created_at', 'id'] },
      { name: 'ix_deliveries_next_attempt_at', columnNames: ['next_attempt_at', 'notification_id'] },
      { name: 'ix_deliveries_finished_at', columnNames: ['finished_at'] },
    ],
    foreignKeys: [reference('fk_deliveries_notification', 'notification_id', 'notifications', 'CASCADE')],
  };
}
