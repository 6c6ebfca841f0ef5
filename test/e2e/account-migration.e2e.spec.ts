import { DataSource, MigrationExecutor } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { TestApplication } from '../support/application';
import { describeOnEmptyDatabases, type TestDatabase } from '../support/databases';

const FIRST = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const SECOND = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F';
const FAULTS = [
  `Relayers 'kept', 'second-network', 'second-signer' have the same account: ${FIRST} on chain id 5`,
  `Relayers 'b', 'a' have the same account: ${SECOND} on chain id 6`,
  expect.stringContaining('The database was not changed'),
];

describeOnEmptyDatabases('The migration that limits an account to one relayer', (createDatabase) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await createDataSource(
      dataSourceOptions(parseDatabaseUrl(database.url), ENTITIES),
    ).initialize();
    await migrate(dataSource);
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddRelayerChainId'));
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    for (const signer of ['s', 't']) await insert('signers', { id: signer, kind: 'local', settings: '{}' });
    for (const [name, chainId, type] of [
      ['five', '5', 'evm'],
      ['also-five', '5', 'evm'],
      ['six', '6', 'evm'],
      ['also-six', '6', 'evm'],
      ['bare', null, 'evm'],
      ['also-bare', null, 'evm'],
      ['devnet', null, 'solana'],
    ] as const)
      await insert('networks', {
        id: `${type}:${name}`,
        ...{ name, network_type: type, chain_id: chainId, features: '[]', tags: '[]', explorer_urls: '[]' },
      });
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const applied = async (): Promise<number> => {
    const runner = dataSource.createQueryRunner();
    const executed = await new MigrationExecutor(dataSource, runner).getExecutedMigrations();
    await runner.release();
    return executed.length;
  };

  let inserted = 0;

  const insert = (table: string, columns: Record<string, unknown>): Promise<unknown> => {
    inserted += 1;
    const row = { ...columns, created_at: `2026-01-01 00:00:${String(inserted % 60).padStart(2, '0')}` };
    const marks = Object.keys(row).map(() => '?');
    return dataSource.query(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`,
      Object.values(row),
    );
  };

  const addRelayer = (id: string, network: string, address: string, signer = 's', type = 'evm') =>
    insert('relayers', {
      ...{ id, name: 'R', network, network_type: type, address, signer_id: signer },
      ...{ paused: 0, system_disabled: 0, policies: '{}' },
    });

  const addDuplicates = async (): Promise<void> => {
    await addRelayer('kept', 'five', FIRST);
    await addRelayer('second-network', 'also-five', FIRST);
    await addRelayer('second-signer', 'five', FIRST, 't');
    await addRelayer('other-chain', 'six', FIRST);
    await addRelayer('b', 'six', SECOND, 't');
    await addRelayer('a', 'also-six', SECOND, 't');
    for (const network of ['bare', 'also-bare']) await addRelayer(network, network, FIRST);
    for (const signer of ['s', 't']) await addRelayer(`solana-${signer}`, 'devnet', 'x', signer, 'solana');
  };

  const remove = (...ids: string[]): Promise<unknown> =>
    dataSource.query(`DELETE FROM relayers WHERE id IN (${ids.map(() => '?').join()})`, ids);

  /** All rows of the table `relayers`, its schema, and the number of applied migrations. */
  const state = async (): Promise<unknown> => {
    const runner = dataSource.createQueryRunner();
    const table = await runner.getTable('relayers');
    await runner.release();
    return {
      rows: await dataSource.query('SELECT * FROM relayers ORDER BY id'),
      // MySQL lists columns in any order.
      columns: table?.columns.map(({ name, type, isNullable }) => [name, type, isNullable]).sort(),
      indices: table?.indices.map(({ name, columnNames }) => [name, columnNames]).sort(),
      applied: await applied(),
    };
  };

  it('reports all duplicates and changes nothing until they are removed', async () => {
    await addDuplicates();
    const before = await state();
    await expect(migrate(dataSource)).rejects.toMatchObject({ faults: FAULTS });
    expect(await state()).toEqual(before);

    await remove('second-network', 'second-signer', 'a');
    await migrate(dataSource);
    expect(await applied()).toBe(MIGRATIONS.length);
    expect(await dataSource.query('SELECT id, chain_id FROM relayers ORDER BY id')).toEqual([
      { id: 'also-bare', chain_id: null },
      { id: 'b', chain_id: '6' },
      { id: 'bare', chain_id: null },
      { id: 'kept', chain_id: '5' },
      { id: 'other-chain', chain_id: '6' },
      { id: 'solana-s', chain_id: null },
      { id: 'solana-t', chain_id: null },
    ]);
  });

  it('makes the service fail to start immediately, and reports the duplicates', async () => {
    await addDuplicates();
    const begun = Date.now();
    await expect(TestApplication.start(database)).rejects.toMatchObject({ faults: FAULTS });
    expect(Date.now() - begun).toBeLessThan(15_000);
  });

  it('continues after an interruption, and covers relayers stored since', async () => {
    await addRelayer('kept', 'five', FIRST);
    await dataSource.query('ALTER TABLE relayers ADD COLUMN chain_id varchar(20) NULL');
    await dataSource.query("UPDATE relayers SET chain_id = '5'");
    await addRelayer('since', 'six', FIRST);
    await migrate(dataSource);
    expect(await dataSource.query('SELECT id, chain_id FROM relayers ORDER BY id')).toEqual([
      { id: 'kept', chain_id: '5' },
      { id: 'since', chain_id: '6' },
    ]);
    await expect(dataSource.query("UPDATE relayers SET chain_id = '5' WHERE id = 'since'")).rejects.toThrow(
      /uq_relayers_address_chain|relayers\.address/,
    );
  });

  it('restores the previous schema and rows when it is undone', async () => {
    await addRelayer('kept', 'five', FIRST);
    const before = await state();
    await migrate(dataSource);
    const { length } = MIGRATIONS;
    const count = length - MIGRATIONS.findIndex(({ name }) => name.startsWith('AddRelayerChainId'));
    for (let i = 0; i < count; i += 1) await dataSource.undoLastMigration({ transaction: 'each' });
    expect(await state()).toEqual(before);
  });
});
