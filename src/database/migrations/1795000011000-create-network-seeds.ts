import { createdAtColumn, CreateTableMigration, type NewTable } from './create-table';

export class CreateNetworkSeeds1795000011000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'network_seeds',
    columns: [{ name: 'id', type: 'varchar', length: '80', isPrimary: true }, createdAtColumn],
  };
}
