import { DataSource, MigrationExecutor } from 'typeorm';
import { ENTITIES } from '../../src/app.entities';
import type { DatabaseSettings } from '../../src/config/app-config';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { describeOnDatabases, type TestDatabase } from '../support/databases';

/** TypeORM compares schemas rightly only when it knows the server: a MariaDB is told from MySQL here. */
function settingsOf(database: TestDatabase): DatabaseSettings {
  return parseDatabaseUrl(database.url.replace(/^mysql:/, 'mariadb:'));
}

describeOnDatabases('Migrations', (createDatabase) => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await createDataSource(dataSourceOptions(settingsOf(database), ENTITIES)).initialize();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const drift = async (): Promise<string[]> =>
    (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  const applied = async (): Promise<number> => {
    const runner = dataSource.createQueryRunner();
    const executed = await new MigrationExecutor(dataSource, runner).getExecutedMigrations();
    await runner.release();
    return executed.length;
  };

  it('make the schema that the entities describe', async () => {
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  it('run down one by one to nothing, and up again', async () => {
    await migrate(dataSource);
    while ((await applied()) > 0) await dataSource.undoLastMigration({ transaction: 'each' });
    const runner = dataSource.createQueryRunner();
    for (const table of [
      'signing_freeze',
      'relayers',
      'network_seeds',
      'networks',
      'delivery_attempts',
      'deliveries',
      'notifications',
      'signers',
    ])
      expect(await runner.hasTable(table)).toBe(false);
    await runner.release();
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
  });

  it('may run at once from several instances and change nothing the second time', async () => {
    await migrate(dataSource);
    const others = dataSource.options.type === 'better-sqlite3' ? [] : [1, 2, 3];
    await Promise.all([migrate(dataSource), ...others.map(() => migrate(dataSource))]);
    expect(await applied()).toBe(MIGRATIONS.length);
  });

  const addSigner = (): Promise<unknown> =>
    dataSource.query(
      "INSERT INTO signers (id, kind, settings, secret, created_at) VALUES ('s', 'local', '{}', NULL, '2026-01-01')",
    );

  const addRelayer = (id: string, network: string, type = 'evm', signer = 's'): Promise<unknown> =>
    dataSource.query(
      "INSERT INTO relayers (id, name, network, network_type, address, signer_id, paused, system_disabled, policies, created_at) VALUES (?, 'R', ?, ?, '0x', ?, 0, 0, '{}', '2026-01-01')",
      [id, network, type, signer],
    );

  it('keep a relayer from naming a signer or a network that is not there', async () => {
    await migrate(dataSource);
    await addSigner();
    await dataSource.query(
      "INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at) VALUES ('evm:n', 'n', 'evm', '[]', '[]', '[]', '2026-01-01')",
    );
    await expect(addRelayer('r', 'n', 'evm', 'nobody')).rejects.toThrow(/foreign key/i);
    await expect(addRelayer('r', 'other')).rejects.toThrow(/foreign key/i);
    await expect(addRelayer('r', 'n', 'solana')).rejects.toThrow(/foreign key/i);
    await addRelayer('r', 'n');
    await expect(dataSource.query('DELETE FROM networks')).rejects.toThrow(/foreign key/i);
  });

  it('make a network of each that relayers named before there were any', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('RelayersNameNetworks'));
    await migrate(dataSource);
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    await addSigner();
    for (const [index, [network, type]] of [
      ['sepolia', 'evm'],
      ['Sepolia', 'evm'],
      ['my own net', 'evm'],
      ['sepolia', 'solana'],
    ].entries())
      await addRelayer(`r${index}`, network!, type);
    await migrate(dataSource);
    const networks: { id: string; created_at: unknown }[] = await dataSource.query(
      'SELECT id, name, network_type, chain_id, rpc_urls, created_at FROM networks ORDER BY id',
    );
    expect(networks).toEqual(
      [
        ['evm', 'Sepolia'],
        ['evm', 'my own net'],
        ['evm', 'sepolia'],
        ['solana', 'sepolia'],
      ].map(([network_type, name]) => ({
        id: `${network_type}:${name}`,
        name,
        network_type,
        chain_id: null,
        rpc_urls: null,
        created_at: expect.anything(),
      })),
    );
    expect(await dataSource.query('SELECT id FROM relayers')).toHaveLength(4);
    expect(await drift()).toEqual([]);
  });
  it('go on where an interrupted one stopped', async () => {
    const before = MIGRATIONS.findIndex(({ name }) => name.startsWith('RelayersNameNetworks'));
    await migrate(dataSource);
    while ((await applied()) > before) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query('CREATE INDEX ix_relayers_network ON relayers (network_type, network)');
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
  });
});
