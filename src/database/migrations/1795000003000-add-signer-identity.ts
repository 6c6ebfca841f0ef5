import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

export class AddSignerIdentity1795000003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'signers', [
      { name: 'address', type: 'varchar', length: '42', isNullable: true },
      { name: 'public_key', type: 'varchar', length: '132', isNullable: true },
    ]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumns('signers', ['address', 'public_key']);
  }
}
