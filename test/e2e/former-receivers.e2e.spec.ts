import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryAttemptEntity } from '../../src/notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { EndedFormerReceivers } from '../../src/notifications/deliveries/ended-former-receivers';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { addRelayer, emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import { storageKey } from '../support/keys';
import { LimitedClient } from '../support/limited-keys';
import { TestNotification } from '../support/notifications';
import { freePort, until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

const KEY = 'the first signing key, 32 bytes and more';
const SETTINGS = { STORAGE_ENCRYPTION_KEY: storageKey(1) };
/** Short times for fast tests, whose results do not depend on them. */
const QUICK = { timeoutMs: 400, leaseMs: 1000, firstRetryMs: 20, longestRetryMs: 50 };
const OVERLAP_MS = 2000;
const HOUR_MS = 3_600_000;
const LIST = '/api/v1/notifications';

describeService('Former receivers', { settings: SETTINGS, startFor: 'none' }, ({ service, database }) => {
  let port: number;
  let former: string;
  let other: Receiver;

  beforeEach(async () => {
    port = await freePort();
    former = `http://127.0.0.1:${port}/secret-path`;
    other = await Receiver.start();
  });

  afterEach(() => other.close());

  const start = (webhooks: object = {}): Promise<void> =>
    service.start(database, SETTINGS, { webhooks: { ...QUICK, ...webhooks } });

  const repository = <T extends object>(entity: new () => T) =>
    service.app.get(UnitOfWork).repository<T>(entity);

  const formerRows = async (): Promise<NotificationEntity[]> =>
    (await repository(NotificationEntity).find()).filter(({ formerHost }) => formerHost !== null);

  const theOnly = async (): Promise<NotificationEntity> => {
    const rows = await formerRows();
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const deliveryOf = (id: string) => repository(DeliveryEntity).findOneByOrFail({ notificationId: id });

  /** Runs while a receiver is available at the former URL. */
  const withReceiver = async (work: (receiver: Receiver) => Promise<void>): Promise<void> => {
    const receiver = await Receiver.start(port);
    try {
      await work(receiver);
    } finally {
      await receiver.close();
    }
  };

  const removed = () =>
    until('the removal of the row', async () => {
      service.app.get(EndedFormerReceivers).wake();
      return (await formerRows()).length === 0;
    });

  it('get the event of a move once they are available again, signed with the former keys', async () => {
    await start({ keyOverlapMs: OVERLAP_MS });
    const hook = await TestNotification.add(service, former, {
      signing_key: 'an older key, with 32 bytes and more',
    });
    await hook.patch({ signing_key: KEY });
    expect((await hook.patch({ url: other.url })).status).toBe(200);
    const { id } = await theOnly();
    await until('three attempts', async () => (await deliveryOf(id)).attempts >= 3);
    // The previous key signs as at the time of the change.
    await sleep(OVERLAP_MS);
    await withReceiver(async ({ received }) => {
      await until('the event', () => received.length > 0);
      const { headers, body, event } = received[0]!;
      expect(event).toMatchObject({ event: 'notification_update', payload: { changed: ['url'] } });
      const signatureOf = (key: string) => createHmac('sha256', key).update(body).digest('base64');
      expect(headers).toMatchObject({
        'x-signature': signatureOf(KEY),
        'x-signature-previous': signatureOf('an older key, with 32 bytes and more'),
      });
      expect(body).not.toContain(other.url);
      await removed();
      expect(received).toHaveLength(1);
    });
    expect(await repository(DeliveryEntity).existsBy({ notificationId: id })).toBe(false);
    const attempts = await repository(DeliveryAttemptEntity).find({ relations: { delivery: true } });
    expect(attempts.filter(({ delivery }) => delivery?.notificationId !== 'hook')).toEqual([]);
    expect((await hook.get()).body.data.url).toBe(other.url);
  });

  it('are stored with the change, or not at all', async () => {
    await start();
    const hook = await TestNotification.add(service, former);
    const run = jest.spyOn(service.app.get(UnitOfWork), 'afterCommit').mockImplementation(() => undefined);
    expect((await hook.patch({ url: other.url })).status).toBe(200);
    run.mockRestore();
    expect((await deliveryOf((await theOnly()).id)).event).toBe('notification_update');
    await addRelayer(service, { notificationId: 'hook' });
    expect((await hook.delete()).status).toBe(409);
    await theOnly();
  });

  it('cannot be seen, changed or used by anyone, nor can their deliveries', async () => {
    await start();
    const hook = await TestNotification.add(service, former);
    expect((await hook.delete()).status).toBe(200);
    await TestNotification.add(service, other.url);
    const [{ id }, { id: signerId }] = [await theOnly(), await addRelayer(service)];
    const delivery = await deliveryOf(id);
    const path = `${LIST}/${encodeURIComponent(id)}`;
    const key = await LimitedClient.create(service, {
      scopes: ['notifications:read', 'notifications:write'],
    });
    const shown: string[] = [];
    for (const call of [
      { path },
      { method: 'PATCH', path, body: { url: other.url } },
      { method: 'DELETE', path },
      { method: 'POST', path: `${path}/test`, body: {} },
      { path: `${path}/deliveries` },
      { path: `${path}/deliveries/${delivery.id}` },
      { method: 'POST', path: `${path}/deliveries/${delivery.id}/replay`, body: {} },
      { method: 'POST', path: `${path}/deliveries/replay`, body: { since: '2026-01-01T00:00:00Z' } },
      { path: `${LIST}/hook/deliveries/${delivery.id}` },
      { method: 'POST', path: `${LIST}/hook/deliveries/${delivery.id}/replay`, body: {} },
    ])
      for (const { status, text } of [await service.call(call), await key.call(call)]) {
        expect([call.method, call.path, status]).toEqual([call.method, call.path, 404]);
        shown.push(text);
      }
    const link = await service.patch(`/api/v1/relayers/${signerId}`, { notification_id: id });
    const created = await service.post(LIST, { id, url: other.url });
    expect([link.status, created.status]).toEqual([400, 400]);
    const list = await service.get(`${LIST}?per_page=100`);
    expect(list.body.data.map((each: { id: string }) => each.id)).toEqual(['hook']);
    expect(list.body.pagination.total_items).toBe(1);
    const deliveries = await hook.get('/deliveries');
    expect(deliveries.body.data).toEqual([]);
    const replay = await hook.post('/deliveries/replay', { since: '2026-01-01T00:00:00Z' });
    expect(replay.body.data).toEqual({ replayed: 0, more: false });
    const audit = await service.get('/api/v1/audit-events?per_page=100');
    for (const text of [...shown, link.text, created.text, list.text, deliveries.text, audit.text])
      expect(text).not.toContain('secret-path');
    for (const line of service.logs) expect(line).not.toContain('secret-path');
    expect((await deliveryOf(id)).state).toBe('pending');
    await withReceiver(({ received }) => until('the event', () => received.length > 0));
  });

  it('get their event if another instance deletes notifications and purges deliveries meanwhile', async () => {
    await start();
    const hook = await TestNotification.add(service, former);
    await hook.delete();
    await service.close();
    await start();
    await TestNotification.add(service, other.url);
    const again = await service.call({ method: 'DELETE', path: `${LIST}/hook` });
    expect(again.status).toBe(200);
    expect(await formerRows()).toHaveLength(2);
    await withReceiver(({ received }) => until('the event', () => received.length > 0));
    await removed();
    expect(other.received).toHaveLength(1);
  });

  it('are logged and removed if they do not accept the event in time', async () => {
    await start({ retryForMs: 300 });
    const hook = await TestNotification.add(service, former);
    await hook.delete();
    await removed();
    const line = service.logs.find((text) => text.includes('A former receiver did not accept an event'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 'warn',
      notification: 'hook',
      event: 'notification_deleted',
      cause: 'connection',
    });
    expect(await repository(DeliveryEntity).count()).toBe(0);
  });

  it('get their event even if the notification was switched off', async () => {
    await start();
    const hook = await TestNotification.add(service, former);
    await repository(NotificationEntity).update({ id: 'hook' }, { switchedOffAt: new Date() });
    await hook.delete();
    await withReceiver(({ received }) => until('the event', () => received.length > 0));
  });

  /** Adds former receivers whose event is due in an hour. */
  const addWaiting = async (count: number, hostOf: (index: number) => string, first = 0): Promise<void> => {
    const now = new Date();
    for (let added = 0; added < count; added += 100) {
      const rows = Array.from({ length: Math.min(100, count - added) }, (_, index) => ({
        id: `former:${first + added + index}`,
        type: 'webhook' as const,
        url: 'x',
        formerHost: hostOf(added + index),
        deletedAt: now,
        createdAt: now,
      }));
      await repository(NotificationEntity).insert(rows);
      const deliveries = rows.map(({ id }) => ({
        id: randomUUID(),
        notificationId: id,
        event: 'notification_deleted',
        payload: { payload_type: 'notification_deleted', notification_id: id },
        state: 'pending' as const,
        attempts: 0,
        giveUpAt: new Date(now.getTime() + HOUR_MS),
        nextAttemptAt: new Date(now.getTime() + HOUR_MS / 2),
        createdAt: now,
      }));
      await repository(DeliveryEntity).insert(deliveries);
    }
  };

  it('are refused beyond 2000 that wait at one host, and the change with them', async () => {
    await start({ longestRetryMs: HOUR_MS });
    const hook = await TestNotification.add(service, former);
    await addWaiting(2000, () => `127.0.0.1:${port}`);
    for (const refused of [await hook.patch({ url: other.url }), await hook.delete()]) {
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
      expect(refused.body.error).toBe(
        "too many former receivers at the host of notification 'hook' wait for their event",
      );
    }
    expect((await hook.get()).body.data.url).toBe(former);
    await service.post(LIST, { id: 'elsewhere', url: other.url });
    const path = `${LIST}/elsewhere`;
    expect((await service.patch(path, { url: `${other.url}/x` })).status).toBe(200);
    // Those whose event has ended do not count.
    await repository(DeliveryEntity).update(
      { notificationId: 'former:7' },
      { state: 'delivered', nextAttemptAt: null },
    );
    expect((await hook.delete()).status).toBe(200);
  });

  it('are refused beyond 10 000 that wait in all', async () => {
    await start({ longestRetryMs: HOUR_MS });
    const hook = await TestNotification.add(service, former);
    const client = await LimitedClient.create(service, { scopes: ['notifications:write'] });
    const byKey = (url: string) => client.call({ method: 'PATCH', path: `${LIST}/hook`, body: { url } });
    await addWaiting(8999, (index) => `host-${index % 100}`);
    expect((await byKey(`${former}/moved`)).status).toBe(200);
    // The last tenth is for the root key.
    expect((await byKey(former)).status).toBe(503);
    expect((await hook.patch({ url: former })).status).toBe(200);
    await addWaiting(999, (index) => `host-${index % 100}`, 8999);
    const refused = await hook.delete();
    expect([refused.status, refused.body.error]).toEqual([
      503,
      'too many former receivers of notifications wait for their event',
    ]);
    await emptyTables(service);
  });
});
