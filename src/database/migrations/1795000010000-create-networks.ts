import { createdAtColumn, CreateTableMigration, type NewTable } from './create-table';

export class CreateNetworks1795000010000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'networks',
    columns: [
      { name: 'id', type: 'varchar', length: '80', isPrimary: true },
      { name: 'name', type: 'varchar', length: '64' },
      { name: 'network_type', type: 'varchar', length: '16' },
      { name: 'chain_id', type: 'varchar', length: '20', isNullable: true },
      { name: 'symbol', type: 'varchar', length: '16', isNullable: true },
      { name: 'required_confirmations', type: 'integer', isNullable: true },
      { name: 'average_blocktime_ms', type: 'integer', isNullable: true },
      { name: 'is_testnet', type: 'boolean', isNullable: true },
      { name: 'features', type: 'json' },
      { name: 'tags', type: 'json' },
      { name: 'explorer_urls', type: 'json' },
      { name: 'rpc_urls', type: 'text', isNullable: true },
      { name: 'passphrase', type: 'varchar', length: '255', isNullable: true },
      { name: 'horizon_url', type: 'varchar', length: '2048', isNullable: true },
      createdAtColumn,
    ],
    indices: [
      { name: 'ix_networks_created_at', columnNames: ['created_at', 'id'] },
      { name: 'uq_networks_type_name', columnNames: ['network_type', 'name'], isUnique: true },
    ],
  };
}
