import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addColumns, addIndex } from './create-table';

const COLUMN = { name: 'relayer_group', type: 'varchar', length: '36', isNullable: true };
const INDEX = new TableIndex({ name: 'ix_relayers_relayer_group', columnNames: [COLUMN.name] });

/** The label by which API keys reach several relayers. Each step skips what an interrupted attempt has already done. */
export class AddRelayerGroup1795000051000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'relayers', [COLUMN]);
    await addIndex(queryRunner, 'relayers', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('relayers', INDEX);
    await queryRunner.dropColumn('relayers', COLUMN.name);
  }
}
