import { CreateTableMigration, idColumn, type NewTable, reference } from './create-table';

export class CreateDeliveryAttempts1795000023000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'delivery_attempts',
    columns: [
      idColumn,
      { name: 'delivery_id', type: 'varchar', length: '36' },
      { name: 'started_at', type: 'datetime', precision: 6 },
      { name: 'duration_ms', type: 'integer' },
      { name: 'status', type: 'integer', isNullable: true },
      { name: 'failure', type: 'varchar', length: '32', isNullable: true },
      { name: 'answer', type: 'text', isNullable: true },
    ],
    indices: [{ name: 'ix_delivery_attempts_delivery_id', columnNames: ['delivery_id', 'started_at', 'id'] }],
    foreignKeys: [reference('fk_delivery_attempts_delivery', 'delivery_id', 'deliveries', 'CASCADE')],
  };
}
