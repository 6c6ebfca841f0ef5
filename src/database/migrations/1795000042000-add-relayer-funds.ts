import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import {
  addColumns,
  addIndex,
  createTable,
  dropColumns,
  dropIndex,
  dropTable,
  reference,
} from './create-table';

const COLUMN = { name: 'low_balance', type: 'boolean', default: 0 };
const INDEX = new TableIndex({ name: 'ix_account_spending_bucket', columnNames: ['bucket'] });

/**
 * Whether a balance is low, and the last top-up of each relayer. Each step skips what an interrupted attempt has
 * already done.
 */
export class AddRelayerFunds1795000042000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumns(queryRunner, 'relayers', [COLUMN]);
    await addIndex(queryRunner, 'account_spending', INDEX);
    await createTable(queryRunner, {
      name: 'relayer_top_ups',
      columns: [
        { name: 'relayer_id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'from_relayer_id', type: 'varchar', length: '36' },
        { name: 'idempotency_key', type: 'varchar', length: '255' },
        { name: 'tried_at', type: 'datetime', precision: 6 },
      ],
      foreignKeys: [reference('fk_relayer_top_ups_relayer', 'relayer_id', 'relayers', 'CASCADE')],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropTable(queryRunner, 'relayer_top_ups');
    await dropIndex(queryRunner, 'account_spending', INDEX);
    await dropColumns(queryRunner, 'relayers', [COLUMN]);
  }
}
