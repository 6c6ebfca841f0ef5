import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createdAtColumn, createTable, dropTable, idColumn } from './create-table';

/** The position of a row, which makes the order unambiguous for rows with the same time. */
const PLACE = ['at', 'chain', 'sequence'];

export class CreateAuditLog1795000052000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'audit_chains',
      columns: [
        idColumn,
        { name: 'name', type: 'varchar', length: '128' },
        { name: 'sequence', type: 'bigint' },
        { name: 'hash', type: 'varchar', length: '64' },
        { name: 'pruned_at', type: 'datetime', precision: 6, isNullable: true },
        { name: 'exported', type: 'bigint', default: 0 },
        { name: 'export_at', type: 'datetime', precision: 6, isNullable: true },
        { name: 'mac', type: 'varchar', length: '80', isNullable: true },
        createdAtColumn,
      ],
      indices: [
        { name: 'ix_audit_chains_export_at', columnNames: ['export_at'] },
        { name: 'ix_audit_chains_created_at', columnNames: ['created_at', 'id'] },
      ],
    });
    await createTable(queryRunner, {
      name: 'audit_events',
      withoutRowid: true,
      columns: [
        { name: 'chain', type: 'integer', isPrimary: true },
        { name: 'sequence', type: 'bigint', isPrimary: true },
        { name: 'at', type: 'datetime', precision: 6 },
        { name: 'key_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'action', type: 'varchar', length: '64' },
        { name: 'relayer_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'signer_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'request_id', type: 'varchar', length: '128', isNullable: true },
        { name: 'client_ip', type: 'varchar', length: '64', isNullable: true },
        { name: 'outcome', type: 'varchar', length: '8' },
        { name: 'code', type: 'varchar', length: '64', isNullable: true },
        { name: 'digest', type: 'varchar', length: '64', isNullable: true },
        { name: 'form', type: 'varchar', length: '32', isNullable: true },
        { name: 'changes', type: 'json', isNullable: true },
        { name: 'hash', type: 'varchar', length: '64' },
      ],
      indices: [
        { name: 'ix_audit_events_at', columnNames: PLACE },
        { name: 'ix_audit_events_action', columnNames: ['action', ...PLACE] },
        { name: 'ix_audit_events_relayer_id', columnNames: ['relayer_id', ...PLACE] },
        { name: 'ix_audit_events_key_id', columnNames: ['key_id', ...PLACE] },
      ],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropTable(queryRunner, 'audit_events');
    await dropTable(queryRunner, 'audit_chains');
  }
}
