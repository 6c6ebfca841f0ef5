import { type MigrationInterface, type QueryRunner, TableColumn, TableIndex } from 'typeorm';
import { forDatabase } from './create-table';

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
  readonly name = 'AddDeliveryRelayer1795000051100';

  async up(queryRunner: QueryRunner): Promise<void> {
    if (!(await queryRunner.hasColumn('deliveries', COLUMN.name)))
      await queryRunner.addColumn('deliveries', new TableColumn(forDatabase(queryRunner, COLUMN)));
    const deliveries = await queryRunner.getTable('deliveries');
    if (!deliveries?.indices.some(({ name }) => name === INDEX.name))
      await queryRunner.createIndex('deliveries', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('deliveries', INDEX);
    await queryRunner.dropColumn('deliveries', COLUMN.name);
  }
}
