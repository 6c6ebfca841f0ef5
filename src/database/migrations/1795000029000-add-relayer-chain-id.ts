import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { ConfigurationError } from '../../config/configuration-error';
import { addColumns, addIndex, dropColumns, dropIndex } from './create-table';

const COLUMN = { name: 'chain_id', type: 'varchar', length: '20', isNullable: true };
const INDEX = new TableIndex({
  name: 'uq_relayers_address_chain',
  columnNames: ['address', 'chain_id'],
  isUnique: true,
});

interface Account {
  id: string;
  address: string;
  chain_id: string;
}

/**
 * Ensures that an account, an address on a chain id, has one relayer. Relayers on networks of other types, and on a
 * network whose chain id is not known, have no chain id and are exempt.
 *
 * Duplicates are looked for before the schema is changed, because MySQL cannot roll back schema changes. For the same
 * reason this must be the first migration of its release: if it fails, the previous version can still be started. Each
 * step skips what an interrupted attempt has already done.
 */
export class AddRelayerChainId1795000029000 implements MigrationInterface {
  /** @throws ConfigurationError with a line for each account that has several relayers */
  async up(queryRunner: QueryRunner): Promise<void> {
    await refuseDuplicates(queryRunner);
    await addColumns(queryRunner, 'relayers', [COLUMN]);
    await queryRunner.query(
      `UPDATE relayers SET chain_id = (
         SELECT networks.chain_id FROM networks
         WHERE networks.network_type = relayers.network_type AND networks.name = relayers.network
       )`,
    );
    await addIndex(queryRunner, 'relayers', INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndex(queryRunner, 'relayers', INDEX);
    await dropColumns(queryRunner, 'relayers', [COLUMN]);
  }
}

async function refuseDuplicates(queryRunner: QueryRunner): Promise<void> {
  const accounts = (await queryRunner.query(
    `SELECT relayers.id, relayers.address, networks.chain_id FROM relayers
     JOIN networks ON networks.network_type = relayers.network_type AND networks.name = relayers.network
     WHERE networks.chain_id IS NOT NULL
     ORDER BY networks.chain_id, relayers.address, relayers.created_at, relayers.id`,
  )) as Account[];
  const ids = new Map<string, string[]>();
  for (const { id, address, chain_id: chainId } of accounts) {
    const account = `${address} on chain id ${chainId}`;
    ids.set(account, [...(ids.get(account) ?? []), `'${id}'`]);
  }
  const faults = [...ids]
    .filter(([, sharing]) => sharing.length > 1)
    .map(([account, sharing]) => `Relayers ${sharing.join(', ')} have the same account: ${account}`);
  if (faults.length > 0) throw new ConfigurationError([...faults, ADVICE]);
}

const ADVICE =
  'An account has one relayer from this version on. The database was not changed: start the previous version, delete all but one relayer of each account (DELETE /api/v1/relayers/{relayer_id}), and upgrade again';
