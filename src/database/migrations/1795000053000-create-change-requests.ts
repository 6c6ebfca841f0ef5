import { createdAtColumn, CreateTableMigration, idColumn, type NewTable } from './create-table';

/** Changes that wait for approval by others. */
export class CreateChangeRequests1795000053000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'change_requests',
    columns: [
      idColumn,
      { name: 'kinds', type: 'json' },
      { name: 'operation', type: 'varchar', length: '64' },
      { name: 'request', type: 'json' },
      { name: 'secrets', type: 'text', isNullable: true },
      { name: 'base', type: 'varchar', length: '64' },
      { name: 'relayer_id', type: 'varchar', length: '36', isNullable: true },
      { name: 'relayer_group', type: 'varchar', length: '36', isNullable: true },
      { name: 'requested_by', type: 'varchar', length: '64' },
      { name: 'needed', type: 'integer' },
      { name: 'approvals', type: 'json' },
      { name: 'status', type: 'varchar', length: '16' },
      { name: 'idempotency_key', type: 'varchar', length: '255', isNullable: true },
      { name: 'request_digest', type: 'varchar', length: '64', isNullable: true },
      { name: 'code', type: 'varchar', length: '64', isNullable: true },
      { name: 'expires_at', type: 'datetime', precision: 6 },
      { name: 'finished_at', type: 'datetime', precision: 6, isNullable: true },
      { name: 'finished_by', type: 'varchar', length: '64', isNullable: true },
      { name: 'mac', type: 'varchar', length: '80', isNullable: true },
      createdAtColumn,
    ],
    indices: [
      { name: 'ix_change_requests_created_at', columnNames: ['created_at', 'id'] },
      { name: 'ix_change_requests_status', columnNames: ['status', 'created_at', 'id'] },
      { name: 'ix_change_requests_finished_at', columnNames: ['finished_at'] },
      {
        name: 'uq_change_requests_idempotency_key',
        columnNames: ['relayer_id', 'idempotency_key'],
        isUnique: true,
      },
    ],
  };
}
