import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the transaction fees of a network are determined. */
export class AddNetworkFees1795000061000 implements MigrationInterface {
  /** Does not use TypeORM, which copies the table on SQLite; rows that refer to it do not allow that. */
  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await queryRunner.hasColumn('networks', 'fees')))
      await queryRunner.query('ALTER TABLE networks ADD COLUMN fees json NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (await queryRunner.hasColumn('networks', 'fees'))
      await queryRunner.query('ALTER TABLE networks DROP COLUMN fees');
  }
}
