import { randomUUID } from 'node:crypto';
import { AuditLog } from '../../src/audit/audit-log';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryAttemptEntity } from '../../src/notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { NOTIFICATION_URL, NotificationEntity } from '../../src/notifications/notification.entity';
import { Secret } from '../../src/common/secrets/secret';
import { SecretCipher } from '../../src/secrets/secret-cipher';
import type { HttpResponse } from '../support/http';
import { describeService } from '../support/describe-service';
import { sealRows } from '../support/row-macs';
import { type ShownDelivery, TestNotification } from '../support/notifications';
import { until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

const AT = Date.UTC(2026, 0, 31, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const NOWHERE = '0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11';

describeService('The deliveries API', { startFor: 'test' }, ({ service }) => {
  let receiver: Receiver;
  let hook: TestNotification;
  let signingKey: string;

  beforeEach(async () => {
    receiver = await Receiver.start();
    signingKey = service.keepSecret('a signing key that nobody may see 1');
    hook = await TestNotification.add(service, receiver.url, { signing_key: signingKey });
  });

  afterEach(async () => {
    await receiver.close();
  });

  /** Inserts finished deliveries in addition to those of the service, oldest first. */
  const addRows = async (rows: Partial<DeliveryEntity>[]): Promise<string[]> => {
    const all = rows.map((row) => ({
      id: randomUUID(),
      notificationId: 'hook',
      event: 'relayer_update',
      payload: { payload_type: 'relayer' },
      state: 'delivered' as const,
      attempts: 1,
      giveUpAt: new Date(AT + DAY_MS),
      nextAttemptAt: null,
      lastStatus: 200,
      lastFailure: null,
      finishedAt: new Date(Date.now() - DAY_MS),
      createdAt: new Date(AT),
      ...row,
    }));
    await service.app.get(UnitOfWork).repository(DeliveryEntity).insert(all);
    return all.map(({ id }) => id);
  };

  const dead = { state: 'dead', lastStatus: 500, lastFailure: 'status' } as const;

  const list = async (query = ''): Promise<{ deliveries: ShownDelivery[]; pagination: object }> => {
    const response = await hook.get(`/deliveries${query}`);
    expect(response.status).toBe(200);
    return { deliveries: response.body.data, pagination: response.body.pagination };
  };

  const idsOf = async (query: string) => (await list(query)).deliveries.map(({ id }) => id);

  const failureOf = ({ status, body }: HttpResponse) => [status, body.message, body.error];

  it('shows an empty list', async () => {
    expect(await list()).toEqual({ deliveries: [], pagination: { next_cursor: null, per_page: 10 } });
  });

  it('shows a delivery with its attempts, but not the URL, the key or the response of a private receiver', async () => {
    const url = `${receiver.url}/${service.keepSecret('a-path-that-is-a-secret')}?token=1`;
    // Written to the database directly, because a response of the API would show the URL.
    const sealed = service.app.get(SecretCipher).seal(new Secret(url), { ...NOTIFICATION_URL, row: 'hook' });
    await service.app.get(UnitOfWork).manager.query('UPDATE notifications SET url = ?', [sealed]);
    await sealRows(service, NotificationEntity);
    receiver.respondWith(200, service.keepSecret('what-a-service-inside-tells-its-neighbours'));
    const { id } = await hook.test();
    const delivery = await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
    const summary = {
      id,
      event: 'test',
      payload: { payload_type: 'test' },
      state: 'delivered',
      attempt_count: 1,
      created_at: TIME,
      finished_at: TIME,
      last_status: 200,
    };
    const attempt = {
      started_at: TIME,
      duration_ms: expect.any(Number),
      status: 200,
      answer: '(not recorded: the receiver is at a private address)',
    };
    expect(delivery).toEqual({ ...summary, attempts: [attempt] });
    expect(await list()).toEqual({ deliveries: [summary], pagination: { next_cursor: null, per_page: 10 } });
    expect(receiver.received.map(({ event }) => event.id)).toEqual([id]);
  });

  it('shows the latest 100 attempts, oldest first', async () => {
    const [id = ''] = await addRows([{ attempts: 120 }]);
    const attempts = Array.from({ length: 120 }, (_, i) => ({
      id: randomUUID(),
      deliveryId: id,
      startedAt: new Date(AT + i),
      durationMs: i,
      status: null,
      failure: 'timeout' as const,
      answer: null,
    }));
    await service.app.get(UnitOfWork).repository(DeliveryAttemptEntity).insert(attempts.reverse());
    const shown = (await hook.delivery(id)).attempts;
    expect(shown?.map(({ duration_ms }) => duration_ms)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 20),
    );
    expect(shown?.[0]).toEqual({ started_at: TIME, duration_ms: 20, failure: 'timeout' });
  });

  it('lists each delivery once in pages, newest first, even if several were created at the same time', async () => {
    const ids = await addRows(Array.from({ length: 25 }, (_, i) => ({ createdAt: new Date(AT + (i % 3)) })));
    const seen: string[] = [];
    let [cursor, pages]: [string | null, number] = ['', 0];
    while (cursor !== null) {
      const page = await list(`?per_page=5&cursor=${cursor}`);
      seen.push(...page.deliveries.map(({ id }) => id));
      cursor = (page.pagination as { next_cursor: string | null }).next_cursor;
      pages += 1;
      // A delivery created meanwhile is newer than all remaining ones.
      if (pages === 2) await addRows([{ createdAt: new Date(AT + 1000) }]);
    }
    expect(pages).toBe(5);
    expect([...seen].sort()).toEqual([...ids].sort());
    const inOrder = ids
      .map((id, i) => ({ id, at: i % 3 }))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    expect(seen).toEqual(inOrder);
  });

  it('filters by state, event and time, also in combination', async () => {
    const other = await service.post('/api/v1/notifications', { id: 'other', url: receiver.url });
    expect(other.status).toBe(201);
    const [a, b, c, d] = await addRows([
      { createdAt: new Date(AT) },
      { createdAt: new Date(AT + 1000), ...dead },
      { createdAt: new Date(AT + 2000), event: 'relayer_state_update', ...dead },
      { createdAt: new Date(AT + 3000), event: 'relayer_state_update' },
      { createdAt: new Date(AT + 1000), notificationId: 'other', ...dead },
    ]);
    expect(await idsOf('')).toEqual([d, c, b, a]);
    expect(await idsOf('?state=dead')).toEqual([c, b]);
    expect(await idsOf('?state=pending')).toEqual([]);
    expect(await idsOf('?event=relayer_state_update')).toEqual([d, c]);
    expect(await idsOf('?since=2026-01-31T12:00:01Z')).toEqual([d, c, b]);
    expect(await idsOf('?until=2026-01-31T12:00:01Z')).toEqual([a]);
    expect(await idsOf('?since=2026-01-31T14:00:01%2B02:00&until=2026-01-31T12:00:02.001Z')).toEqual([c, b]);
    expect(await idsOf('?state=dead&event=relayer_update&since=2026-01-31T12:00:00Z')).toEqual([b]);
    const { deliveries, pagination } = await list('?state=dead&per_page=1');
    expect(deliveries.map(({ id }) => id)).toEqual([c]);
    expect(pagination).toEqual({ next_cursor: expect.any(String), per_page: 1 });
    const { next_cursor: cursor } = pagination as { next_cursor: string };
    expect(await list(`?state=dead&per_page=1&cursor=${cursor}`)).toMatchObject({
      deliveries: [{ id: b }],
      pagination: { next_cursor: null, per_page: 1 },
    });
    // Nothing was read, so the cursor stays the same.
    expect(await list(`?state=dead&per_page=0&cursor=${cursor}`)).toEqual({
      deliveries: [],
      pagination: { next_cursor: cursor, per_page: 0 },
    });
  });

  it('refuses invalid filters', async () => {
    const bad = [
      ['state=failed', 'state must be one of pending, delivered, dead'],
      ['state=dead&state=dead', 'state must be given once, as one of pending, delivered, dead'],
      [
        'event=all',
        'event must be one of relayer_state_update, relayer_update, relayer_low_balance, relayer_nonce_repaired, relayer_deleted, signature_created, transaction_update, signer_deleted, change_update, notification_update, notification_deleted, test',
      ],
      ['since=yesterday', 'since must be a time of RFC 3339 from 1970 to 9999, such as 2026-01-31T12:00:00Z'],
      ['until=', 'until must be a time of RFC 3339 from 1970 to 9999, such as 2026-01-31T12:00:00Z'],
      ['per_page=1001', 'per_page must be given once, as an integer from 0 to 1000'],
      ['per_page=1e2', 'per_page must be given once, as an integer from 0 to 1000'],
      ['cursor=MTc2', 'cursor must be given once, as next_cursor of an earlier response'],
      ['cursor=MTphYg&cursor=MTphYg', 'cursor must be given once, as next_cursor of an earlier response'],
    ];
    for (const [query, error] of bad)
      expect(failureOf(await hook.get(`/deliveries?${query}`))).toEqual([400, 'Bad Request', error]);
  });

  it('accepts up to 1000 items per page, and ignores unknown query parameters', async () => {
    expect((await hook.get('/deliveries?per_page=1000&sort=x')).status).toBe(200);
  });

  it('returns 404 for notifications and deliveries that do not exist', async () => {
    await service.post('/api/v1/notifications', { id: 'other', url: receiver.url });
    const [ofOther] = await addRows([{ notificationId: 'other', ...dead }]);
    const noNotification = [404, 'Notification not found', 'Notification not found'];
    const noDelivery = [404, 'Delivery not found', 'Delivery not found'];
    for (const notification of ['nowhere', 'x'.repeat(100), '%F0%9F%98%80']) {
      const path = `/api/v1/notifications/${notification}`;
      expect(failureOf(await service.get(`${path}/deliveries`))).toEqual(noNotification);
      expect(failureOf(await service.get(`${path}/deliveries/${ofOther}`))).toEqual(noNotification);
      const since = '2026-01-01T00:00:00Z';
      const posts: [string, object][] = [
        ['deliveries/replay', { since }],
        [`deliveries/${ofOther}/replay`, {}],
        ['test', {}],
      ];
      for (const [post, body] of posts)
        expect(failureOf(await service.post(`${path}/${post}`, body))).toEqual(noNotification);
    }
    for (const id of [NOWHERE, ofOther, 'x'.repeat(100), '%F0%9F%98%80']) {
      expect(failureOf(await hook.get(`/deliveries/${id}`))).toEqual(noDelivery);
      expect(failureOf(await hook.post(`/deliveries/${id}/replay`))).toEqual(noDelivery);
    }
    expect(receiver.received).toEqual([]);
  });

  it('replays delivered and dead events with the same id and body', async () => {
    const ids = await addRows([{}, dead]);
    for (const id of ids) {
      const { status, body } = await hook.post(`/deliveries/${id}/replay`);
      expect([status, body.data]).toEqual([
        200,
        {
          id,
          event: 'relayer_update',
          payload: { payload_type: 'relayer' },
          state: 'pending',
          attempt_count: 0,
          created_at: '2026-01-31T12:00:00.000Z',
          next_attempt_at: TIME,
          give_up_at: TIME,
        },
      ]);
      const wait = Date.parse(body.data.give_up_at) - Date.parse(body.data.next_attempt_at);
      expect(wait).toBe(DAY_MS);
      await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
    }
    expect(receiver.received.map(({ event }) => event)).toEqual(
      ids.map((id) => ({
        id,
        event: 'relayer_update',
        payload: { payload_type: 'relayer' },
        timestamp: '2026-01-31T12:00:00.000Z',
      })),
    );
  });

  it('makes a pending delivery due immediately when it is replayed', async () => {
    const later = new Date(Date.now() + HOUR_MS);
    const pending = { state: 'pending', nextAttemptAt: later, finishedAt: null } as const;
    const [id = ''] = await addRows([pending]);
    expect((await hook.post(`/deliveries/${id}/replay`)).status).toBe(200);
    await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
  });

  it('replays all dead deliveries since a time, and no others', async () => {
    await service.post('/api/v1/notifications', { id: 'other', url: receiver.url });
    const others = await addRows([
      { createdAt: new Date(AT - 1), ...dead },
      { createdAt: new Date(AT) },
      { createdAt: new Date(AT), notificationId: 'other', ...dead },
    ]);
    const rows = Array.from({ length: 510 }, (_, i) => ({ createdAt: new Date(AT + i), ...dead }));
    const ids = await addRows(rows);
    const replayed = await hook.post('/deliveries/replay', { since: '2026-01-31T12:00:00Z' });
    expect([replayed.status, replayed.body.data]).toEqual([200, { replayed: 510, more: false }]);
    await until('all', () => receiver.received.length >= ids.length);
    const received = new Set(receiver.received.map(({ event }) => event.id));
    expect([...received].sort()).toEqual([...ids].sort());
    expect(others.filter((id) => received.has(id))).toEqual([]);
    const again = await hook.post('/deliveries/replay', { since: '2026-01-31T12:00:00Z' });
    expect(again.body.data).toEqual({ replayed: 0, more: false });
  });

  it('records tests and replays in the audit log', async () => {
    const { id: tested } = await hook.test();
    const [one = ''] = await addRows([{ relayerId: 'treasury' }]);
    await hook.post(`/deliveries/${one}/replay`);
    await addRows([dead, dead]);
    const since = '2026-01-31T12:00:00.000Z';
    await hook.post('/deliveries/replay', { since });
    await hook.post('/deliveries/replay', { since: '2030-01-01T00:00:00Z' });
    const { body } = await service.get('/api/v1/audit-events?per_page=3');
    const id = { before: 'hook', after: 'hook' };
    const to = (after: unknown) => ({ before: null, after });
    const entry = { key_id: 'root', outcome: 'success' };
    expect(body.data).toMatchObject([
      { ...entry, action: 'notification.replay', changes: { id, since: to(since), replayed: to(2) } },
      {
        ...{ ...entry, action: 'notification.replay', relayer_id: 'treasury' },
        changes: { id, delivery_id: to(one) },
      },
      { ...entry, action: 'notification.test', changes: { id, delivery_id: to(tested) } },
    ]);
  });

  it('replays nothing for invalid bodies', async () => {
    await addRows([dead]);
    const bad = [
      [{}, 'since must be a time'],
      [{ since: null }, 'since must be a time'],
      [{ since: '2026-01-31' }, 'since must be a time'],
      [{ since: '2026-01-31T12:00:00Z', until: '2026-01-31T12:00:00Z' }, 'until is not a known field'],
      [[], 'the request body must be a JSON object'],
    ];
    for (const [body, error] of bad) {
      const response = await hook.post('/deliveries/replay', body);
      expect(failureOf(response)).toEqual([400, 'Bad Request', expect.stringContaining(error as string)]);
    }
    expect((await list('?state=dead')).deliveries).toHaveLength(1);
  });

  it('exports metrics of attempts and of the age of the oldest due delivery', async () => {
    const { id } = await hook.test();
    await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
    const attempts = await service.get('/metrics/webhook_attempt_duration_seconds');
    expect(attempts.text).toContain(
      'webhook_attempt_duration_seconds_count{event="test",outcome="delivered"} 1',
    );
    const oldest = await service.get('/metrics/background_oldest_due_seconds');
    expect(oldest.text).toMatch(/\nbackground_oldest_due_seconds\{worker="deliveries"\} 0$/m);
  });

  it('retains pending deliveries if the deletion of the notification fails', async () => {
    const later = {
      state: 'pending',
      finishedAt: null,
      nextAttemptAt: new Date(Date.now() + HOUR_MS),
    } as const;
    await addRows([...Array<typeof later>(250).fill(later), dead, {}]);
    const audit = service.app.get(AuditLog, { strict: false });
    const failing = jest.spyOn(audit, 'record').mockRejectedValueOnce(new Error('The database is away'));
    const remove = () => service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' });
    expect((await remove()).status).toBe(500);
    failing.mockRestore();
    const count = () =>
      service.app.get(UnitOfWork).repository(DeliveryEntity).countBy({ notificationId: 'hook' });
    expect(await count()).toBe(252);
    expect((await remove()).status).toBe(200);
    expect(await count()).toBe(0);
  });
});
