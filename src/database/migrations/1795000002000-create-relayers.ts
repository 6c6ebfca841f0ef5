import { createdAtColumn, CreateTableMigration, idColumn, type NewTable, reference } from './create-table';

export class CreateRelayers1795000002000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'relayers',
    columns: [
      idColumn,
      { name: 'name', type: 'varchar', length: '255' },
      { name: 'network', type: 'varchar', length: '64' },
      { name: 'network_type', type: 'varchar', length: '16' },
      { name: 'address', type: 'varchar', length: '64' },
      { name: 'signer_id', type: 'varchar', length: '36' },
      { name: 'notification_id', type: 'varchar', length: '36', isNullable: true },
      { name: 'paused', type: 'boolean' },
      { name: 'system_disabled', type: 'boolean' },
      { name: 'disabled_reason', type: 'json', isNullable: true },
      { name: 'custom_rpc_urls', type: 'text', isNullable: true },
      { name: 'policies', type: 'json' },
      createdAtColumn,
    ],
    indices: [
      { name: 'ix_relayers_created_at', columnNames: ['created_at', 'id'] },
      { name: 'ix_relayers_notification_id', columnNames: ['notification_id'] },
      {
        name: 'uq_relayers_signer_network',
        columnNames: ['signer_id', 'network_type', 'network'],
        isUnique: true,
      },
    ],
    foreignKeys: [
      reference('fk_relayers_signer', 'signer_id', 'signers', 'RESTRICT'),
      reference('fk_relayers_notification', 'notification_id', 'notifications', 'RESTRICT'),
    ],
  };
}
