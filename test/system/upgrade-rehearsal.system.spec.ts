import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { TestApplication } from '../support/application';
import { COW_ADDRESS } from '../support/builders';
import { describeOnEmptyDatabases, SERVER, type TestDatabase } from '../support/databases';
import { OLD_NETWORK, rowsOfVersions, WEBHOOK } from '../support/rows-of-versions';
import { CommandProcess } from '../support/stored-secrets';

/** The migrations of the first commit that had any. */
const FIRST = [
  'CreateSigners1795000000000',
  'CreateNotifications1795000001000',
  'CreateRelayers1795000002000',
];
/** Chained and signed rows cannot be created by SQL. The service writes them after the upgrade. */
const WRITTEN_BY_SERVICE = ['audit_chains', 'audit_events'];
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const SIGN = '/api/v1/relayers/relayer/sign-typed-data';
/** Changed by the service since: secrets were bound to more columns, webhook URLs encrypted, the freeze lifted. */
const CHANGED = new Set(['signers', 'notifications', 'signing_freeze']);
const KEY = randomBytes(32).toString('base64');

type Stored = Record<string, unknown>;

describeOnEmptyDatabases('An upgrade from the first schema to the newest', (createDatabase) => {
  const rows = rowsOfVersions(KEY);
  /** Each row as the database returned it when it was new, with the columns of that version. */
  const stored = new Map<string, Stored[]>();
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createDatabase();
    const url = database.url.replace(/^mysql:/, `${SERVER.type}:`);
    dataSource = await createDataSource(dataSourceOptions(parseDatabaseUrl(url), ENTITIES)).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const tables = async (): Promise<string[]> => {
    const runner = dataSource.createQueryRunner();
    try {
      const names = dataSource.entityMetadatas.map(({ tableName }) => tableName);
      const present = await Promise.all(names.map((name) => runner.hasTable(name)));
      return names.filter((_name, index) => present[index]);
    } finally {
      await runner.release();
    }
  };

  const read = (table: string): Promise<Stored[]> =>
    dataSource.query(`SELECT ${Object.keys(rows[table] ?? { '*': 0 }).join()} FROM ${table} ORDER BY 1`);

  /** Expects each stored row in its table, to which a migration or the start may have added others. */
  const expectKept = async (tables: Iterable<string>): Promise<void> => {
    for (const table of tables) {
      const found = await read(table);
      const [kept] = stored.get(table) ?? [];
      expect({ table, found }).toEqual({ table, found: expect.arrayContaining([kept]) });
    }
  };

  const insert = async (table: string, row: Record<string, string | number | null>): Promise<void> => {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join();
    await dataSource.query(`INSERT INTO ${table} (${columns.join()}) VALUES (${places})`, Object.values(row));
    stored.set(table, await read(table));
  };

  const drift = async (): Promise<string[]> =>
    (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);

  const withService = async (work: (service: TestApplication) => Promise<void>): Promise<void> => {
    const service = await TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: KEY, CONFIG_FILE: '' });
    try {
      await work(service);
    } finally {
      await service.close();
    }
  };

  it('runs every migration with rows in every table', async () => {
    const all = [...MIGRATIONS].sort((a, b) => Number(a.name.slice(-13)) - Number(b.name.slice(-13)));
    expect(all.slice(0, FIRST.length).map(({ name }) => name)).toEqual(FIRST);
    const newest = [...dataSource.migrations];
    for (const { name } of all) {
      const next = newest.findIndex((migration) => migration.constructor.name === name);
      dataSource.migrations.splice(0, Infinity, ...newest.slice(0, next + 1));
      await dataSource.runMigrations({ transaction: 'each' });
      for (const table of await tables())
        if (!stored.has(table) && rows[table]) await insert(table, rows[table]);
    }
    dataSource.migrations.splice(0, Infinity, ...newest);
    expect([...stored.keys(), ...WRITTEN_BY_SERVICE].sort()).toEqual((await tables()).sort());
    await expectKept(stored.keys());
    expect(await drift()).toEqual([]);
  });

  it('adds MACs with storage:reseal, after which the service can use all rows', async () => {
    const reseal = new CommandProcess(['commands/storage-reseal.js', '--all'], database, KEY);
    expect(await reseal.ended).toBe(0);
    await withService(async (service) => {
      const data = async (path: string): Promise<unknown> => {
        const { status, body } = await service.get(path);
        expect({ path, status }).toEqual({ path, status: 200 });
        return body.data;
      };
      expect(await data('/api/v1/relayers/relayer')).toMatchObject({
        address: COW_ADDRESS,
        network: OLD_NETWORK,
        policies: { gas_price_cap: 9 },
      });
      expect(await data('/api/v1/notifications/hook')).toMatchObject({ url: WEBHOOK, has_signing_key: true });
      expect(await data('/api/v1/networks/evm:other')).toMatchObject({ chain_id: 7 });
      expect(await data('/api/v1/notifications/hook/deliveries')).toMatchObject([{ id: 'delivery' }]);
      expect(await data('/api/v1/relayers/relayer/transactions/transaction')).toMatchObject({
        status: 'confirmed',
      });
      expect(await data('/api/v1/api-keys')).toMatchObject([{ id: 'api-key', scopes: ['relayers:read'] }]);
      expect(await data('/api/v1/changes/change')).toMatchObject({ status: 'expired' });
      expect(await data('/api/v1/signing/freeze')).toMatchObject({ reason: 'Before the upgrade' });
      expect((await service.post(SIGN, HASHES)).status).toBe(403);
      expect((await service.post('/api/v1/signing/unfreeze', { reason: 'Upgraded' })).status).toBe(200);
      expect((await service.post(SIGN, HASHES)).status).toBe(200);
    });
    for (const table of await tables())
      if (table !== 'signing_freeze')
        expect({ table, rows: await dataSource.query(`SELECT 1 FROM ${table} LIMIT 1`) }).toMatchObject({
          table,
          rows: [{}],
        });
    const verification = new CommandProcess(['commands/storage-verify.js'], database, KEY);
    expect(await verification.ended).toBe(0);
    const audit = new CommandProcess(['commands/audit-verify.js'], database, KEY);
    expect(await audit.ended).toBe(0);
  });

  it('can revert the last migration and run it again', async () => {
    const before = await tables();
    const dump = async (names: string[]): Promise<Record<string, Stored[]>> => {
      const found = await Promise.all(names.map((name) => dataSource.query(`SELECT * FROM ${name}`)));
      return Object.fromEntries(names.map((name, index) => [name, found[index] as Stored[]]));
    };
    const full = await dump(before);
    await dataSource.undoLastMigration({ transaction: 'each' });
    const left = await tables();
    for (const name of left)
      expect({ name, rows: (await dump([name]))[name]?.length }).toEqual({ name, rows: full[name]?.length });
    await migrate(dataSource);
    expect(await drift()).toEqual([]);
    expect(await tables()).toEqual(before);
    // A table that the migration created is empty now. Columns that it added have lost only their values.
    await expectKept([...stored.keys()].filter((table) => left.includes(table) && !CHANGED.has(table)));
    await withService(async (service) => {
      expect((await service.post(SIGN, HASHES)).status).toBe(200);
    });
  });
});
