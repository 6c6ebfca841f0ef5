import {
  createdAtColumn,
  createTable,
  idColumn,
  relayerIdColumn,
  relayerReference,
} from 'relayer-management-service';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'acme_ledger_entries';

/** The timestamp at the end of the name orders the plugin's migrations; those of the service always run first. */
export class CreateLedgerEntries1796000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: TABLE,
      columns: [
        idColumn,
        relayerIdColumn,
        { name: 'statement', type: 'varchar', length: '255' },
        { name: 'signature', type: 'varchar', length: '130' },
        createdAtColumn,
      ],
      foreignKeys: [relayerReference(TABLE, 'block')],
      indices: [{ name: 'ix_acme_ledger_entries_relayer_id', columnNames: ['relayer_id', 'created_at'] }],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(TABLE);
  }
}
