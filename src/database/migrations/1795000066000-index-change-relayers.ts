import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addIndex, dropIndex } from './create-table';

const INDEXES = [
  new TableIndex({
    name: 'ix_change_requests_relayer_id',
    columnNames: ['relayer_id', 'created_at', 'id'],
  }),
  new TableIndex({
    name: 'ix_change_requests_relayer_group',
    columnNames: ['relayer_group', 'created_at', 'id'],
  }),
];

/** API keys that are limited to some relayers or groups find the changes about these without reading all others. */
export class IndexChangeRelayers1795000066000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await addIndex(queryRunner, 'change_requests', index);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await dropIndex(queryRunner, 'change_requests', index);
  }
}
