import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './create-table';

/** Relayers that were deleted before are those whose deletion the audit log contains. */
export class CreateDeletedRelayers1795000067000 implements MigrationInterface {
  readonly name = 'CreateDeletedRelayers1795000067000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'deleted_relayers',
      columns: [
        { name: 'id', type: 'varchar', length: '36', isPrimary: true },
        { name: 'address', type: 'varchar', length: '64', isPrimary: true },
        { name: 'chain_id', type: 'varchar', length: '20', isPrimary: true },
        { name: 'deleted_at', type: 'datetime', precision: 6 },
      ],
      indices: [{ name: 'ix_deleted_relayers_account', columnNames: ['address', 'chain_id'] }],
    });
    // MySQL keeps the rows of a migration that was interrupted.
    await queryRunner.query('DELETE FROM deleted_relayers');
    const isSqlite = queryRunner.dataSource.options.type === 'better-sqlite3';
    const before = (field: string): string => {
      const value = `json_extract(changes, '$.${field}.before')`;
      return `COALESCE(${isSqlite ? value : `json_unquote(${value})`}, '')`;
    };
    await queryRunner.query(
      `INSERT INTO deleted_relayers (id, address, chain_id, deleted_at)
       SELECT relayer_id, ${before('address')}, ${before('chain_id')}, MIN(at) FROM audit_events
       WHERE action = 'relayer.delete' AND outcome = 'success' AND relayer_id IS NOT NULL
       GROUP BY 1, 2, 3`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('deleted_relayers');
  }
}
