import type { TableColumnOptions } from 'typeorm';
import { AddColumnsMigration } from './create-table';

export class AddSignerIdentity1795000003000 extends AddColumnsMigration {
  readonly table = 'signers';
  readonly columns: TableColumnOptions[] = [
    { name: 'address', type: 'varchar', length: '42', isNullable: true },
    { name: 'public_key', type: 'varchar', length: '132', isNullable: true },
  ];
}
