import { CreateTableMigration, type NewTable } from './create-table';

export class CreateSignatureNonces1795000050100 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'signature_nonces',
    columns: [
      { name: 'id', type: 'varchar', length: '64', isPrimary: true },
      { name: 'expires_at', type: 'datetime', precision: 6 },
    ],
    indices: [{ name: 'ix_signature_nonces_expires_at', columnNames: ['expires_at'] }],
  };
}
