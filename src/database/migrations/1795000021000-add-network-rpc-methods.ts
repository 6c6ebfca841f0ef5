import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

export class AddNetworkRpcMethods1795000021000 implements MigrationInterface {
  readonly name = 'AddNetworkRpcMethods1795000021000';

  async up(queryRunner: QueryRunner): Promise<void> {
    if (await queryRunner.hasColumn('networks', 'rpc_methods')) return;
    await queryRunner.addColumn(
      'networks',
      new TableColumn({ name: 'rpc_methods', type: 'json', isNullable: true }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumn('networks', 'rpc_methods');
  }
}
