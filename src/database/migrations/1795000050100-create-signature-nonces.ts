import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './create-table';

export class CreateSignatureNonces1795000050100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'signature_nonces',
      columns: [
        { name: 'id', type: 'varchar', length: '64', isPrimary: true },
        { name: 'expires_at', type: 'datetime', precision: 6 },
      ],
      indices: [{ name: 'ix_signature_nonces_expires_at', columnNames: ['expires_at'] }],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('signature_nonces');
  }
}
