import { type MigrationInterface, type QueryRunner, TableColumn, TableIndex } from 'typeorm';
import { forDatabase } from './create-table';

const COLUMN = { name: 'relayer_group', type: 'varchar', length: '36', isNullable: true };
const INDEX = new TableIndex({ name: 'ix_relayers_relayer_group', columnNames: [COLUMN.name] });

/** The label by which API keys reach several relayers. Each step skips what an interrupted attempt has already done. */
export class AddRelayerGroup1795000051000 implements MigrationInterface {
  readonly name = 'AddRelayerGroup1795000051000';

  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await queryRunner.hasColumn('relayers', COLUMN.name)))
      await queryRunner.addColumn('relayers', new TableColumn(forDatabase(queryRunner, COLUMN)));
    const relayers = await queryRunner.getTable('relayers');
    if (!relayers?.indices.some(({ name }) => name === INDEX.name))
      await queryRunner.createIndex('relayers', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('relayers', INDEX);
    await queryRunner.dropColumn('relayers', COLUMN.name);
  }
}
