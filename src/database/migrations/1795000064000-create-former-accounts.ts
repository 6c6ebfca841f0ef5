import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, dropTable, reference } from './create-table';

/** The number of events per statement. */
const BATCH = 1000;

interface Field {
  before: unknown;
}

interface Fields {
  address?: Field;
  network_type?: Field;
  network?: Field;
  chain_id?: Field;
  group?: Field;
}

interface Deletion {
  relayer_id: string;
  /** Null if the signer was deleted since. */
  signer_id: string | null;
  /** JSON. */
  changes: string;
  at: unknown;
}

/**
 * The accounts of deleted relayers, from the deletions in the audit log. Existing rows are replaced by equal ones, so the
 * migration may run again after an interruption.
 */
export class CreateFormerAccounts1795000064000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'former_accounts',
      columns: [
        { name: 'address', type: 'varchar', length: '64', isPrimary: true },
        { name: 'network_type', type: 'varchar', length: '16', isPrimary: true },
        { name: 'network', type: 'varchar', length: '64', isPrimary: true },
        { name: 'chain_id', type: 'varchar', length: '20', isNullable: true },
        { name: 'signer_id', type: 'varchar', length: '36', isNullable: true },
        { name: 'relayer_id', type: 'varchar', length: '36' },
        { name: 'relayer_group', type: 'varchar', length: '36', isNullable: true },
        { name: 'deleted_at', type: 'datetime', precision: 6 },
      ],
      indices: [
        { name: 'ix_former_accounts_signer_id', columnNames: ['signer_id'] },
        { name: 'ix_former_accounts_relayer_id', columnNames: ['relayer_id'] },
      ],
      foreignKeys: [reference('fk_former_accounts_signer', 'signer_id', 'signers', 'SET NULL')],
    });
    for (let start = 0; ; start += BATCH) {
      const deletions = await deletionsFrom(queryRunner, start);
      for (const deletion of deletions) await addAccount(queryRunner, deletion);
      if (deletions.length < BATCH) return;
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropTable(queryRunner, 'former_accounts');
  }
}

/** The oldest first, so that the last relayer of an account replaces the earlier ones. */
async function deletionsFrom(queryRunner: QueryRunner, start: number): Promise<Deletion[]> {
  return (await queryRunner.query(
    `SELECT e.relayer_id, s.id AS signer_id, e.changes, e.at
     FROM audit_events e LEFT JOIN signers s ON s.id = e.signer_id AND s.created_at <= e.at
     WHERE e.action = 'relayer.delete' AND e.outcome = 'success' AND e.changes IS NOT NULL
     ORDER BY e.at, e.chain, e.sequence LIMIT ${BATCH} OFFSET ${start}`,
  )) as Deletion[];
}

async function addAccount(queryRunner: QueryRunner, deletion: Deletion): Promise<void> {
  const { relayer_id: relayer, signer_id: signer, changes, at } = deletion;
  const fields = JSON.parse(changes) as Fields;
  const { address, network_type: networkType, network, chain_id: chainId, group } = fields;
  if (!address || !networkType || !network) return;
  await queryRunner.query(
    `REPLACE INTO former_accounts
     (address, network_type, network, chain_id, signer_id, relayer_id, relayer_group, deleted_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[address.before, networkType.before, network.before, chainId?.before ?? null],
      ...[signer, relayer, group?.before ?? null, at],
    ],
  );
}
