import { type MigrationInterface, type QueryRunner, TableColumn, TableIndex } from 'typeorm';

const COLUMNS = [
  new TableColumn({ name: 'next_check_at', type: 'datetime', precision: 6, isNullable: true }),
  new TableColumn({ name: 'failed_checks', type: 'integer', default: 0 }),
];
const INDEX = new TableIndex({ name: 'ix_relayers_next_check_at', columnNames: ['next_check_at'] });

/** When a relayer is to be checked. Each step skips what an interrupted attempt has already done. */
export class AddRelayerChecks1795000020000 implements MigrationInterface {
  readonly name = 'AddRelayerChecks1795000020000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      if (!(await queryRunner.hasColumn('relayers', column.name)))
        await queryRunner.addColumn('relayers', column);
    const relayers = await queryRunner.getTable('relayers');
    if (!relayers?.indices.some(({ name }) => name === INDEX.name))
      await queryRunner.createIndex('relayers', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('relayers', INDEX);
    await queryRunner.dropColumns('relayers', COLUMNS);
  }
}
