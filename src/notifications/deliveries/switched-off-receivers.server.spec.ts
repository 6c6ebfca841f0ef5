import { ConfigService } from '@nestjs/config';
import { Registry } from 'prom-client';
import { type DataSource, Repository } from 'typeorm';
import { describeOnDatabases, type TestDatabase } from '../../../test/support/databases';
import { openDataSource } from '../../../test/support/open-data-source';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import { DeliveryEntity } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import { ReceiverHealth } from './receiver-health';
import { SwitchedOffReceivers } from './switched-off-receivers';

const HOUR_MS = 3_600_000;
const RETRY_FOR_MS = 24 * HOUR_MS;

describeOnDatabases('SwitchedOffReceivers', (createDatabase) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let switchedOff: SwitchedOffReceivers;
  let health: ReceiverHealth;
  let now: Date;

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await openDataSource(database);
    unitOfWork = new UnitOfWork(dataSource);
    const webhooks = { retryForMs: RETRY_FOR_MS, switchOffAfterMs: 72 * HOUR_MS, longestRetryMs: HOUR_MS };
    const config = new ConfigService<AppConfig, true>({ webhooks });
    switchedOff = new SwitchedOffReceivers(
      unitOfWork,
      new DeliveryMetrics(new Registry(), unitOfWork),
      config,
    );
    health = new ReceiverHealth(unitOfWork, switchedOff, config);
    now = new Date();
    const hook = { id: 'hook', type: 'webhook' as const, url: 'sealed', createdAt: now };
    await dataSource.manager.insert(NotificationEntity, { ...hook, failingSince: now, switchedOffAt: now });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await database.drop();
  });

  const add = async (count: number, more: Partial<DeliveryEntity> = {}, name = 'd'): Promise<void> => {
    const one = {
      ...{
        notificationId: 'hook',
        event: 'relayer_update',
        payload: {},
        state: 'pending' as const,
        attempts: 3,
      },
      ...{ giveUpAt: now, nextAttemptAt: now, createdAt: now },
      ...more,
    };
    const rows = Array.from({ length: count }, (_, i) => ({ ...one, id: `${name}${i}` }));
    await dataSource.manager.insert(DeliveryEntity, rows);
  };
  const stored = (id: string) => dataSource.manager.findOneByOrFail(DeliveryEntity, { id });
  const pending = () => dataSource.manager.countBy(DeliveryEntity, { state: 'pending' });
  /** @returns the number of transactions */
  const runAll = async (): Promise<number> => {
    let transactions = 0;
    while (await switchedOff.purgeSome()) transactions += 1;
    return transactions;
  };
  const accept = (since: Date) => unitOfWork.run(() => health.record(new Map([['hook', since]]), new Map()));

  it('makes deliveries pending again if the receiver has accepted one that began earlier', async () => {
    await add(1200);
    await runAll();
    const ended = { state: 'dead', nextAttemptAt: null, finishedAt: now } as const;
    await add(1, { ...ended, lastFailure: 'switched_off' }, 'later');
    await add(1, { ...ended, lastFailure: 'gone' }, 'gone');
    const before = new Date(now.getTime() - 2 * HOUR_MS);
    await add(1, { ...ended, lastFailure: 'switched_off', finishedAt: before }, 'earlier');
    expect(await pending()).toBe(0);
    await accept(new Date(now.getTime() - 1));
    expect(await pending()).toBe(500);
    expect(await runAll()).toBe(2);
    expect(await pending()).toBe(1201);
    const { giveUpAt, ...restored } = await stored('d0');
    expect(restored).toMatchObject({ state: 'pending', attempts: 0, lastFailure: null, finishedAt: null });
    expect(giveUpAt.getTime()).toBeGreaterThanOrEqual(now.getTime() + RETRY_FOR_MS);
    expect(await stored('later0')).toMatchObject({ state: 'pending' });
    expect(await stored('gone0')).toMatchObject({ state: 'dead', lastFailure: 'gone' });
    expect(await stored('earlier0')).toMatchObject({ state: 'dead', lastFailure: 'switched_off' });
  });

  it('leaves deliveries dead if the receiver has accepted one that began later', async () => {
    await add(1);
    await runAll();
    await accept(new Date(now.getTime() + 1));
    expect(await runAll()).toBe(0);
    expect(await stored('d0')).toMatchObject({ state: 'dead', lastFailure: 'switched_off' });
  });

  it('leaves deliveries pending whose receiver is switched on after they were read', async () => {
    await add(1);
    const find = Repository.prototype.find;
    jest.spyOn(Repository.prototype, 'find').mockImplementation(async function (
      this: typeof Repository.prototype,
      options,
    ) {
      const found = await find.call(this, options);
      if (this.target === DeliveryEntity)
        await dataSource.manager.update(NotificationEntity, { id: 'hook' }, { switchedOffAt: null });
      return found;
    });
    expect(await runAll()).toBe(1);
    expect(await stored('d0')).toMatchObject({ state: 'pending', attempts: 3, lastFailure: null });
  });
});
