import { UnitOfWork } from '../../src/database/unit-of-work';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { TestNotification } from '../support/notifications';
import { freePort, until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

/** Short times for fast tests, whose results do not depend on them. */
const QUICK = { timeoutMs: 400, leaseMs: 1000, firstRetryMs: 20, longestRetryMs: 50 };
const DAY_MS = 86_400_000;

/** Receivers of tests are on the loopback interface. */
const NOT_RECORDED = '(not recorded: the receiver is at a private address)';

describeService('Retries of deliveries', { startFor: 'none' }, ({ service, database }) => {
  let receiver: Receiver;

  const start = (webhooks: object = {}): Promise<void> =>
    service.start(database, {}, { webhooks: { ...QUICK, ...webhooks } });

  beforeEach(async () => {
    receiver = await Receiver.start();
  });

  afterEach(async () => {
    await receiver.close();
  });

  it('continue with the same id and body until the receiver accepts the event', async () => {
    await start();
    const hook = await TestNotification.add(service, receiver.url);
    receiver.respond = (response) => {
      const status = [302, 404, 500, 200][receiver.received.length - 1] ?? 200;
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end(`answer ${status}`);
    };
    const { id } = await hook.test();
    const delivery = await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
    expect(delivery).toMatchObject({ attempt_count: 4, last_status: 200 });
    expect(delivery).not.toHaveProperty('last_failure');
    expect(delivery).not.toHaveProperty('next_attempt_at');
    const time = expect.stringMatching(/^\d{4}-.+Z$/);
    const failed = (status: number) => ({
      started_at: time,
      duration_ms: expect.any(Number),
      status,
      failure: 'status',
      answer: NOT_RECORDED,
    });
    expect(delivery.attempts).toEqual([
      failed(302),
      failed(404),
      failed(500),
      { started_at: time, duration_ms: expect.any(Number), status: 200, answer: NOT_RECORDED },
    ]);
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id, id]);
    const lines = service.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ context }) => context === 'Receivers')).toMatchObject([
      {
        level: 'warn',
        message: 'A receiver does not accept deliveries',
        failure: 'status',
        status: 302,
      },
      { level: 'info', message: 'A receiver accepts deliveries again' },
    ]);
  });

  it('continue if the receiver hangs or is unreachable, and report the failure', async () => {
    await start();
    const port = await freePort();
    const hook = await TestNotification.add(service, `http://127.0.0.1:${port}/hook`);
    const { id } = await hook.test();
    await hook.until(id, 'no connection', ({ last_failure }) => last_failure === 'connection');
    receiver.respond = () => undefined;
    await hook.patch({ url: receiver.url });
    const hanging = await hook.until(id, 'time-out', ({ last_failure }) => last_failure === 'timeout');
    expect(hanging).toMatchObject({ state: 'pending', next_attempt_at: expect.any(String) });
    receiver.respondWith(200);
    await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
  });

  it('stop after a 410 response', async () => {
    await start();
    const hook = await TestNotification.add(service, receiver.url);
    receiver.respondWith(410, 'no more');
    const { id } = await hook.test();
    const delivery = await hook.until(id, 'dead', ({ state }) => state === 'dead');
    expect(delivery).toMatchObject({ attempt_count: 1, last_status: 410, last_failure: 'gone' });
    expect(receiver.received).toHaveLength(1);
  });

  it('stop when the time for retries is over', async () => {
    await start({ retryForMs: 1500 });
    const hook = await TestNotification.add(service, receiver.url);
    receiver.respondWith(500);
    const { id } = await hook.test();
    const dead = await hook.until(id, 'dead', ({ state }) => state === 'dead');
    expect(dead).toMatchObject({ last_status: 500, last_failure: 'status' });
    expect(dead.attempt_count).toBeGreaterThan(1);
    const { length } = receiver.received;
    receiver.respondWith(200);
    const replayed = await hook.post(`/deliveries/${id}/replay`);
    expect([replayed.status, replayed.body.data.state, replayed.body.data.attempt_count]).toEqual([
      200,
      'pending',
      0,
    ]);
    expect(await hook.until(id, 'delivered', ({ state }) => state === 'delivered')).toMatchObject({
      attempt_count: 1,
      attempts: Array(length + 1).fill(expect.anything()),
    });
  });

  it('respect Retry-After, but not beyond the time for retries', async () => {
    await start();
    const hook = await TestNotification.add(service, receiver.url);
    receiver.respondWith(429, '', { 'retry-after': '7200' });
    const { id } = await hook.test();
    const limited = await hook.until(id, 'an attempt', ({ attempt_count }) => attempt_count === 1);
    const wait = Date.parse(limited.next_attempt_at ?? '') - Date.parse(limited.created_at);
    expect(Math.floor(wait / 3_600_000)).toBe(2);
    receiver.respondWith(503, '', { 'retry-after': String((2 * DAY_MS) / 1000) });
    const second = await hook.test();
    await hook.until(second.id, 'dead', ({ state }) => state === 'dead');
    receiver.respondWith(200);
    await hook.post(`/deliveries/${id}/replay`);
    await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
  });

  it('stop for a receiver that failed for too long, until its notification is updated', async () => {
    await start({ switchOffAfterMs: DAY_MS });
    const hook = await TestNotification.add(service, receiver.url);
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const reason = async () => (await hook.get()).body.data.disabled_reason;
    const newest = async () => (await hook.get('/deliveries?per_page=1')).body.data[0];
    const failingSince = (time: string) =>
      service.app.get(UnitOfWork).manager.query('UPDATE notifications SET failing_since = ?', [time]);

    receiver.respondWith(500);
    await service.patch(`/api/v1/relayers/${id}`, { paused: true });
    await until('the first failure', async () => (await newest()).attempt_count > 0);
    expect(await reason()).toBeUndefined();
    await failingSince('2020-01-01 00:00:00.000');
    await until('switched off', async () => (await reason()) !== undefined);
    expect(await reason()).toBe('The receiver failed for too long');
    await until('dead', async () => (await newest()).state === 'dead');
    expect(await newest()).toMatchObject({ last_failure: 'switched_off' });

    receiver.respondWith(200);
    const { length } = receiver.received;
    await service.patch(`/api/v1/relayers/${id}`, { paused: false });
    expect(await newest()).toMatchObject({
      state: 'dead',
      attempt_count: 0,
      payload: { payload_type: 'relayer_resumed' },
    });
    const test = await hook.test();
    await hook.until(test.id, 'the test delivered', ({ state }) => state === 'delivered');
    expect(receiver.received).toHaveLength(length + 1);
    expect(await reason()).toBe('The receiver failed for too long');

    expect((await hook.patch({ type: 'webhook' })).body.data).not.toHaveProperty('disabled_reason');
    await service.patch(`/api/v1/relayers/${id}`, { name: 'New' });
    await until('the next event', async () => (await newest()).state === 'delivered');
    const replayed = await hook.post('/deliveries/replay', { since: '2026-01-01T00:00:00Z' });
    expect(replayed.body.data).toEqual({ replayed: 2, more: false });
    await until('all', () => receiver.received.length === length + 4);
    const types = receiver.received.slice(length).map(({ event }) => event.payload.payload_type);
    expect(types.sort()).toEqual(['relayer', 'relayer_paused', 'relayer_resumed', 'test']);

    const ended = async () => {
      const { text } = await service.get('/debug/metrics/scrape');
      return text.match(/(?<=^webhook_deliveries_total).* [1-9]\d*$/gm)?.sort();
    };
    const all = [
      '{event="relayer_state_update",outcome="dead"} 2',
      '{event="relayer_state_update",outcome="delivered"} 2',
      '{event="relayer_update",outcome="delivered"} 1',
      '{event="test",outcome="delivered"} 1',
    ];
    await until('all counted', async () => (await ended())?.join() === all.join());
  });

  it('no longer count the receiver as failing once it accepts an event', async () => {
    await start({ switchOffAfterMs: DAY_MS });
    const hook = await TestNotification.add(service, receiver.url);
    const failingSince = async (): Promise<unknown> => {
      const rows: { failing_since: unknown }[] = await service.app
        .get(UnitOfWork)
        .manager.query('SELECT failing_since FROM notifications');
      return rows[0]?.failing_since;
    };
    receiver.respondWith(500);
    const { id } = await hook.test();
    await until('a failure', async () => (await failingSince()) !== null);
    receiver.respondWith(200);
    await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
    expect(await failingSince()).toBeNull();
  });
});
