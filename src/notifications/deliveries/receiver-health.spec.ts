import type { ConfigService } from '@nestjs/config';
import { IsNull } from 'typeorm';
import type { AppConfig } from '../../config/app-config';
import type { UnitOfWork } from '../../database/unit-of-work';
import { ReceiverHealth } from './receiver-health';
import type { SwitchedOffReceivers } from './switched-off-receivers';

const [BEFORE, AT, AFTER] = [1000, 2000, 3000].map((time) => new Date(time)) as [Date, Date, Date];
const CONFIG = {
  get: () => ({ switchOffAfterMs: 1, longestRetryMs: 1 }),
} as unknown as ConfigService<AppConfig, true>;

describe('ReceiverHealth', () => {
  it('switches a receiver on that another instance has switched off since its state was read', async () => {
    const lock = { lock: { mode: 'pessimistic_write' } };
    const updates: object[] = [];
    const restored: unknown[] = [];
    const notifications = {
      find: () => Promise.resolve([{ id: 'n', failingSince: BEFORE, switchedOffAt: null }]),
      findOne: (options: object) => {
        expect(options).toEqual({ where: { id: 'n' }, ...lock });
        return Promise.resolve({ id: 'n', failingSince: BEFORE, switchedOffAt: AFTER });
      },
      update: (...update: object[]) => {
        updates.push(...update);
        return Promise.resolve({ affected: updates.length === 2 ? 0 : 1 });
      },
    };
    const unitOfWork = { repository: () => notifications, lockingRows: lock } as unknown as UnitOfWork;
    const switchedOff = {
      restore: (...what: unknown[]) => Promise.resolve(restored.push(...what)),
    } as unknown as SwitchedOffReceivers;
    await new ReceiverHealth(unitOfWork, switchedOff, CONFIG).record(new Map([['n', AT]]), new Map());
    expect(updates).toEqual([
      { id: 'n', switchedOffAt: IsNull() },
      { failingSince: null },
      { id: 'n', switchedOffAt: AFTER },
      { failingSince: null, switchedOffAt: null },
    ]);
    expect(restored).toEqual(['n', AFTER]);
  });
});
