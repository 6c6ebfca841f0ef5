import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createMariaDb, describeWithMariaDb, type TestDatabase, withSchema } from '../support/databases';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { LockWaits } from '../support/lock-waits';
import { type Grant, LimitedClient, write } from '../support/limited-keys';
import { pendingChange } from '../support/pending-changes';

const URL = 'http://127.0.0.1:9/';
const ELSEWHERE = { relayers: ['elsewhere'] };
const newId = (): string => `x-${randomBytes(4).toString('hex')}`;
const top_up = { from_relayer: 'treasury', below: '1', to: '2' };

/** A request, and the statement of another client whose lock it waits for. */
interface Waiting {
  method: string;
  path: string;
  body?: object;
  lock: string;
}

type Outcome = [number, unknown];

describeWithMariaDb('A change that waits for a row', () => {
  let database: TestDatabase;
  let service: TestApplication;
  let rival: Connection;
  let waits: LockWaits;

  beforeAll(async () => {
    database = await withSchema(createMariaDb)();
    service = await TestApplication.start(database, { APPROVALS: 'unpause=1' });
    rival = await createConnection(database.url);
    waits = new LockWaits(rival);
    for (const id of ['shared', 'used'])
      expect((await service.post('/api/v1/notifications', { id, url: URL })).status).toBe(201);
    for (const id of ['treasury', 'own', 'silent']) await addRelayer(service, { id });
    await service.patch('/api/v1/relayers/own', { notification_id: 'used' });
  });

  afterAll(async () => {
    await rival.end();
    await service.close();
    await database.drop();
  });

  /** Sends a request, runs `meanwhile` while it waits for the lock, and releases the lock. */
  const waiting = async (
    { lock }: Pick<Waiting, 'lock'>,
    send: () => Promise<HttpResponse>,
    meanwhile: () => Promise<unknown>,
  ): Promise<HttpResponse> => {
    await rival.beginTransaction();
    try {
      await rival.query(lock);
      const response = send();
      await waits.until(1);
      await meanwhile();
      await rival.rollback();
      return await response;
    } finally {
      await rival.rollback();
    }
  };

  const newRelayer = async (id: string, more: object): Promise<Waiting> => {
    const signer_id = newId();
    const key = service.keepSecret(randomBytes(32).toString('hex'));
    await service.post('/api/v1/signers', { id: signer_id, type: 'plain', config: { key } });
    const network = { network: 'sepolia', network_type: 'evm' };
    const body = { id, name: 'R', ...network, signer_id, paused: true, ...more };
    const lock = `SELECT id FROM signers WHERE id = '${signer_id}' FOR UPDATE`;
    return { method: 'POST', path: '/api/v1/relayers', body, lock };
  };

  const WRITE_ALL: Grant = { scopes: ['relayers:write', 'transactions:write'] };

  it.each<[string, Grant, object, () => Promise<Waiting>, Outcome]>([
    [
      'a relayer that takes coins, without the scope',
      WRITE_ALL,
      { scopes: ['relayers:write'] },
      () => newRelayer('paid', { policies: { top_up } }),
      [403, 'this API key lacks the scope transactions:write'],
    ],
    [
      'a relayer that takes coins, without the one that pays',
      WRITE_ALL,
      { relayers: ['paid-by-others'] },
      () => newRelayer('paid-by-others', { policies: { top_up } }),
      [403, 'this API key cannot reach the relayer of policies.top_up.from_relayer'],
    ],
    [
      'a relayer with a notification of others',
      WRITE_ALL,
      { relayers: ['notified'] },
      () => newRelayer('notified', { notification_id: 'used' }),
      [403, "this API key cannot reach every relayer that notification 'used' is of"],
    ],
    [
      'the end of a freeze, for some relayers only',
      { scopes: ['freeze'] },
      { relayers: ['own'] },
      async () => {
        await service.post('/api/v1/signing/freeze', { reason: 'test' });
        const lock = 'SELECT id FROM signing_freeze FOR UPDATE';
        return { method: 'POST', path: '/api/v1/signing/unfreeze', body: {}, lock };
      },
      [403, 'this API key cannot reach every relayer, all of which would sign again'],
    ],
    [
      'the deletion of a notification about all relayers',
      { scopes: ['notifications:write'] },
      ELSEWHERE,
      async () => {
        const id = newId();
        await service.post('/api/v1/notifications', { id, url: URL, events: ['signer_deleted'] });
        const lock = `SELECT id FROM notifications WHERE id = '${id}' FOR UPDATE`;
        return { method: 'DELETE', path: `/api/v1/notifications/${id}`, lock };
      },
      [403, 'this API key cannot reach what the event signer_deleted is about'],
    ],
  ])('is not made with what its key had before: %s', async (...[, grant, less, prepare, expected]) => {
    const client = await LimitedClient.create(service, grant);
    const { method, path, body, lock } = await prepare();
    const refused = await waiting(
      { lock },
      () => write(client, method, path, body),
      () => client.narrow(less),
    );
    expect([refused.status, refused.body.error]).toEqual(expected);
    await service.post('/api/v1/signing/unfreeze', {});
  });

  it.each(['approve', 'reject'] as const)(
    'is not decided by a key that no longer sees it: %s',
    async (decide) => {
      const requester = await KeyHolder.add(service);
      const id = newId();
      await addRelayer(service, { id, paused: true });
      const unpaused = await requester.call('PATCH', `/api/v1/relayers/${id}`, { paused: false });
      const change = pendingChange(unpaused);
      const approver = await KeyHolder.add(service, { scopes: ['approve'] });
      const refused = await waiting(
        { lock: `SELECT id FROM change_requests WHERE id = '${change}' FOR UPDATE` },
        () => approver[decide](change),
        () => service.patch(`/api/v1/api-keys/${approver.id}`, ELSEWHERE),
      );
      expect([refused.status, refused.body.error]).toEqual([404, `Change with ID ${change} not found`]);
      const { data } = (await requester.show(change)).body;
      expect(data).toMatchObject({ status: 'pending', approvals: [] });
    },
  );

  const subscriber = { url: URL, events: ['signer_deleted'] };
  const ofNotification = "SELECT id FROM notifications WHERE id = 'shared' FOR UPDATE";
  const ofUsed = "SELECT id FROM notifications WHERE id = 'used' FOR UPDATE";
  const ofSubscribers = 'SELECT id FROM migrations ORDER BY id LIMIT 1 FOR UPDATE';

  it.each<[string, Waiting, number]>([
    [
      'a relayer gets a notification',
      {
        method: 'PATCH',
        path: '/relayers/silent',
        body: { notification_id: 'shared' },
        lock: ofNotification,
      },
      200,
    ],
    [
      'an event of a relayer is recorded',
      { method: 'PATCH', path: '/relayers/own', body: { name: 'New' }, lock: ofUsed },
      200,
    ],
    [
      'a notification is created',
      { method: 'POST', path: '/notifications', body: subscriber, lock: ofSubscribers },
      201,
    ],
    [
      'a notification is changed',
      { method: 'PATCH', path: '/notifications/shared', body: subscriber, lock: ofSubscribers },
      200,
    ],
    [
      'a network is created',
      {
        method: 'POST',
        path: '/networks',
        body: { name: 'wanted', network_type: 'evm', chain_id: 8 },
        lock: `INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at)
               VALUES ('evm:wanted', 'wanted', 'evm', '[]', '[]', '[]', NOW())`,
      },
      201,
    ],
    ['a receiver is tested', { method: 'POST', path: '/notifications/used/test', lock: ofUsed }, 201],
  ])('delays the revocation of its key: %s', async (_what, { method, path, body, lock }, status) => {
    const client = await LimitedClient.create(service, { scopes: ['*'] });
    const order: string[] = [];
    let revoked: Promise<unknown> = Promise.resolve();
    const made = await waiting(
      { lock },
      () => write(client, method, `/api/v1${path}`, body),
      async () => {
        revoked = client.revoke().then(() => order.push('revoked'));
        await sleep(300);
        order.push('released');
      },
    );
    await revoked;
    expect([made.status, order]).toEqual([status, ['released', 'revoked']]);
  });
});
