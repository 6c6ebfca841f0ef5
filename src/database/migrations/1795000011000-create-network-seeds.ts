import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createdAtColumn, createTable } from './create-table';

export class CreateNetworkSeeds1795000011000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'network_seeds',
      columns: [{ name: 'id', type: 'varchar', length: '80', isPrimary: true }, createdAtColumn],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('network_seeds');
  }
}
