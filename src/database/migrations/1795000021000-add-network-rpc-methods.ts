import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

export class AddNetworkRpcMethods1795000021000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'networks', [{ name: 'rpc_methods', type: 'json', isNullable: true }]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumn('networks', 'rpc_methods');
  }
}
