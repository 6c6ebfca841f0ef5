import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ObservedDatabase, ServerDatabase, SqliteFile } from '../../bench/deliveries/database';
import { Fleet } from '../../bench/deliveries/fleet';
import { storageKey } from '../support/keys';
import { freePort, until } from '../support/private-servers';
import { Receiver } from '../support/receiver';
import { RotationProcess } from '../support/stored-secrets';

const { TEST_MARIADB_URL } = process.env;
const [OLD, NEW] = [storageKey(1), storageKey(2)];
/** Short, because an attempt whose instance was killed is repeated after its timeout. */
const SETTINGS = { WEBHOOK_TIMEOUT_SECONDS: '1' };

/** A webhook whose receiver is down, and the change of which its receiver must be notified. */
interface Case {
  id: string;
  port: number;
  key: string;
  change: (fleet: Fleet, notification: string) => Promise<{ status: number }>;
  expected: object;
}

const patch = (body: object) => (fleet: Fleet, path: string) =>
  fleet.exchange(0, { method: 'PATCH', path, body });

async function cases(): Promise<Case[]> {
  const moved = { url: `http://127.0.0.1:${await freePort()}/elsewhere` };
  const changes: Pick<Case, 'id' | 'change' | 'expected'>[] = [
    { id: 'moved', change: patch(moved), expected: { notification_id: 'moved', changed: ['url'] } },
    {
      id: 'without-key',
      change: patch({ signing_key: '' }),
      expected: { notification_id: 'without-key', changed: ['signing_key'] },
    },
    {
      id: 'deleted',
      change: (fleet, path) => fleet.exchange(0, { method: 'DELETE', path }),
      expected: { payload_type: 'notification_deleted', notification_id: 'deleted' },
    },
  ];
  return Promise.all(
    changes.map(async (each) => ({ ...each, port: await freePort(), key: randomBytes(24).toString('hex') })),
  );
}

const create = (database: ObservedDatabase, key: string): Promise<Fleet> =>
  Fleet.create({ database: database.url, env: { ...SETTINGS, STORAGE_ENCRYPTION_KEY: key } });

async function expectAllNotified(database: ObservedDatabase): Promise<void> {
  const all = await cases();
  let fleet = await create(database, OLD);
  try {
    for (const { id, port, key } of all) {
      const body = { id, url: `http://127.0.0.1:${port}/hook`, signing_key: key };
      expect((await fleet.exchange(0, { method: 'POST', path: '/api/v1/notifications', body })).status).toBe(
        201,
      );
    }
    for (const { id, change } of all)
      expect((await change(fleet, `/api/v1/notifications/${id}`)).status).toBe(200);
    await fleet.kill(0);
  } finally {
    await fleet.destroy();
  }
  const rotation = new RotationProcess({ url: database.url, drop: () => Promise.resolve() }, NEW, OLD);
  expect(await rotation.ended).toBe(0);
  fleet = await create(database, NEW);
  const receivers = await Promise.all(all.map(({ port }) => Receiver.start(port)));
  try {
    for (const [index, { id, key, expected }] of all.entries()) {
      const { received } = receivers[index]!;
      const signatureOf = (body: string) => createHmac('sha256', key).update(body).digest('base64');
      // A webhook without a key is also notified at its URL, without a signature.
      const signed = () =>
        received.filter(({ headers, body }) => headers['x-signature'] === signatureOf(body));
      await until(`the event of ${id}`, () => signed().length > 0);
      expect(signed().map(({ event }) => event.payload)).toEqual([expect.objectContaining(expected)]);
    }
    const rows = 'SELECT id FROM notifications WHERE deleted_at IS NOT NULL';
    await until('the removal of the rows', async () => (await database.query(rows)).length === 0);
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await fleet.destroy();
  }
}

describe('Former receivers that are down when the service is killed, and storage keys that change meanwhile', () => {
  beforeAll(() => {
    expect(existsSync(join(__dirname, '../../dist/main.js'))).toBe(true);
  });

  it('get their event, signed with the former key, on SQLite', async () => {
    const database = SqliteFile.create();
    await expectAllNotified(database);
    await database.drop();
  });

  (TEST_MARIADB_URL ? it : it.skip)('get their event, signed with the former key, on MariaDB', async () => {
    const database = await ServerDatabase.create(TEST_MARIADB_URL ?? '');
    await expectAllNotified(database);
    await database.drop();
  });
});
