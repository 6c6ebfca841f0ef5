import { type MigrationInterface, type QueryRunner, TableForeignKey, TableIndex } from 'typeorm';
import { dropIndex } from './create-table';

const INDEX = new TableIndex({ name: 'ix_relayers_network', columnNames: ['network_type', 'network'] });
const FOREIGN_KEY = new TableForeignKey({
  name: 'fk_relayers_network',
  columnNames: ['network_type', 'network'],
  referencedTableName: 'networks',
  referencedColumnNames: ['network_type', 'name'],
  onDelete: 'RESTRICT',
  onUpdate: 'RESTRICT',
});

/**
 * With this migration, relayers refer to existing networks. A name that relayers have used becomes a network without
 * further data; the next start completes those that are built in or configured.
 *
 * MySQL cannot roll back schema changes, so each step skips what an interrupted attempt has already done.
 */
export class RelayersNameNetworks1795000012000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createNamedNetworks(queryRunner);
    const relayers = await queryRunner.getTable('relayers');
    if (!relayers?.indices.some(({ name }) => name === INDEX.name))
      await queryRunner.createIndex('relayers', INDEX);
    if (!relayers?.foreignKeys.some(({ name }) => name === FOREIGN_KEY.name))
      await queryRunner.createForeignKey('relayers', FOREIGN_KEY);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const relayers = await queryRunner.getTable('relayers');
    if (relayers?.foreignKeys.some(({ name }) => name === FOREIGN_KEY.name))
      await queryRunner.dropForeignKey('relayers', FOREIGN_KEY);
    await dropIndex(queryRunner, 'relayers', INDEX);
  }
}

async function createNamedNetworks(queryRunner: QueryRunner): Promise<void> {
  const named = (await queryRunner.query(
    `SELECT DISTINCT relayers.network_type, relayers.network FROM relayers
     LEFT JOIN networks ON networks.network_type = relayers.network_type AND networks.name = relayers.network
     WHERE networks.id IS NULL`,
  )) as { network_type: string; network: string }[];
  const createdAt = new Date().toISOString().replace('T', ' ').replace('Z', '');
  for (const { network_type: type, network } of named) {
    await queryRunner.query(
      `INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at)
       VALUES (?, ?, ?, '[]', '[]', '[]', ?)`,
      [`${type}:${network}`, network, type, createdAt],
    );
  }
}
