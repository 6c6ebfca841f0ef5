import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { STORED_CONTENT } from '../../src/app/stored-content';
import { Secret } from '../../src/common/secrets/secret';
import { examine } from '../../src/doctor/examination';
import type { Finding } from '../../src/doctor/finding';
import { NetworksService } from '../../src/networks/networks.service';
import { toNewNetwork } from '../../src/networks/new-network';
import { SignersService } from '../../src/signers/signers.service';
import { addRelayer, COW_ADDRESS, COW_KEY, emptyTables } from '../support/builders';
import { createSqlite } from '../support/databases';
import { describeService } from '../support/describe-service';
import { JsonRpcNode } from '../support/json-rpc-node';
import { freePort } from '../support/private-servers';
import { copySchema } from '../support/schema';
import { CommandProcess, StoredSecrets } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');
/** The chain id that `addRelayer` gives a network that it creates. */
const CHAIN = 424_242;
/** A network without public endpoints, because no test may call those. */
const OFFLINE = { network: 'of-doctors' };
const REDIS = process.env.TEST_REDIS_URL;
const itWithRedis = REDIS ? it : it.skip;

describeService(
  'npm run doctor',
  { settings: { STORAGE_ENCRYPTION_KEY: KEY } },
  ({ service, database, databaseName }) => {
    afterEach(() => emptyTables(service));

    const environment = (changes: Record<string, string> = {}) => ({
      NODE_ENV: 'production',
      API_KEY: `doctor-${randomBytes(24).toString('hex')}`,
      DATABASE_URL: database.url,
      STORAGE_ENCRYPTION_KEY: KEY,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      ...changes,
    });

    /** Returns the findings after asserting that they contain no secret. */
    const findings = async (changes: Record<string, string> = {}): Promise<Finding[]> => {
      const settings = environment(changes);
      const found = await examine(settings, STORED_CONTENT);
      const text = JSON.stringify(found);
      for (const secret of [settings.API_KEY, KEY, COW_KEY, 'pr0vider-key', 's3cret'])
        expect(text).not.toContain(secret);
      return found;
    };
    const of = (check: string, found: Finding[]): Finding[] =>
      found.filter((finding) => finding.check === check);

    it('finds no problem in a working service', async () => {
      await addRelayer(service, { ...OFFLINE, signerId: 'cow', privateKey: COW_KEY });
      const found = await findings();
      expect(found.filter(({ status }) => status !== 'ok')).toEqual([]);
      expect(of('signers', found)).toEqual([
        { check: 'signers', status: 'ok', detail: `cow (local) holds the key of ${COW_ADDRESS}` },
      ]);
      expect(of('database', found)[0]?.detail).toContain(databaseName);
      expect(of('migrations', found)[0]?.detail).toMatch(/^all \d+ applied$/);
    });

    it('reports a missing storage key', async () => {
      await addRelayer(service, OFFLINE);
      const found = await findings({ STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64') });
      expect(of('storage keys', found)).toEqual([
        {
          check: 'storage keys',
          status: 'problem',
          detail: expect.stringContaining('lacks a key that this database was written with'),
          advice: expect.stringContaining('written with'),
        },
      ]);
    });

    it('stops at a database that a newer version has migrated', async () => {
      const { app } = service;
      await app
        .get(DataSource)
        .query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'OfTheNext9999999999999')");
      try {
        const found = await findings();
        expect(of('migrations', found)).toEqual([
          {
            check: 'migrations',
            status: 'problem',
            detail: expect.stringContaining('OfTheNext9999999999999'),
            advice: expect.stringContaining('docs/upgrading.md'),
          },
        ]);
        expect(found.at(-1)?.status).toBe('skipped');
      } finally {
        await app.get(DataSource).query('DELETE FROM migrations WHERE timestamp = 9999999999999');
      }
    });

    it('checks what new items of the configuration file name, and nothing of stored ones', async () => {
      await addRelayer(service, { ...OFFLINE, id: 'stored', signerId: 'cow', privateKey: COW_KEY });
      const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
      const CONFIG_FILE = join(folder, 'config.json');
      const config = { key: { type: 'env', value: 'UNSET_KEY' } };
      const relayer = { name: 'A', network_type: 'evm', paused: false, ...OFFLINE };
      try {
        writeFileSync(
          CONFIG_FILE,
          JSON.stringify({
            signers: ['cow', 'new'].map((id) => ({ id, type: 'plain', config })),
            relayers: [
              { ...relayer, id: 'stored', signer_id: 'gone' },
              { ...relayer, id: 'another', signer_id: 'cow' },
            ],
          }),
        );
        expect(of('configuration file', await findings({ CONFIG_FILE })).slice(1)).toEqual([
          {
            check: 'configuration file',
            status: 'problem',
            detail:
              'CONFIG_FILE signers[1]: config.key names the environment variable UNSET_KEY, which is not set',
            advice: expect.any(String),
          },
        ]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('does not check the signer of a plugin, whose code it does not have', async () => {
      const identity = { address: COW_ADDRESS, publicKey: `0x04${'ab'.repeat(64)}` };
      const material = { settings: {}, secret: new Secret('s3cret') };
      await service.app.get(SignersService).create('theirs', { kind: 'seed_phrase', material, identity });
      expect(of('signers', await findings())).toEqual([
        {
          check: 'signers',
          status: 'ok',
          detail: 'theirs (seed_phrase) is of a kind of a plugin, not checked',
        },
      ]);
    });

    it('reports an altered row', async () => {
      await addRelayer(service, { ...OFFLINE, signerId: 'altered' });
      await service.app.get(DataSource).query("UPDATE signers SET kind = 'vault' WHERE id = 'altered'");
      expect(of('signers', await findings())).toEqual([
        {
          check: 'signers',
          status: 'problem',
          detail: 'row altered of the table signers was altered outside of the service',
          advice: expect.stringContaining('storage:verify'),
        },
      ]);
    });

    describe('checks key services', () => {
      beforeEach(async () => {
        const address = `http://127.0.0.1:${await freePort()}`;
        const secret = new Secret(JSON.stringify({ role_id: 'role', secret_id: 's3cret' }));
        const settings = { address, mount_point: 'secret', key_name: 'relayers/one' };
        const identity = { address: COW_ADDRESS, publicKey: `0x04${'ab'.repeat(64)}` };
        await service.app
          .get(SignersService)
          .create('far', { kind: 'vault', material: { settings, secret }, identity });
      });

      it.each([
        ['127.0.0.0/8', 'cannot be reached', 'Correct the address'],
        ['rpc:127.0.0.0/8', 'is not allowed', 'OUTBOUND_ALLOW'],
      ])('with OUTBOUND_ALLOW=%s', async (allow, detail, advice) => {
        expect(of('signers', await findings({ OUTBOUND_ALLOW: allow }))).toEqual([
          {
            check: 'signers',
            status: 'problem',
            detail: expect.stringMatching(new RegExp(`^far \\(vault\\): .*${detail}$`)),
            advice: expect.stringContaining(advice),
          },
        ]);
      });
    });

    it('checks which chain each endpoint serves', async () => {
      const [right, wrong] = [await JsonRpcNode.start(CHAIN), await JsonRpcNode.start(5)];
      const dead = `http://127.0.0.1:${await freePort()}/pr0vider-key`;
      try {
        const urls = [`${right.url}/pr0vider-key`, wrong.url, dead];
        await addRelayer(service, {
          ...OFFLINE,
          customRpcUrls: urls.map((url) => ({ url, weight: 100 })),
        });
        const found = of('endpoints', await findings());
        expect(found.map(({ status }) => status)).toEqual(['ok', 'problem', 'warning']);
        expect(found[0]?.detail).toContain(`serves chain ${CHAIN}`);
        expect(found[1]).toMatchObject({
          detail: expect.stringContaining(`serves chain 5, not ${CHAIN}`),
          advice: expect.stringContaining('chain_id'),
        });
        expect(found[2]).toMatchObject({
          detail: expect.stringMatching(/of network of-doctors: connection$/),
          advice: expect.stringContaining('firewall'),
        });
      } finally {
        await right.close();
        await wrong.close();
      }
    });

    it('checks the endpoints of each relayer separately', async () => {
      const right = await JsonRpcNode.start(CHAIN);
      const dead = `http://127.0.0.1:${await freePort()}`;
      try {
        for (const url of [right.url, dead])
          await addRelayer(service, { ...OFFLINE, customRpcUrls: [{ url, weight: 100 }] });
        expect(of('endpoints', await findings()).map(({ status }) => status)).toEqual(['ok', 'problem']);
      } finally {
        await right.close();
      }
    });

    it('checks the private endpoints of relayers that send privately', async () => {
      const [right, wrong, sendsOnly] = [
        await JsonRpcNode.start(CHAIN),
        await JsonRpcNode.start(5),
        await JsonRpcNode.start(CHAIN),
      ];
      sendsOnly.respondTo('eth_chainId', { error: { code: -32601, message: 'Method not found' } });
      const dead = `http://127.0.0.1:${await freePort()}/pr0vider-key`;
      const network = 'of-hiding-doctors';
      const customRpcUrls = [{ url: right.url, weight: 100 }];
      try {
        await service.app.get(NetworksService).create([
          toNewNetwork('evm', network, {
            chain_id: CHAIN,
            private_rpc_urls: [`${right.url}/pr0vider-key`, wrong.url, dead, sendsOnly.url].map((url) => ({
              url,
            })),
          }),
        ]);
        await addRelayer(service, { network, customRpcUrls });
        expect(of('endpoints', await findings())).toHaveLength(1);
        await addRelayer(service, { network, customRpcUrls, policies: { private_transactions: true } });
        const found = of('endpoints', await findings());
        expect(found.map(({ status }) => status)).toEqual(['ok', 'ok', 'problem', 'warning', 'warning']);
        expect(found[1]?.detail).toMatch(
          new RegExp(`^private endpoint .* of network ${network} serves chain ${CHAIN}$`),
        );
        expect(found[2]?.detail).toContain(`serves chain 5, not ${CHAIN}`);
        expect(found[3]?.detail).toMatch(/: connection$/);
        expect(found[4]).toMatchObject({
          detail: expect.stringMatching(/: malformed$/),
          advice: 'A private endpoint must respond to eth_chainId too: nothing is sent to an unknown chain.',
        });
      } finally {
        for (const node of [right, wrong, sendsOnly]) await node.close();
      }
    });

    it('reports a problem if no private endpoint responds, although the public ones do', async () => {
      const right = await JsonRpcNode.start(CHAIN);
      const network = 'of-silent-doctors';
      try {
        await service.app.get(NetworksService).create([
          toNewNetwork('evm', network, {
            chain_id: CHAIN,
            private_rpc_urls: [{ url: `http://127.0.0.1:${await freePort()}` }],
          }),
        ]);
        await addRelayer(service, {
          network,
          customRpcUrls: [{ url: right.url, weight: 100 }],
          policies: { private_transactions: true },
        });
        expect(of('endpoints', await findings()).map(({ status }) => status)).toEqual(['ok', 'problem']);
      } finally {
        await right.close();
      }
    });

    it('does not change the database', async () => {
      const count = async (): Promise<unknown> =>
        service.app.get(DataSource).query('SELECT COUNT(*) AS n FROM audit_events');
      await addRelayer(service, OFFLINE);
      const before = await count();
      await findings();
      expect(await count()).toEqual(before);
    });

    it('reports the result in its exit code and as JSON', async () => {
      const healthy = new CommandProcess(['commands/doctor.js', '--json'], database, KEY);
      expect(await healthy.ended).toBe(0);
      expect(JSON.parse(healthy.stdout)).toMatchObject({ healthy: true });
      const other = randomBytes(32).toString('base64');
      await addRelayer(service, OFFLINE);
      const sick = new CommandProcess(['commands/doctor.js'], database, other);
      expect(await sick.ended).toBe(1);
      expect(sick.stdout).toMatch(/^problem {2}storage keys .*\n {2,}→ /m);
      expect(`${sick.stdout}${sick.stderr}`).not.toContain(other);
      const unknown = new CommandProcess(['commands/doctor.js', '--fix'], database, KEY);
      expect(await unknown.ended).toBe(1);
      expect(unknown.stderr).toContain('Unknown option --fix\nUsage: npm run doctor');
    });

    if (databaseName !== 'SQLite') {
      it.each([
        ['a wrong password', (url: URL) => (url.password = 's3cret'), 'ER_ACCESS_DENIED_ERROR', 'password'],
        ['a missing database', (url: URL) => (url.pathname = '/none'), 'ER_BAD_DB_ERROR', 'CREATE DATABASE'],
        // MariaDB has no certificate before version 11.4; MySQL has one that it has signed itself.
        [
          'no trusted TLS at the server',
          (url: URL) => Object.assign(url, { hostname: 'localhost', search: '?tls=true' }),
          'HANDSHAKE_(NO_SSL_SUPPORT|SSL_ERROR)',
          'TLS|DATABASE_CA_FILE',
        ],
        ['a port without a server', (url: URL) => (url.port = '1'), 'ECONNREFUSED', 'Start the database'],
      ])('explains %s', async (_what, change, code, advice) => {
        const url = new URL(database.url);
        change(url);
        const found = await findings({ DATABASE_URL: url.href });
        expect(of('database', found)).toEqual([
          {
            check: 'database',
            status: 'problem',
            detail: expect.stringMatching(`cannot be used \\(${code}\\)`),
            advice: expect.stringMatching(advice),
          },
        ]);
        expect(found.at(-1)?.status).toBe('skipped');
      });
    }

    itWithRedis('connects to Redis and compares the clocks', async () => {
      const found = await findings({ REDIS_URL: REDIS ?? '' });
      expect(of('redis', found)).toMatchObject([
        { status: 'ok', detail: expect.stringMatching(/^Redis \d/) },
      ]);
      expect(of('clock', found)).toContainEqual(
        expect.objectContaining({ status: 'ok', detail: 'agrees with that of Redis' }),
      );
      const url = new URL(REDIS ?? '');
      url.password = 's3cret';
      expect(of('redis', await findings({ REDIS_URL: url.href }))).toMatchObject([
        { status: 'problem', advice: expect.stringContaining('password') },
      ]);
    });

    it('explains that Redis is unreachable', async () => {
      expect(of('redis', await findings({ REDIS_URL: 'redis://127.0.0.1:1/0' }))).toMatchObject([
        { status: 'problem', advice: expect.stringContaining('Start Redis') },
      ]);
    });
  },
);

describe('npm run doctor on a database that lacks a table', () => {
  it('reports where the examination ended', async () => {
    const database = await createSqlite();
    await copySchema(database.url);
    const stored = await StoredSecrets.open(database);
    await stored.dataSource.query('DROP TABLE change_requests');
    await stored.close();
    try {
      const found = await examine(
        { API_KEY: 'x'.repeat(32), STORAGE_ENCRYPTION_KEY: KEY, DATABASE_URL: database.url },
        STORED_CONTENT,
      );
      expect(found).toContainEqual(expect.objectContaining({ check: 'migrations', status: 'ok' }));
      expect(found.at(-1)).toEqual({
        check: 'examination',
        status: 'problem',
        detail: 'ended here (SQLITE_ERROR)',
        advice: 'The log of a start has the whole cause.',
      });
    } finally {
      await database.drop();
    }
  });
});
