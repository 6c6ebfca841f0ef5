import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { ChangeEntity } from '../../src/approvals/change.entity';
import { ApiKeyEntity } from '../../src/auth/api-keys/api-key.entity';
import { newApiKey } from '../../src/auth/api-keys/new-api-key';
import { ProtectedRows } from '../../src/database/integrity/protected-rows';
import { RowIntegrity } from '../../src/database/integrity/row-integrity';
import { PROTECTED_TABLES } from '../../src/app/protected-tables';
import { RowMacs } from '../../src/secrets/row-macs';
import { Secret } from '../../src/common/secrets/secret';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { RelayerChecks } from '../../src/relayers/checks/relayer-checks';
import { ALTERED, HASHES, UNPROTECTED } from '../support/altered-columns';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { addEndedTransaction } from '../support/ended-transaction';
import type { HttpResponse } from '../support/http';
import { Receiver } from '../support/receiver';
import { sealRows } from '../support/row-macs';
import { StoredSecrets } from '../support/stored-secrets';

const FULL = {
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { chainId: 424242 },
  message: { text: 'x' },
};
const idOf = (table: string): string => (table === 'networks' ? 'evm:row' : 'row');
/** The routes of transactions are below their relayer. */
const listOf = (table: string, relayer = 'row'): string =>
  table === 'transactions'
    ? `/api/v1/relayers/${relayer}/transactions`
    : `/api/v1/${table === 'change_requests' ? 'changes' : table.replace('_', '-')}`;
const pathOf = (table: string, id = idOf(table), relayer = 'row'): string =>
  `${listOf(table, relayer)}/${id}`;

/** No route shows the heads of audit chains: `audit-tampering.system.spec.ts` tests altered heads. */
const isShown = ([table]: readonly [string, unknown]): boolean => table !== 'audit_chains';

const KEY = randomBytes(32).toString('base64');

describeService(
  'Altered rows',
  { settings: { STORAGE_ENCRYPTION_KEY: KEY } },
  ({ service, database, databaseName }) => {
    let store: StoredSecrets;
    /** Each protected row as it was before a test. */
    let before: Map<string, Record<string, unknown>>;

    beforeAll(async () => {
      store = await StoredSecrets.open(database);
      const networks: [string, string, object][] = [
        [
          ...(['row', 'evm'] as const),
          {
            ...{ chain_id: 424242, rpc_urls: ['https://rpc.example.com'], is_testnet: true },
            private_rpc_urls: ['https://private.example.com'],
          },
        ],
        ['used', 'evm', { chain_id: 424242, rpc_methods: ['read'] }],
        ['used', 'solana', {}],
        ['other', 'evm', { chain_id: 424242 }],
      ];
      for (const [name, network_type, more] of networks)
        expect((await service.post('/api/v1/networks', { name, network_type, ...more })).status).toBe(201);
      for (const id of ['row', 'spare']) {
        const url = 'https://one.example.com';
        const key = service.keepSecret(randomBytes(20).toString('hex'));
        await service.post('/api/v1/notifications', { id, url, signing_key: key });
        await service.patch(`/api/v1/notifications/${id}`, { signing_key: `${key}0123456789` });
        const config = { key: service.keepSecret(randomBytes(32).toString('hex')) };
        expect((await service.post('/api/v1/signers', { id, type: 'plain', config })).status).toBe(201);
      }
      await addRelayer(service, { id: 'other', network: 'other' });
      await addRelayer(service, {
        id: 'row',
        network: 'used',
        notificationId: 'row',
        customRpcUrls: [{ url: 'https://rpc.example.com', weight: 100 }],
      });
      await addEndedTransaction(service, { id: 'row', relayerId: 'row' });
      await storeApiKey();
      await storeChange();
    });

    const storeChange = async () => {
      const { app } = service;
      const changes = new ProtectedRows(app.get(UnitOfWork), app.get(RowIntegrity), ChangeEntity);
      await changes.insert({
        ...{
          id: 'row',
          kinds: ['loosen_policy'],
          operation: 'update_relayer',
          request: { relayer_id: 'row' },
        },
        ...{ secrets: null, base: 'cd'.repeat(32), relayerId: 'row', relayerGroup: null, needed: 2 },
        ...{ requestedBy: 'requester', approvals: [], status: 'pending', code: null },
        ...{ idempotencyKey: null, requestDigest: null, finishedAt: null, finishedBy: null },
        ...{ expiresAt: new Date('2040-01-01T00:00:00Z'), createdAt: new Date() },
      });
    };

    /** Every nullable column has a value. The service itself never generates such an id. */
    const storeApiKey = async () => {
      const { app } = service;
      const { row } = newApiKey({ name: 'Row', scopes: ['relayers:read'], relayers: ['row'] }, 'root');
      const restrictions = {
        ...{ groups: ['x'], allowedIps: ['::1'], rateLimit: { requestsPerSecond: 1, burstSize: 1 } },
        expiresAt: new Date('2040-01-01T00:00:00Z'),
      };
      const keys = new ProtectedRows(app.get(UnitOfWork), app.get(RowIntegrity), ApiKeyEntity);
      await keys.insert({ ...row, ...restrictions, id: 'row' });
    };

    beforeEach(async () => {
      before = new Map();
      for (const table of Object.keys(ALTERED)) {
        const [row] = await query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = ?`, [
          idOf(table),
        ]);
        before.set(table, row!);
      }
    });

    afterAll(async () => {
      await store.close();
    });

    const query = <T>(statement: string, values: unknown[] = []): Promise<T[]> =>
      service.app.get(DataSource).query<T[]>(statement, values);

    const alter = async (table: string, column: string, value: unknown, work: () => Promise<void>) => {
      const id = column === 'id' ? value : idOf(table);
      await query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [value, idOf(table)]);
      try {
        await work();
      } finally {
        const restored = before.get(table)?.[column];
        await query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [
          restored === null || typeof restored !== 'object' || restored instanceof Date
            ? restored
            : JSON.stringify(restored),
          id,
        ]);
      }
    };

    const expectRowAltered = (table: string, id: string, response: HttpResponse): void => {
      expect(response.status).toBe(500);
      expect(response.body).toMatchObject({
        message: 'Internal Server Error',
        error: `Internal Server Error (request id ${String(response.headers['x-request-id'])})`,
      });
      const lines = service.logs
        .filter((line) => line.includes(String(response.headers['x-request-id'])))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'error', table, id, message: expect.stringContaining('altered') }),
      );
      expect(lines).toContainEqual(expect.objectContaining({ code: 'row_altered' }));
    };

    const alteredCount = async (table: string): Promise<number> => {
      const { text } = await service.call({ path: '/debug/metrics/scrape' });
      return Number(new RegExp(`storage_rows_altered_total\\{table="${table}"\\} (\\d+)`).exec(text)?.[1]);
    };

    it('are counted per table, starting at zero', async () => {
      for (const table of Object.keys(ALTERED)) expect(await alteredCount(table)).toBe(0);
    });

    it('are tested with a change to every column', () => {
      for (const { table, columns } of PROTECTED_TABLES) {
        const metadata = store.dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
        const named = (kind: string) =>
          metadata?.columns
            .filter(({ propertyName }) => columns[propertyName]?.startsWith(kind))
            .map(({ databaseName }) => databaseName);
        expect(Object.keys(ALTERED[table]!.columns).sort()).toEqual(named('protected')?.sort());
        expect(Object.keys(UNPROTECTED[table]!).sort()).toEqual(named('unprotected')?.sort());
      }
    });

    const everyColumn = Object.entries(ALTERED)
      .filter(isShown)
      .flatMap(([table, { columns }]) =>
        Object.entries(columns).map(([column, value]) => [table, column, value] as const),
      );

    it.each(everyColumn)('cause a 500 response after a change to %s.%s', async (table, column, value) => {
      // A relayer and deliveries refer to the notification: remove the references before its id changes.
      if (column === 'id' && table === 'notifications')
        await service.patch(pathOf('relayers'), { notification_id: null });
      if (column === 'id' && table === 'notifications') await query('DELETE FROM deliveries');
      const count = await alteredCount(table);
      await alter(table, column, value, async () => {
        const id = column === 'id' ? String(value) : idOf(table);
        const relayer = column === 'relayer_id' ? String(value) : 'row';
        expectRowAltered(table, id, await service.get(pathOf(table, id, relayer)));
        // Lists omit a key that appears to be revoked.
        if (column !== 'revoked_at')
          expectRowAltered(table, id, await service.get(`${listOf(table, relayer)}?per_page=100`));
        if (column !== 'id')
          for (const [method, path, body] of ALTERED[table]!.uses)
            expectRowAltered(table, id, await service.call({ method, path, body }));
        expect(await store.faults(KEY)).toEqual([`${table} ${id}: it does not match its MAC`]);
        expect(await alteredCount(table)).toBeGreaterThan(count);
      });
      if (column === 'id' && table === 'notifications')
        await service.patch(pathOf('relayers'), { notification_id: 'row' });
      expect((await service.get(pathOf(table))).status).toBe(200);
      expect(await store.faults(KEY)).toEqual([]);
    });

    const everyOther = Object.entries(UNPROTECTED)
      .filter(isShown)
      .flatMap(([table, columns]) =>
        Object.entries(columns).map(([column, value]) => [table, column, value] as const),
      );

    it.each(everyOther)(
      'do not include rows with a change to the unprotected column %s.%s',
      async (table, column, value) => {
        await alter(table, column, value, async () => {
          // A notification whose deletion has begun is no longer found.
          const status = column === 'deleted_at' ? 404 : 200;
          expect((await service.get(pathOf(table))).status).toBe(status);
          expect((await service.get(listOf(table))).status).toBe(200);
          expect(await store.faults(KEY)).toEqual([]);
        });
      },
    );

    it('of networks cause a 500 response to requests to sign data with a chain id', async () => {
      await addRelayer(service, { id: 'on-altered', network: 'row' });
      const sign = () => service.post('/api/v1/relayers/on-altered/sign-typed-data', FULL);
      expect((await sign()).status).toBe(200);
      await alter('networks', 'chain_id', '1', async () => {
        expectRowAltered('networks', 'evm:row', await sign());
      });
      expect((await sign()).status).toBe(200);
      expect((await service.call({ method: 'DELETE', path: pathOf('relayers', 'on-altered') })).status).toBe(
        200,
      );
    });

    const macOf = async (table: string, id: string): Promise<string> => {
      const [row] = await query<{ mac: string }>(`SELECT mac FROM ${table} WHERE id = ?`, [id]);
      return row!.mac;
    };

    it.each<[string, string, () => Promise<unknown>]>([
      ['no MAC', 'has no MAC', () => Promise.resolve(null)],
      ['an empty one', 'does not match its MAC', () => Promise.resolve('')],
      ['the MAC of another row', 'does not match its MAC', () => macOf('notifications', 'spare')],
      ['the MAC of another table', 'does not match its MAC', () => macOf('signers', 'row')],
      [
        'a shorter one',
        'does not match its MAC',
        async () => (await macOf('notifications', 'row')).slice(0, -4),
      ],
      [
        'a MAC in another letter case',
        'does not match its MAC',
        async () => (await macOf('notifications', 'row')).toUpperCase().replace(/^M/, 'm'),
      ],
      [
        'a MAC of a key that is not configured',
        'has a MAC of a storage key that is not configured',
        () => {
          const macs = new RowMacs([new Secret(randomBytes(32).toString('base64'))], PROTECTED_TABLES);
          return Promise.resolve(macs.compute('notifications', 'x'));
        },
      ],
    ])('include rows whose MAC is missing or wrong: %s', async (_what, fault, forge) => {
      await alter('notifications', 'mac', await forge(), async () => {
        expectRowAltered('notifications', 'row', await service.get(pathOf('notifications')));
        expect(await store.faults(KEY)).toEqual([`notifications row: it ${fault}`]);
      });
    });

    it('include rows copied to another id', async () => {
      const columns =
        'type, url, signing_key, previous_signing_key, previous_key_until, events, mac, created_at';
      await query(
        `INSERT INTO notifications (id, ${columns}) SELECT 'copy', ${columns} FROM notifications WHERE id = 'row'`,
      );
      expectRowAltered('notifications', 'copy', await service.get(pathOf('notifications', 'copy')));
      const response = await service.call({ method: 'DELETE', path: pathOf('notifications', 'copy') });
      expect(response.status).toBe(200);
    });

    it('include rows with invalid JSON', async () => {
      // MySQL refuses invalid JSON. MariaDB accepts some texts that JavaScript cannot parse.
      if (databaseName === 'MySQL') return;
      const invalid = databaseName === 'MariaDB' ? '["\\x"]' : '{"min';
      await alter('relayers', 'policies', invalid, async () => {
        expectRowAltered('relayers', 'row', await service.get(pathOf('relayers')));
        const signed = await service.post('/api/v1/relayers/row/sign-typed-data', HASHES);
        expectRowAltered('relayers', 'row', signed);
        expect(await store.faults(KEY)).toEqual(['relayers row: it has a column that holds something else']);
      });
    });

    it('can be deleted, but are not replaced by a create request', async () => {
      const { id, signerId } = await addRelayer(service, { id: 'gone', network: 'other' });
      const network = { name: 'gone', network_type: 'evm', chain_id: 424242 };
      await service.post('/api/v1/networks', network);
      await service.post('/api/v1/notifications', { id: 'gone', url: 'https://one.example.com' });
      const rows = { relayers: id, signers: signerId, notifications: 'gone', networks: 'evm:gone' };
      for (const [table, row] of Object.entries(rows))
        await query(`UPDATE ${table} SET mac = ? WHERE id = ?`, ['x', row]);
      expect((await service.post('/api/v1/networks', network)).status).toBe(409);
      for (const [table, row] of Object.entries(rows)) {
        expect((await service.call({ method: 'DELETE', path: pathOf(table, row) })).status).toBe(200);
        expect((await service.get(pathOf(table, row))).status).toBe(404);
      }
    });

    it('do not prevent the checks of other relayers', async () => {
      await addRelayer(service, { id: 'checked', network: 'other' });
      await query('UPDATE relayers SET next_check_at = NULL');
      await alter('relayers', 'policies', '{"min_balance":"0"}', async () => {
        const claimed = await service.app.get(RelayerChecks).claimDue(10);
        expect(claimed.map(({ row }) => row.id).sort()).toEqual(['checked', 'other']);
        // Altered relayers do not come first again in the next claim.
        expect(await query('SELECT id FROM relayers WHERE next_check_at IS NULL')).toEqual([]);
      });
    });

    it('of notifications delay deliveries until they are restored, and do not block changes', async () => {
      const receiver = await Receiver.start();
      await service.patch(pathOf('notifications', 'spare'), { url: receiver.url });
      await service.patch(pathOf('relayers'), { notification_id: 'spare' });
      const stop = async (paused: boolean) => {
        expect((await service.patch(pathOf('relayers'), { paused })).status).toBe(200);
      };
      const deliveries = () =>
        query<{ state: string; last_failure: string | null; attempts: number }>(
          "SELECT state, last_failure, attempts FROM deliveries WHERE event = 'relayer_state_update' AND notification_id = 'spare'",
        );
      const until = async (condition: (rows: Awaited<ReturnType<typeof deliveries>>) => boolean) => {
        for (let rows = await deliveries(); !condition(rows); rows = await deliveries()) await sleep(50);
      };
      await query("UPDATE notifications SET events = '[]' WHERE id = 'spare'");
      await stop(true);
      await until(([row]) => row?.last_failure === 'notification_altered');
      const heard = () => receiver.received.filter(({ body }) => body.includes('relayer_paused')).length;
      expect(heard()).toBe(0);
      await query("UPDATE notifications SET events = NULL WHERE id = 'spare'");
      await query('UPDATE deliveries SET next_attempt_at = ? WHERE next_attempt_at IS NOT NULL', [
        '2020-01-01 00:00:00.000',
      ]);
      await until((rows) => rows.every(({ state }) => state === 'delivered'));
      expect(heard()).toBe(1);
      await stop(false);
      await sealRows(service, NotificationEntity);
      await receiver.close();
    });

    // The instance that starts last receives the log of the process, so these two tests come last.

    it('of signers are not opened by any instance, and their relayers do not sign', async () => {
      const { signerId } = await addRelayer(service, { id: 'of-altered-signer', network: 'other' });
      const settings = databaseName === 'SQLite' ? '{"a": 1}' : '{"a":1}';
      await query('UPDATE signers SET settings = ? WHERE id = ?', [settings, signerId]);
      const other = await TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: KEY });
      const response = await other.post('/api/v1/relayers/of-altered-signer/sign-typed-data', HASHES);
      expect(response.status).toBe(500);
      const failures = other.logs.filter((line) => line.includes('"Failure"'));
      expect(failures.filter((line) => line.includes('"row_altered"'))).toHaveLength(1);
      await other.close();
      await query("DELETE FROM relayers WHERE id = 'of-altered-signer'");
      expect((await service.call({ method: 'DELETE', path: pathOf('signers', signerId) })).status).toBe(200);
      expect(await store.faults(KEY)).toEqual([]);
    });

    it('do not prevent an instance from starting', async () => {
      await alter('networks', 'chain_id', '1', async () => {
        const other = await TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: KEY });
        expect((await other.get(pathOf('relayers'))).status).toBe(200);
        expect((await other.get(pathOf('networks'))).status).toBe(500);
        await other.close();
      });
    });
  },
);
