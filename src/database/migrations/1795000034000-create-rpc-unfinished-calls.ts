import { CreateTableMigration, type NewTable } from './create-table';

export class CreateRpcUnfinishedCalls1795000034000 extends CreateTableMigration {
  readonly table: NewTable = {
    name: 'rpc_unfinished_calls',
    columns: [
      { name: 'origin', type: 'varchar', length: '300', isPrimary: true },
      { name: 'attempts', type: 'integer' },
      { name: 'started_at', type: 'datetime', precision: 6 },
    ],
  };
}
