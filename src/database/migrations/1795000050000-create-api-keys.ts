import { createdAtColumn, CreateTableMigration, idColumn, type NewTable } from './create-table';

export class CreateApiKeys1795000050000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'api_keys',
    columns: [
      idColumn,
      { name: 'name', type: 'varchar', length: '255' },
      { name: 'secret_hash', type: 'varchar', length: '64', isNullable: true },
      { name: 'previous_secret_hash', type: 'varchar', length: '64', isNullable: true },
      { name: 'previous_valid_until', type: 'datetime', precision: 6, isNullable: true },
      { name: 'public_key', type: 'text', isNullable: true },
      { name: 'scopes', type: 'json' },
      { name: 'relayers', type: 'json', isNullable: true },
      { name: 'relayer_groups', type: 'json', isNullable: true },
      { name: 'allowed_ips', type: 'json', isNullable: true },
      { name: 'rate_limit', type: 'json', isNullable: true },
      { name: 'expires_at', type: 'datetime', precision: 6, isNullable: true },
      { name: 'created_by', type: 'varchar', length: '36' },
      { name: 'last_used_at', type: 'datetime', precision: 6, isNullable: true },
      { name: 'revoked_at', type: 'datetime', precision: 6, isNullable: true },
      { name: 'mac', type: 'varchar', length: '80', isNullable: true },
      createdAtColumn,
    ],
    indices: [{ name: 'ix_api_keys_created_at', columnNames: ['created_at', 'id'] }],
  };
}
