import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HDNodeWallet, verifyMessage } from 'ethers';
import { readConfig } from '../../src/config/environment';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import { createSqlite, describeOnEmptyDatabases, type TestDatabase } from '../support/databases';
import { type Call, type HttpResponse, send } from '../support/http';
import { PluginFolder } from '../support/plugin-folder';
import { freePort, until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

const PHRASE = 'test test test test test test test test test test test junk';
const ADDRESS = HDNodeWallet.fromPhrase(PHRASE, undefined, "m/44'/60'/0'/0/3").address;
const KEYS = {
  API_KEY: `root-${randomBytes(24).toString('hex')}`,
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
const RELAYER = { network: 'sepolia', network_type: 'evm', paused: false };
const CONFIG = {
  signers: [
    {
      id: 'treasury',
      type: 'seed_phrase',
      config: { phrase: { type: 'env', value: 'SEED_PHRASE' }, index: 3 },
    },
  ],
  relayers: [{ id: 'treasury', name: 'Acme treasury', signer_id: 'treasury', ...RELAYER }],
};
const HASHES = { domain_separator: 'f2'.repeat(32), hash_struct_message: 'c5'.repeat(32) };
/** Alters a table that SQLite has to recreate, and that a table of the plugin references. */
const NEXT_MIGRATION = 'AddRelayerNote1899000000000';
const ADD_NOTE = `const { TableColumn } = require('typeorm'); await queryRunner.addColumn('relayers', new TableColumn({ name: 'note', type: 'varchar', length: '64', isNullable: true }));`;

let folder: PluginFolder;

beforeAll(() => {
  folder = new PluginFolder();
  folder.write('config.json', JSON.stringify(CONFIG));
  folder.build();
}, 240_000);

afterAll(() => {
  folder.remove();
});

/** The service with the plugin, as a process that runs in the folder. */
class Service {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(database: TestDatabase, program = 'dist/main.js', settings = {}): Promise<Service> {
    const port = await freePort();
    const child = spawn(process.execPath, [program], {
      cwd: folder.path,
      env: { ...environment(database, port), ...settings },
      stdio: 'ignore',
    });
    const service = new Service(child, `http://127.0.0.1:${port}`);
    const isReady = (): Promise<boolean> =>
      send(service.url, { path: '/v1/ready' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until('the service', isReady, child);
    return service;
  }

  call(call: Call, key = KEYS.API_KEY): Promise<HttpResponse> {
    return send(this.url, { ...call, headers: { authorization: `Bearer ${key}` } });
  }

  post(path: string, body: object, key?: string): Promise<HttpResponse> {
    return this.call({ method: 'POST', path, body }, key);
  }

  /** Makes the service reload `.env` of its folder. */
  reload(file: string): void {
    folder.write('.env', file);
    this.child.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const end = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await end;
  }
}

const environment = ({ url }: TestDatabase, port: number): NodeJS.ProcessEnv => ({
  ...KEYS,
  PATH: process.env.PATH,
  PORT: String(port),
  HOST: '127.0.0.1',
  NODE_ENV: 'production',
  DATABASE_URL: url,
  CONFIG_FILE: 'config.json',
  SEED_PHRASE: PHRASE,
  OUTBOUND_ALLOW: '127.0.0.0/8',
  RELAYER_CHECK_INTERVAL_SECONDS: '0',
});

async function namesIn(database: TestDatabase, table: string): Promise<string[]> {
  const settings = readConfig({ ...KEYS, DATABASE_URL: database.url }).database;
  const source = await createDataSource(dataSourceOptions(settings, [])).initialize();
  try {
    const rows: { name: string }[] = await source.query(`SELECT name FROM ${table} ORDER BY id`);
    return rows.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}

describe('npm pack', () => {
  it('includes the built service with its types and migrations, its documentation, and the example plugin', () => {
    expect(folder.packed).toEqual(
      expect.arrayContaining([
        'dist/public.js',
        'dist/public.d.ts',
        'dist/main.js',
        'dist/database/migrations/1795000002000-create-relayers.js',
        'examples/plugin/src/ledger/ledger.module.ts',
        'docs/extending.md',
        'CHANGELOG.md',
        'LICENSE',
      ]),
    );
  });

  it('includes no tests, no sources and nothing else of the repository', () => {
    const others = folder.packed.filter(
      (path) =>
        !/^(dist\/.+\.(?:js|d\.ts|json)|docs\/.+\.md|docs\/openapi\.json|examples\/.+|docker\/(?:grafana|prometheus)\/.+|(?:bench|client)\/README\.md|[A-Z]+(?:\.md)?|\.env\.example|package\.json)$/.test(
          path,
        ),
    );
    expect(others).toEqual([]);
    expect(folder.packed.filter((path) => /\.(?:spec|contract)\.|^(?:src|test)\//.test(path))).toEqual([]);
  });

  it('lets the tests of the example pass in the installed folder', async () => {
    // `npm` would compile the folder again before the tests.
    const passed = await promisify(execFile)('npm', ['test', '--ignore-scripts'], { cwd: folder.path });
    expect(passed.stdout).toMatch(/^. pass 2$/m);
  });

  it('produces a package that exports only the public interface', async () => {
    const run = (name: string) =>
      promisify(execFile)(process.execPath, ['-p', `Object.keys(require('${name}')).sort().join()`], {
        cwd: folder.path,
      });
    expect((await run('relayer-management-service')).stdout).toContain('RelayersApi,');
    await expect(run('relayer-management-service/dist/app/app.module')).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });
});

describeOnEmptyDatabases('The packed service with a plugin', (create) => {
  let database: TestDatabase;
  let service: Service;
  let receiver: Receiver;

  beforeAll(async () => {
    database = await create();
    receiver = await Receiver.start();
    service = await Service.start(database);
  });

  afterAll(async () => {
    await service.stop();
    await receiver.close();
    await database.drop();
  });

  it('signs with the signer kind of the plugin', async () => {
    const { body } = await service.call({ path: '/api/v1/relayers/treasury' });
    expect(body.data).toMatchObject({ address: ADDRESS, name: 'Acme treasury' });
    const signed = await service.post('/api/v1/relayers/treasury/sign', { message: 'Hello' });
    expect(verifyMessage('Hello', `0x${String(signed.body.data.sig)}`)).toBe(ADDRESS);
  });

  it('serves the route of the plugin to API keys with its scope, in the response envelope', async () => {
    const book = (key: string) =>
      service.post('/api/v1/acme-ledger/entries', { relayer_id: 'treasury', statement: 'Paid' }, key);
    const keyFor = async (...scopes: string[]): Promise<string> => {
      const { body } = await service.post('/api/v1/api-keys', { name: 'Acme', scopes });
      return String(body.data.key);
    };
    const refused = await book(await keyFor('relayers:read'));
    expect(refused.status).toBe(403);
    expect(refused.body.error).toBe('this API key lacks the scope acme-ledger.entries:write');
    const halfway = await book(await keyFor('acme-ledger.entries:write'));
    expect(halfway.body.error).toBe('this API key lacks the scope sign:messages');
    const booked = await book(await keyFor('acme-ledger.entries:write', 'sign:messages'));
    expect(booked.status).toBe(201);
    expect(booked.body).toMatchObject({ success: true, data: { statement: 'Paid' } });
    expect(verifyMessage('Paid', `0x${String(booked.body.data.signature)}`)).toBe(ADDRESS);
    const bad = await service.post('/api/v1/api-keys', { name: 'Acme', scopes: ['acme-ledger.other:read'] });
    expect(bad.status).toBe(400);
    const empty = await service.post('/api/v1/acme-ledger/entries', { relayer_id: 'treasury' });
    expect(empty.body).toMatchObject({ success: false, message: 'Bad Request' });
  });

  it('refuses a signature to the plugin while the relayer is paused, and audits it', async () => {
    const pause = (paused: boolean) =>
      service.call({ method: 'PATCH', path: '/api/v1/relayers/treasury', body: { paused } });
    await pause(true);
    const entry = { relayer_id: 'treasury', statement: 'Late' };
    const { status, body } = await service.post('/api/v1/acme-ledger/entries', entry);
    expect({ status, message: body.message }).toEqual({ status: 403, message: 'Relayer paused' });
    await pause(false);
    const { body: audit } = await service.call({ path: '/api/v1/audit-events?action=signature.create' });
    expect(audit.data).toContainEqual(expect.objectContaining({ code: 'relayer_paused', form: 'message' }));
  });

  it('delivers the event of the plugin only to notifications that name it', async () => {
    const hook = { url: receiver.url };
    const named = await service.post('/api/v1/notifications', {
      ...hook,
      events: ['acme-ledger.entry_booked'],
    });
    expect(named.status).toBe(201);
    await service.post('/api/v1/notifications', { ...hook, events: ['relayer_update'] });
    const { body } = await service.post('/api/v1/acme-ledger/entries', {
      relayer_id: 'treasury',
      statement: 'Told',
    });
    await until('the event', () => receiver.received.length > 0);
    expect(receiver.received.map(({ event }) => event)).toEqual([
      expect.objectContaining({
        event: 'acme-ledger.entry_booked',
        payload: { payload_type: 'ledger_entry', entry_id: body.data.id, relayer_id: 'treasury' },
      }),
    ]);
  });

  it('lets the plugin override a port, also for the routes of the service', async () => {
    const wanted = { id: 'second', signer_id: 'treasury', ...RELAYER, network: 'mainnet' };
    const refused = await service.post('/api/v1/relayers', { ...wanted, name: 'Second' });
    expect(refused.body).toMatchObject({ message: 'Bad Request', error: 'name must begin with "Acme "' });
    expect((await service.post('/api/v1/relayers', { ...wanted, name: 'Acme second' })).status).toBe(201);
  });

  it('consults the plugin before it signs', async () => {
    const { status, body } = await service.post('/api/v1/relayers/treasury/sign-typed-data', HASHES);
    expect({ status, error: body.error }).toEqual({
      status: 403,
      error: 'Acme signs typed data in full only',
    });
  });

  it('includes the plugin in the OpenAPI document', async () => {
    const { body } = await service.call({ path: '/api-docs/openapi.json' });
    const document = body as unknown as { paths: Record<string, { post: object }> };
    expect(document.paths['/api/v1/acme-ledger/entries']?.post).toMatchObject({
      'x-required-scopes': ['acme-ledger.entries:write'],
    });
    expect(JSON.stringify(document)).toContain('"acme-ledger.entry_booked"');
  });

  it('reloads the rate limits from .env on SIGHUP', async () => {
    const limit = async (): Promise<unknown> =>
      (await service.call({ path: '/api/v1/relayers' })).headers['x-ratelimit-limit'];
    const before = await limit();
    service.reload('RATE_LIMIT_BURST_SIZE=77\n');
    await until('the new limit', async () => (await limit()) === '77');
    service.reload('');
    await until('the former limit', async () => (await limit()) === before);
  });

  it('blocks the deletion of a relayer that rows of the plugin reference', async () => {
    const removal = { method: 'DELETE', path: '/api/v1/relayers/treasury' } as const;
    expect((await service.call(removal)).body).toMatchObject({ message: 'Relayer is in use' });
  });

  it('keeps working after an upgrade to a release with one more migration', async () => {
    const before = await service.call({ path: '/api/v1/acme-ledger/relayers/treasury/entries' });
    expect(before.body.data).toHaveLength(2);
    await service.stop();
    const [own, plugins] = [
      await namesIn(database, 'migrations'),
      await namesIn(database, 'migrations_acme_ledger'),
    ];
    folder.releaseWithMigration('1.1.0', NEXT_MIGRATION, ADD_NOTE);
    try {
      service = await Service.start(database);
      const after = await service.call({ path: '/api/v1/acme-ledger/relayers/treasury/entries' });
      expect(after.body).toEqual(before.body);
      const entry = { relayer_id: 'treasury', statement: 'After' };
      expect((await service.post('/api/v1/acme-ledger/entries', entry)).status).toBe(201);
      const removal = { method: 'DELETE', path: '/api/v1/relayers/treasury' } as const;
      expect((await service.call(removal)).status).toBe(409);
      await service.stop();
      expect(await namesIn(database, 'migrations')).toEqual([...own, NEXT_MIGRATION]);
      expect(await namesIn(database, 'migrations_acme_ledger')).toEqual(plugins);
      expect(plugins).toEqual(['CreateLedgerEntries1796000000000', 'CreateLedgerDrafts1796000001000']);
    } finally {
      folder.restore();
    }
  });
});

describe('The plugin in plain JavaScript of docs/extending.md', () => {
  it('injects ports, and validates bodies', async () => {
    const page = readFileSync(join(__dirname, '../../docs/extending.md'), 'utf8');
    folder.write('plugin.cjs', /```js\n(\/\/ plugin\.cjs\n[^]*?)```/.exec(page)?.[1] ?? '');
    const database = await createSqlite();
    const service = await Service.start(database, 'plugin.cjs', { CONFIG_FILE: '' });
    try {
      const lookUp = (body: object) => service.post('/api/v1/acme-names', body);
      expect(await lookUp({ relayer_id: 'missing' })).toMatchObject({ status: 404 });
      expect(await lookUp({ relayer_id: 1, other: 2 })).toMatchObject({
        status: 400,
        body: { error: 'other is not a known field; relayer_id must be a string' },
      });
    } finally {
      await service.stop();
      await database.drop();
    }
  });
});

describe('A start that fails for a reason that no message explains', () => {
  it('is logged as that of the service without plugins is', async () => {
    const database = await createSqlite();
    try {
      const settings = readConfig({ ...KEYS, DATABASE_URL: database.url }).database;
      const source = await createDataSource(dataSourceOptions(settings, [])).initialize();
      await source.query('CREATE TABLE networks (id integer)');
      await source.destroy();
      const started = promisify(execFile)(process.execPath, [join(folder.path, 'dist/main.js')], {
        cwd: folder.path,
        env: environment(database, 0),
      });
      const failure = (await started.catch((error: unknown) => error)) as { code: number; stderr: string };
      expect(failure.code).toBe(1);
      const last = failure.stderr.trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(last)).toMatchObject({
        level: 'fatal',
        message: 'The service could not start',
        cause: expect.stringMatching(/^QueryFailedError: .*\n +at /),
      });
    } finally {
      await database.drop();
    }
  });
});

describe('A plugin that is incompatible with the installed version', () => {
  it('stops the start with a one-line error', async () => {
    const database = await createSqlite();
    folder.release('2.0.0');
    try {
      const started = promisify(execFile)(process.execPath, [join(folder.path, 'dist/main.js')], {
        cwd: folder.path,
        env: environment(database, 0),
      });
      await expect(started).rejects.toMatchObject({
        code: 1,
        stderr: 'The plugin acme-ledger works with version ^1 of the service, and this is 2.0.0\n',
      });
    } finally {
      folder.release('1.0.0');
      await database.drop();
    }
  });
});
