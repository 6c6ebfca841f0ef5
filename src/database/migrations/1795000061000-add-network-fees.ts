import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the fees of transactions on a network are found. */
export class AddNetworkFees1795000061000 implements MigrationInterface {
  readonly name = 'AddNetworkFees1795000061000';

  /** Not by TypeORM, which copies the table on SQLite; references to its rows do not allow that. */
  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await queryRunner.hasColumn('networks', 'fees')))
      await queryRunner.query('ALTER TABLE networks ADD COLUMN fees json NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (await queryRunner.hasColumn('networks', 'fees'))
      await queryRunner.query('ALTER TABLE networks DROP COLUMN fees');
  }
}
