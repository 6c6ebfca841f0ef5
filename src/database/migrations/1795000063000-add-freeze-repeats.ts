import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns } from './create-table';

/** The default keeps statements that freeze by hand valid. */
const COLUMN = { name: 'frozen_again', type: 'integer', default: 0 };

/** Counts how often signing was frozen again, so that an earlier approval to unfreeze does not apply. */
export class AddFreezeRepeats1795000063000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'signing_freeze', [COLUMN]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumn('signing_freeze', COLUMN.name);
  }
}
