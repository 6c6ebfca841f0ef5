import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addColumns, addIndex } from './create-table';

const COLUMN = { name: 'relayer_id', type: 'varchar', length: '36', isNullable: true };
const INDEX = new TableIndex({
  name: 'ix_deliveries_relayer_id',
  columnNames: ['notification_id', COLUMN.name, 'created_at', 'id'],
});

/**
 * The relayer that a delivery is about, for API keys that are limited to some relayers. Existing deliveries have none,
 * so such keys do not see them; they are purged within `WEBHOOK_RETENTION_DAYS`. Each step skips what an interrupted
 * attempt has already done.
 */
export class AddDeliveryRelayer1795000051100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'deliveries', [COLUMN]);
    await addIndex(queryRunner, 'deliveries', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('deliveries', INDEX);
    await queryRunner.dropColumn('deliveries', COLUMN.name);
  }
}
