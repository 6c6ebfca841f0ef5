import type { TableColumnOptions } from 'typeorm';
import { AddColumnsMigration } from './create-table';

export class AddNetworkRpcMethods1795000021000 extends AddColumnsMigration {
  readonly table = 'networks';
  readonly columns: TableColumnOptions[] = [{ name: 'rpc_methods', type: 'json', isNullable: true }];
}
