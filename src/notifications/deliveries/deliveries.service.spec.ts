import { randomUUID } from 'node:crypto';
import { ConfigService } from '@nestjs/config';
import { Registry } from 'prom-client';
import { type DataSource, Repository } from 'typeorm';
import { createSqlite, type TestDatabase } from '../../../test/support/databases';
import { WorkerMetrics } from '../../background/worker.metrics';
import { RowMacs } from '../../secrets/row-macs';
import { Secret } from '../../common/secrets/secret';
import { SecretCipher } from '../../secrets/secret-cipher';
import type { AppConfig } from '../../config/app-config';
import { parseDatabaseUrl } from '../../config/database-url';
import { createDataSource, dataSourceOptions } from '../../database/data-source';
import { migrate } from '../../database/migrate';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { UnitOfWork } from '../../database/unit-of-work';
import { NOTIFICATION_PROTECTION, NOTIFICATION_URL, NotificationEntity } from '../notification.entity';
import type { AttemptResult } from './attempt-result';
import { type ClaimedDelivery, DeliveriesService } from './deliveries.service';
import { DeliveryAttemptEntity } from './delivery-attempt.entity';
import { DeliveryEntity } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import { ReceiverHealth } from './receiver-health';
import { Receivers } from './receivers';
import { SwitchedOffReceivers } from './switched-off-receivers';

const KEY = new Secret(Buffer.alloc(32, 1).toString('base64'));
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 31, 12);
const SETTINGS = {
  leaseMs: 20_000,
  firstRetryMs: 5000,
  longestRetryMs: HOUR_MS,
  retryForMs: 24 * HOUR_MS,
  switchOffAfterMs: 72 * HOUR_MS,
};
const TAKEN: AttemptResult = {
  startedAt: new Date(START),
  durationMs: 1,
  status: 200,
  failure: null,
  answer: '',
};
const FAILED: AttemptResult = { ...TAKEN, status: 500, failure: 'status' };

describe('DeliveriesService', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let service: DeliveriesService;
  let registry: Registry;
  let switchedOff: SwitchedOffReceivers;

  beforeEach(async () => {
    jest.useFakeTimers({
      now: START,
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'queueMicrotask', 'performance'],
    });
    database = await createSqlite();
    const entities = [NotificationEntity, DeliveryEntity, DeliveryAttemptEntity];
    dataSource = await createDataSource(
      dataSourceOptions(parseDatabaseUrl(database.url), entities),
    ).initialize();
    await migrate(dataSource);
    const unitOfWork = new UnitOfWork(dataSource);
    const config = new ConfigService<AppConfig, true>({ webhooks: SETTINGS });
    registry = new Registry();
    const metrics = new DeliveryMetrics(registry, unitOfWork);
    switchedOff = new SwitchedOffReceivers(unitOfWork, metrics, config);
    const health = new ReceiverHealth(unitOfWork, switchedOff, config);
    const integrity = new RowIntegrity(new RowMacs([KEY], [NOTIFICATION_PROTECTION]), registry);
    const cipher = new SecretCipher([KEY], [NOTIFICATION_URL]);
    service = new DeliveriesService(
      unitOfWork,
      new Receivers(unitOfWork, cipher, integrity),
      health,
      metrics,
      new WorkerMetrics(registry),
      config,
    );
    await new ProtectedRows(unitOfWork, integrity, NotificationEntity).insert({
      id: 'hook',
      type: 'webhook',
      url: cipher.seal(new Secret('http://hooks.test'), { ...NOTIFICATION_URL, row: 'hook' }),
      signingKey: null,
      events: null,
      isSubscriber: false,
      previousSigningKey: null,
      previousKeyUntil: null,
      failingSince: null,
      lastFailedAt: null,
      switchedOffAt: null,
      deletedAt: null,
      formerHost: null,
      createdAt: new Date(),
    });
  });

  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await dataSource.destroy();
    await database.drop();
  });

  const at = (hours: number): void => {
    jest.setSystemTime(START + hours * HOUR_MS);
  };

  /** A claimed delivery that is due now. */
  const claimed = async (event = 'relayer_update', attempts = 0): Promise<ClaimedDelivery> => {
    const id = randomUUID();
    const now = new Date();
    await dataSource.manager.insert(DeliveryEntity, {
      id,
      notificationId: 'hook',
      event,
      payload: {},
      state: 'pending',
      attempts,
      giveUpAt: new Date(now.getTime() + SETTINGS.retryForMs),
      nextAttemptAt: now,
      createdAt: now,
    });
    return claim(id);
  };

  const claim = async (id: string): Promise<ClaimedDelivery> => {
    const [one] = await service.claim({
      limit: 100,
      since: undefined,
      full: [],
      admit: (candidate) => candidate.id === id,
    });
    if (!one) throw new Error('It is not due');
    return one;
  };

  const record = async (result: AttemptResult, ...deliveries: ClaimedDelivery[]): Promise<void> => {
    await service.record(deliveries.map((delivery) => ({ ...delivery, result })));
    await endPending();
  };

  /** Ends pending deliveries like the loop of the service. @returns the number of transactions */
  const endPending = async (): Promise<number> => {
    let transactions = 0;
    while (await switchedOff.purgeSome()) transactions += 1;
    return transactions;
  };

  const stored = ({ row: { id } }: ClaimedDelivery) =>
    dataSource.manager.findOneByOrFail(DeliveryEntity, { id });

  const receiver = () => dataSource.manager.findOneByOrFail(NotificationEntity, { id: 'hook' });

  const isOff = async (): Promise<boolean> => (await receiver()).switchedOffAt !== null;

  /** The numbers of ended deliveries, except those that are 0. */
  const ended = async (): Promise<Record<string, number>> => {
    const metric = await registry.getSingleMetric('webhook_deliveries_total')?.get();
    const counts = (metric?.values ?? []).map(
      ({ labels, value }) => [`${labels.event} ${labels.outcome}`, value] as const,
    );
    return Object.fromEntries(counts.filter(([, value]) => value > 0));
  };

  it('counts a delivery once, when it is final', async () => {
    const [first, second] = [await claimed(), await claimed('test')];
    await record(FAILED, first, second);
    expect(await ended()).toEqual({});
    at(1);
    await record(TAKEN, await claim(first.row.id));
    await record({ ...FAILED, failure: 'gone' }, await claim(second.row.id));
    expect(await ended()).toEqual({ 'relayer_update delivered': 1, 'test dead': 1 });
  });

  it('does not count the result of a lost claim', async () => {
    const delivery = await claimed();
    const { id } = delivery.row;
    await dataSource.manager.update(DeliveryEntity, { id }, { nextAttemptAt: new Date() });
    await record(TAKEN, delivery);
    expect(await ended()).toEqual({});
    await record(TAKEN, await claim(id));
    expect(await ended()).toEqual({ 'relayer_update delivered': 1 });
  });

  it('does not count a result that could not be stored', async () => {
    const delivery = await claimed();
    await dataSource.query('DROP TABLE delivery_attempts');
    await expect(record(TAKEN, delivery)).rejects.toThrow('delivery_attempts');
    expect(await ended()).toEqual({});
  });

  it('counts deliveries that become dead because their receiver is switched off', async () => {
    for (let hours = 0; hours <= 72; hours += 24) {
      at(hours);
      if (hours === 72)
        for (const event of ['test', 'relayer_update', 'relayer_update']) await claimed(event);
      await record(FAILED, await claimed('relayer_state_update'));
    }
    expect(await isOff()).toBe(true);
    expect(await ended()).toEqual({
      'relayer_state_update dead': 4,
      'relayer_update dead': 2,
      'test dead': 1,
    });
  });

  it('schedules a last attempt for the end of the retry period, and none after it', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const delivery = await claimed('relayer_update', 11);
    at(23.5);
    await record(FAILED, delivery);
    expect(await stored(delivery)).toMatchObject({
      state: 'pending',
      nextAttemptAt: new Date(START + 24 * HOUR_MS),
    });
    at(24);
    await record(FAILED, await claim(delivery.row.id));
    expect(await stored(delivery)).toMatchObject({ state: 'dead', nextAttemptAt: null, attempts: 13 });
  });

  it("gives up when the receiver's Retry-After exceeds the retry period", async () => {
    const delivery = await claimed();
    await record({ ...FAILED, retryAfterMs: 25 * HOUR_MS }, delivery);
    expect(await stored(delivery)).toMatchObject({ state: 'dead' });
  });

  it.each([
    ['one hour', 1, null, false],
    ['an hour and two minutes', 1.034, null, true],
    ['three hours, as the receiver requested,', 3, 503, false],
    ['a day and two minutes, in spite of its receiver,', 24.034, 503, true],
  ])(
    'claims a delivery that is due in %s only if the clock was set back',
    async (_, hours, lastStatus, isLate) => {
      const { id } = (await claimed()).row;
      const nextAttemptAt = new Date(START + hours * HOUR_MS);
      await dataSource.manager.update(DeliveryEntity, { id }, { nextAttemptAt, lastStatus });
      jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
      expect(
        await claim(id).then(
          () => true,
          () => false,
        ),
      ).toBe(isLate);
    },
  );

  it('clears a failure when the receiver accepts a delivery that was claimed before it', async () => {
    const [first, second] = [await claimed(), await claimed()];
    await record(FAILED, first);
    expect((await receiver()).failingSince).toEqual(new Date(START));
    await record(TAKEN, second);
    expect((await receiver()).failingSince).toBeNull();
  });

  it('clears a failure when the receiver accepts another delivery at the same time', async () => {
    const [first, second] = [await claimed(), await claimed()];
    await service.record([
      { ...first, result: TAKEN },
      { ...second, result: FAILED },
    ]);
    expect((await receiver()).failingSince).toBeNull();
  });

  it('switches off a receiver that has failed for the whole period', async () => {
    for (let hours = 0; hours < 72; hours += 12) {
      at(hours);
      await record(FAILED, await claimed());
      expect(await isOff()).toBe(false);
    }
    at(72);
    const waiting = await claimed();
    await record(FAILED, await claimed());
    expect(await isOff()).toBe(true);
    expect(await stored(waiting)).toMatchObject({ state: 'dead', lastFailure: 'switched_off' });
  });

  it('ends pending deliveries in batches, including those of unknown events', async () => {
    const now = new Date();
    const pending = {
      notificationId: 'hook',
      payload: {},
      state: 'pending' as const,
      attempts: 0,
      giveUpAt: new Date(START + SETTINGS.retryForMs),
      nextAttemptAt: now,
      createdAt: now,
    };
    const events = ['relayer_update', 'acme.removed'];
    const rows = Array.from({ length: 1200 }, (_, i) => ({
      ...pending,
      id: randomUUID(),
      event: events[i % 2],
    }));
    for (let i = 0; i < rows.length; i += 100)
      await dataSource.manager.insert(DeliveryEntity, rows.slice(i, i + 100));
    expect(await endPending()).toBe(0);
    await dataSource.manager.update(NotificationEntity, { id: 'hook' }, { switchedOffAt: now });
    expect(await endPending()).toBe(3);
    expect(await dataSource.manager.countBy(DeliveryEntity, { state: 'dead' })).toBe(1200);
    expect(await ended()).toEqual({ 'relayer_update dead': 600, 'acme.removed dead': 600 });
  });

  it('leaves deliveries that are requested after their receiver was switched off', async () => {
    await fail72Hours();
    at(72.001);
    const requested = await claimed('test');
    expect(await endPending()).toBe(0);
    expect(await stored(requested)).toMatchObject({ state: 'pending' });
  });

  it('leaves pending deliveries of a receiver that has been switched on again', async () => {
    for (let hours = 0; hours <= 72; hours += 24) {
      at(hours);
      await service.record([{ ...(await claimed()), result: FAILED }]);
    }
    expect(await isOff()).toBe(true);
    const waiting = await claimed();
    await dataSource.manager.update(NotificationEntity, { id: 'hook' }, { switchedOffAt: null });
    expect(await endPending()).toBe(0);
    expect(await stored(waiting)).toMatchObject({ state: 'pending' });
  });

  const fail72Hours = async (): Promise<void> => {
    for (let hours = 0; hours <= 72; hours += 24) {
      at(hours);
      await record(FAILED, await claimed());
    }
  };

  it('stores a success from before the receiver was switched off, and switches the receiver on again', async () => {
    at(72);
    const underWay = await claimed();
    await fail72Hours();
    expect(await isOff()).toBe(true);
    await record({ ...TAKEN, startedAt: new Date(START + 72 * HOUR_MS - 1) }, underWay);
    expect(await stored(underWay)).toMatchObject({ state: 'delivered', lastFailure: null, attempts: 1 });
    expect(await receiver()).toMatchObject({ switchedOffAt: null, failingSince: null });
  });

  it('leaves a receiver switched off when it accepts a delivery that was requested', async () => {
    await fail72Hours();
    at(73);
    await record({ ...TAKEN, startedAt: new Date() }, await claimed('test'));
    expect(await isOff()).toBe(true);
  });

  it('does not switch off a receiver that has just accepted a delivery', async () => {
    await fail72Hours();
    await dataSource.manager.update(NotificationEntity, { id: 'hook' }, { switchedOffAt: null });
    const failing = await claimed();
    const find = Repository.prototype.find;
    jest.spyOn(Repository.prototype, 'find').mockImplementation(async function (
      this: typeof Repository.prototype,
      options,
    ) {
      const found = await find.call(this, options);
      if (this.target === NotificationEntity) await this.update({ id: 'hook' }, { failingSince: null });
      return found;
    });
    await record(FAILED, failing);
    expect(await isOff()).toBe(false);
  });

  it.each([[[0, 73]], [[0, 1, 2, 73, 74]], [[0, 12, 24, 49, 73]]])(
    'does not switch off a receiver that failed at the hours %j and was not called in between',
    async (hours) => {
      for (const hour of hours) {
        at(hour);
        await record(FAILED, await claimed());
      }
      expect(await isOff()).toBe(false);
    },
  );

  it('attempts a delivery for a switched-off receiver only once', async () => {
    await dataSource.manager.update(NotificationEntity, { id: 'hook' }, { switchedOffAt: new Date() });
    const [first, second] = [await claimed(), await claimed()];
    await record(FAILED, first);
    await record(TAKEN, second);
    expect(await stored(first)).toMatchObject({ state: 'dead', lastFailure: 'status', nextAttemptAt: null });
    expect(await stored(second)).toMatchObject({ state: 'delivered' });
  });
});
