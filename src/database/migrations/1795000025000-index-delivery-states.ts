import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addIndex, dropIndex } from './create-table';

const STATES = new TableIndex({
  name: 'ix_deliveries_state',
  columnNames: ['notification_id', 'state', 'created_at', 'id'],
});

/** Few deliveries are dead: with the index they are found without scanning all others. */
export class IndexDeliveryStates1795000025000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addIndex(queryRunner, 'deliveries', STATES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndex(queryRunner, 'deliveries', STATES);
  }
}
