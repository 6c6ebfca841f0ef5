import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DeliveryAttemptEntity } from '../../src/notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { StorageKeyCheck } from '../../src/stored-secrets/storage-key-check';
import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { storageKey } from '../support/keys';
import { TestNotification } from '../support/notifications';
import { freePort } from '../support/private-servers';
import { CommandProcess, StoredSecrets } from '../support/stored-secrets';

const KEY = storageKey(1);
const OTHER_KEY = storageKey(2);
const DAY_MS = 86_400_000;
/** As on a slow database: far longer than a worker needs for its first deliveries. */
const CHECK_MS = 300;
const LACKING = 'STORAGE_ENCRYPTION_KEY lacks a key that this database was written with: ';

describeOnDatabases('Without the storage key of the database', (createDatabase) => {
  let database: TestDatabase;
  let store: StoredSecrets;

  beforeEach(async () => {
    database = await createDatabase();
    store = await StoredSecrets.open(database);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
    await database.drop();
  });

  const start = (key: string, webhooks: object = {}): Promise<TestApplication> =>
    TestApplication.start(database, { STORAGE_ENCRYPTION_KEY: key, CONFIG_FILE: '' }, { webhooks });

  const stored = (): Promise<object[][]> => {
    const { manager } = store.dataSource;
    return Promise.all(
      [NotificationEntity, DeliveryEntity, DeliveryAttemptEntity].map((rows) => manager.find(rows)),
    );
  };

  /** Adds a receiver that has failed for a week, and a delivery that is due for the last time. */
  const addDueDelivery = async (): Promise<void> => {
    const service = await start(KEY, { firstRetryMs: DAY_MS, longestRetryMs: DAY_MS });
    const hook = await TestNotification.add(service, `http://127.0.0.1:${await freePort()}/`);
    const { id } = await hook.test();
    await hook.until(id, 'attempted', ({ attempt_count: attempts }) => attempts === 1);
    await service.close();
    const { manager } = store.dataSource;
    const past = new Date(Date.now() - 60_000);
    await manager.update(DeliveryEntity, { id }, { nextAttemptAt: past, giveUpAt: past });
    const failingSince = new Date(Date.now() - 7 * DAY_MS);
    await manager.update(NotificationEntity, { id: 'hook' }, { failingSince, lastFailedAt: past });
  };

  const delayCheck = (): void => {
    const check = StorageKeyCheck.prototype;
    const verify = Reflect.get<StorageKeyCheck, 'verify'>(check, 'verify');
    jest.spyOn(check, 'verify').mockImplementation(async function (this: StorageKeyCheck) {
      await setTimeout(CHECK_MS);
      await verify.call(this);
    });
  };

  it('a start fails before background work begins', async () => {
    await addDueDelivery();
    const before = await stored();
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1]);
    delayCheck();
    await expect(start(OTHER_KEY)).rejects.toMatchObject({ faults: [expect.stringContaining(LACKING)] });
    expect(await stored()).toEqual(before);
  });

  it('an import creates nothing', async () => {
    await (await start(KEY)).close();
    const before = await store.dump();
    const folder = mkdtempSync(join(tmpdir(), 'relayer-storage-key-'));
    const notifications = [{ id: 'ops', type: 'webhook', url: 'https://hooks.example.com' }];
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ notifications }));
    const command = new CommandProcess(['commands/import.js', folder], database, OTHER_KEY);
    const code = await command.ended;
    rmSync(folder, { recursive: true });
    expect({ code, stdout: command.stdout }).toEqual({ code: 1, stdout: '' });
    expect(command.stderr).toContain(LACKING);
    expect(await store.dump()).toBe(before);
  });
});
