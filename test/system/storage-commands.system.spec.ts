import { randomBytes } from 'node:crypto';
import { MIGRATIONS } from '../../src/database/migrations/migrations';
import { Secret } from '../../src/common/secrets/secret';
import { SecretCipher } from '../../src/secrets/secret-cipher';
import { TestApplication } from '../support/application';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeOnEmptyDatabases, type TestDatabase } from '../support/databases';
import { CommandProcess, StoredSecrets } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const WEBHOOK = 'https://hooks.example.com/a-path-that-is-a-token?k=1';
/** The cipher before rows had MACs: secrets were not bound to other columns, and webhook URLs were not encrypted. */
const OLD_CIPHER = new SecretCipher(
  [new Secret(KEY)],
  [
    { table: 'signers', column: 'secret' },
    { table: 'notifications', column: 'signing_key' },
    { table: 'relayers', column: 'custom_rpc_urls' },
    { table: 'networks', column: 'rpc_urls' },
  ],
);

describeOnEmptyDatabases('Stored records', (createDatabase) => {
  let database: TestDatabase;
  let store: StoredSecrets;

  beforeEach(async () => {
    database = await createDatabase();
    store = await StoredSecrets.open(database);
  });

  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const start = (settings: Record<string, string> = {}) =>
    TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: KEY, CONFIG_FILE: '', ...settings });

  const run = (script: string, ...args: string[]) => runWith(KEY, script, ...args);
  const runWith = async (key: string, script: string, ...args: string[]) => {
    const command = new CommandProcess([`commands/${script}.js`, ...args], database, key);
    const code = await command.ended;
    expect(`${command.stdout}${command.stderr}`).not.toContain('a-path-that-is-a-token');
    expect(`${command.stdout}${command.stderr}`).not.toContain(COW_KEY);
    return { code, stdout: command.stdout, stderr: command.stderr };
  };

  const query = <T>(statement: string, values: unknown[] = []): Promise<T[]> =>
    store.dataSource.query<T[]>(statement, values);

  const fill = async (): Promise<number> => {
    const service = await start();
    await service.post('/api/v1/notifications', { id: 'hook', url: WEBHOOK });
    await addRelayer(service, {
      id: 'relayer',
      signerId: 'signer',
      privateKey: COW_KEY,
      notificationId: 'hook',
      customRpcUrls: [{ url: 'https://rpc.example.com/a-path-that-is-a-token', weight: 100 }],
    });
    const { total_items: networks } = (await service.get('/api/v1/networks')).body.pagination as {
      total_items: number;
    };
    await service.close();
    const chains = await query<{ id: string }>('SELECT id FROM audit_chains');
    return networks + 3 + chains.length;
  };

  describe('storage:verify', () => {
    it('succeeds if all records can be used', async () => {
      const rows = await fill();
      expect(await run('storage-verify')).toEqual({
        code: 0,
        stdout: `${rows} records checked, all can be used\n`,
        stderr: '',
      });
    });

    it('is refused, as other commands are, if a newer version has migrated the database', async () => {
      await fill();
      await query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Next9999999999999')");
      for (const command of ['storage-verify', 'storage-rotate'] as const)
        expect(await run(command)).toEqual({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining('The database was migrated by a newer version of the service'),
        });
    });

    it('says that it has not checked the secrets of plugins, if the database was used with any', async () => {
      const rows = await fill();
      await query('CREATE TABLE migrations_acme (id integer)');
      expect(await run('storage-verify')).toEqual({
        code: 0,
        stdout: `${rows} records checked, all can be used\n`,
        stderr: expect.stringMatching(
          /^Secrets of plugins that are not loaded were left out \(migrations_acme\)/,
        ),
      });
    });

    it('reports the records that cannot be used, and why', async () => {
      const rows = await fill();
      await query('UPDATE relayers SET paused = 1');
      await query("UPDATE networks SET chain_id = '5' WHERE id = 'evm:sepolia'");
      await query('UPDATE notifications SET mac = NULL');
      expect(await run('storage-verify')).toEqual({
        code: 1,
        stdout: `${rows} records checked, 3 cannot be used\n`,
        stderr:
          'notifications hook: it has no MAC\n' +
          'networks evm:sepolia: it does not match its MAC\n' +
          'relayers relayer: it does not match its MAC\n',
      });
    });

    it('ends with the remedy if the storage key is another one', async () => {
      await fill();
      const { code, stderr } = await runWith(randomBytes(32).toString('base64'), 'storage-verify');
      expect(code).toBe(1);
      expect(stderr).toContain('relayers relayer: it has a MAC of a storage key that is not configured\n');
      expect(stderr).toMatch(
        /\nSet the key that the database was written with, or append it to the list; a backup of the keys has it\.\n$/,
      );
    });

    it('explains how to upgrade a database of an older version, and does not migrate it', async () => {
      await createOldDatabase();
      expect(await run('storage-verify')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('run npm run storage:reseal -- --all once'),
      });
      expect((await query<object>('SELECT * FROM signers'))[0]).not.toHaveProperty('mac');
    });
  });

  describe('storage:reseal', () => {
    it('accepts rows that were changed on purpose, and prints them', async () => {
      await fill();
      const url = 'https://new.example.com/a-path-that-is-a-token';
      await query('UPDATE relayers SET paused = 1');
      await query('UPDATE notifications SET url = ?', [url]);
      const { code, stdout, stderr } = await run(
        'storage-reseal',
        'relayers:relayer',
        'notifications:hook',
        'networks:evm:sepolia',
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('relayers relayer: sealed\n');
      expect(stdout).toContain('  paused: true\n');
      expect(stdout).toContain('  custom_rpc_urls: https://rpc.example.com/… (encrypted)\n');
      expect(stdout).toContain('  url: https://new.example.com/… (encrypted)\n');
      expect(stdout).toContain('networks evm:sepolia: sealed\n');
      expect(await run('storage-verify')).toMatchObject({ code: 0 });
      const service = await start();
      expect((await service.get('/api/v1/relayers/relayer')).body.data).toMatchObject({ paused: true });
      expect((await service.get('/api/v1/notifications/hook')).body.data.url).toBe(url);
      expect(await query('SELECT url FROM notifications')).toEqual([
        { url: expect.stringMatching(/^v1\.[0-9a-f]{12}\./) },
      ]);
      const { data } = (await service.get('/api/v1/audit-events?action=shell.row.reseal')).body;
      expect(data.map(({ changes }: { changes: object }) => changes).reverse()).toEqual(
        [
          ['relayer', 'relayers'],
          ['hook', 'notifications'],
          ['evm:sepolia', 'networks'],
        ].map(([id, table]) => ({ id: { before: null, after: id }, table: { before: null, after: table } })),
      );
      await service.close();
    });

    it('refuses a signer whose settings were changed, because its secret is bound to the original settings', async () => {
      await fill();
      await query('UPDATE signers SET settings = ?', ['{"address":"https://vault.evil.example"}']);
      expect(await run('storage-reseal', 'signers:signer')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'signers signer: not sealed, it has secret, which cannot be decrypted with the storage keys\n',
      });
      expect(await run('storage-verify')).toMatchObject({
        code: 1,
        stderr: 'signers signer: it does not match its MAC\n',
      });
    });

    it('changes nothing if an id is unknown', async () => {
      await fill();
      await query('UPDATE relayers SET paused = 1');
      const before = await store.dump();
      expect(await run('storage-reseal', 'relayers:relayer', 'relayers:nobody')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'relayers nobody: there is no such row\nNothing was changed\n',
      });
      expect(await store.dump()).toBe(before);
    });

    it.each([
      [[], 'Usage: '],
      [['relayers'], 'Usage: '],
      [['--all', 'relayers:relayer'], 'Usage: '],
      [['deliveries:x'], 'deliveries is none of the tables signers, notifications, networks, relayers'],
    ])('refuses %j', async (args, text) => {
      await fill();
      const before = await store.dump();
      const { code, stderr } = await run('storage-reseal', ...args);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(text) });
      expect(await store.dump()).toBe(before);
    });

    it('with --all reports a row whose MAC does not match, and skips it', async () => {
      await fill();
      await query('UPDATE relayers SET paused = 1');
      await query('UPDATE notifications SET mac = NULL');
      expect(await run('storage-reseal', '--all')).toEqual({
        code: 1,
        stdout: 'notifications hook: sealed\n1 rows got a MAC\n',
        stderr: 'relayers relayer: skipped, it does not match its MAC\n',
      });
      expect(await run('storage-verify')).toMatchObject({
        code: 1,
        stderr: 'relayers relayer: it does not match its MAC\n',
      });
    });
  });

  /** Creates a database as the version without MACs stored it, with one row in every table. */
  const createOldDatabase = async (): Promise<void> => {
    await store.dataSource.runMigrations({ transaction: 'each' });
    const first = MIGRATIONS.findIndex(({ name }) => name.startsWith('AddRowMacs'));
    for (let i = first; i < MIGRATIONS.length; i += 1)
      await store.dataSource.undoLastMigration({ transaction: 'each' });
    const seal = (table: string, column: string, row: string, text: string): string =>
      OLD_CIPHER.seal(new Secret(text), { table, column, row });
    const at = '2026-01-01 00:00:00.000';
    await query(
      'INSERT INTO signers (id, kind, settings, secret, address, public_key, created_at) VALUES (?, ?, ?, ?, ?, NULL, ?)',
      ['signer', 'local', '{}', seal('signers', 'secret', 'signer', COW_KEY), COW_ADDRESS, at],
    );
    await query('INSERT INTO notifications (id, type, url, signing_key, created_at) VALUES (?, ?, ?, ?, ?)', [
      'hook',
      'webhook',
      WEBHOOK,
      seal('notifications', 'signing_key', 'hook', 'k'.repeat(32)),
      at,
    ]);
    await query(
      "INSERT INTO networks (id, name, network_type, chain_id, features, tags, explorer_urls, created_at) VALUES ('evm:old', 'old', 'evm', '7', '[]', '[]', '[]', ?)",
      [at],
    );
    await query(
      'INSERT INTO relayers (id, name, network, network_type, address, signer_id, notification_id, paused, system_disabled, policies, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)',
      [
        'relayer',
        'Old',
        'old',
        'evm',
        COW_ADDRESS,
        'signer',
        'hook',
        '{"min_balance": 7, "gas_price_cap": 9}',
        at,
      ],
    );
  };

  const expectUpgraded = async (service: TestApplication): Promise<void> => {
    expect((await service.post('/api/v1/relayers/relayer/sign-typed-data', HASHES)).status).toBe(200);
    expect((await service.get('/api/v1/notifications/hook')).body.data).toMatchObject({
      url: WEBHOOK,
      has_signing_key: true,
    });
    expect((await service.get('/api/v1/networks/evm:old')).body.data).toMatchObject({ chain_id: 7 });
    expect((await service.get('/api/v1/signers/signer')).body.data).toMatchObject({ address: COW_ADDRESS });
    const [signer] = await query<{ secret: string }>('SELECT secret FROM signers');
    const [hook] = await query<{ url: string }>('SELECT url FROM notifications');
    expect([signer?.secret.slice(0, 3), hook?.url.slice(0, 3)]).toEqual(['v2.', 'v1.']);
    expect(await store.faults(KEY)).toEqual([]);
  };

  const countMacs = async (): Promise<number> => {
    const tables = ['signers', 'notifications', 'networks', 'relayers'];
    const counts = tables.map((table) => query(`SELECT id FROM ${table} WHERE mac IS NOT NULL`));
    return (await Promise.all(counts)).flat().length;
  };

  describe('An upgrade from a version without MACs', () => {
    beforeEach(createOldDatabase);

    it('requires storage:reseal -- --all in production', async () => {
      await expect(start()).rejects.toMatchObject({
        faults: [expect.stringContaining('run npm run storage:reseal -- --all once')],
      });
      expect(await countMacs()).toBe(0);
      expect(await run('storage-reseal', '--all')).toEqual({
        code: 0,
        stdout:
          'signers signer: sealed\nnotifications hook: sealed\nnetworks evm:old: sealed\nrelayers relayer: sealed\n4 rows got a MAC\n',
        stderr: '',
      });
      const service = await start();
      await expectUpgraded(service);
      await service.close();
    });

    it('is also migrated by storage:reseal', async () => {
      expect(await run('storage-reseal', '--all')).toMatchObject({ code: 0 });
      expect(await run('storage-verify')).toMatchObject({ code: 0, stderr: '' });
    });

    it('is done once, at the start, outside of production', async () => {
      const service = await start({ NODE_ENV: 'development' });
      expect(service.logs.filter((line) => line.includes('without a MAC were given one'))).toEqual([
        expect.stringContaining('"rows":4'),
      ]);
      await expectUpgraded(service);
      await service.close();
      await query("UPDATE relayers SET paused = 1, mac = NULL WHERE id = 'relayer'");
      const again = await start({ NODE_ENV: 'development' });
      expect(again.logs.filter((line) => line.includes('without a MAC were given one'))).toEqual([]);
      const response = await again.post('/api/v1/relayers/relayer/sign-typed-data', HASHES);
      expect(response.status).toBe(500);
      await again.close();
    });

    it('reports a row whose secret cannot be decrypted, and continues with the others', async () => {
      await query("UPDATE notifications SET signing_key = 'v1.0123456789ab.AAAA'");
      expect(await run('storage-reseal', '--all')).toMatchObject({
        code: 1,
        stderr:
          'notifications hook: not sealed, it has signing_key, which cannot be decrypted with the storage keys\n',
      });
      expect(await countMacs()).toBe(3);
    });
  });

  it('prevent the start in production if all MACs were removed', async () => {
    await fill();
    for (const table of ['signers', 'notifications', 'networks', 'relayers', 'audit_chains'])
      await query(`UPDATE ${table} SET mac = NULL`);
    await expect(start()).rejects.toMatchObject({
      faults: [expect.stringContaining('or they were removed')],
    });
  });

  it('may have MACs of an older key that is configured, but of no other key', async () => {
    await fill();
    const NEW = randomBytes(32).toString('base64');
    const service = await start({ STORAGE_ENCRYPTION_KEY: `${NEW},${KEY}` });
    expect((await service.post('/api/v1/relayers/relayer/sign-typed-data', HASHES)).status).toBe(200);
    // Written rows get the newest key. Secrets that are not written keep their key.
    expect((await service.patch('/api/v1/relayers/relayer', { name: 'New' })).status).toBe(200);
    expect((await service.post('/api/v1/relayers/relayer/sign-typed-data', HASHES)).status).toBe(200);
    expect(await store.faults(NEW, KEY)).toEqual([]);
    await service.close();
    await expect(start({ STORAGE_ENCRYPTION_KEY: NEW })).rejects.toMatchObject({
      faults: [expect.stringMatching(/lacks a key .* names the key/)],
    });
  });
});
