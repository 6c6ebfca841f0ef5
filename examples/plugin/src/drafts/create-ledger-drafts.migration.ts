import { createTable, idColumn, relayerIdColumn, relayerReference } from 'relayer-management-service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'acme_ledger_drafts';

export class CreateLedgerDrafts1796000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: TABLE,
      columns: [
        idColumn,
        relayerIdColumn,
        { name: 'statement', type: 'varchar', length: '255' },
        { name: 'due_at', type: 'datetime', precision: 6 },
      ],
      foreignKeys: [relayerReference(TABLE, 'delete-rows')],
      indices: [
        { name: 'ix_acme_ledger_drafts_relayer_id', columnNames: ['relayer_id'] },
        { name: 'ix_acme_ledger_drafts_due_at', columnNames: ['due_at'] },
      ],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(TABLE);
  }
}
