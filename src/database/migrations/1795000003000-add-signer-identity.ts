import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { forDatabase } from './create-table';

export class AddSignerIdentity1795000003000 implements MigrationInterface {
  readonly name = 'AddSignerIdentity1795000003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of [
      { name: 'address', type: 'varchar', length: '42', isNullable: true },
      { name: 'public_key', type: 'varchar', length: '132', isNullable: true },
    ]) {
      if (await queryRunner.hasColumn('signers', column.name)) continue;
      await queryRunner.addColumn('signers', new TableColumn(forDatabase(queryRunner, column)));
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumns('signers', ['address', 'public_key']);
  }
}
