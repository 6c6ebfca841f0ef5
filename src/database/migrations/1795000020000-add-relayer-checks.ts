import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addColumns, addIndex } from './create-table';

const COLUMNS = [
  { name: 'next_check_at', type: 'datetime', precision: 6, isNullable: true },
  { name: 'failed_checks', type: 'integer', default: 0 },
];
const INDEX = new TableIndex({ name: 'ix_relayers_next_check_at', columnNames: ['next_check_at'] });

/** When a relayer is to be checked. Each step skips what an interrupted attempt has already done. */
export class AddRelayerChecks1795000020000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'relayers', COLUMNS);
    await addIndex(queryRunner, 'relayers', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('relayers', INDEX);
    await queryRunner.dropColumns(
      'relayers',
      COLUMNS.map(({ name }) => name),
    );
  }
}
