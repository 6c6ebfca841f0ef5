import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import type { AccountStep } from '../processing/account-step';
import type { AccountLookup } from './account-lookup';
import type { KnownNonces } from './known-nonces';
import type { LaneClaim, LaneRows } from './lane-rows';
import { LaneWorker } from './lane-worker';

describe('LaneWorker', () => {
  it('releases what it claims while it stops, without processing it', async () => {
    let claim: (claims: LaneClaim[]) => void = () => undefined;
    const claimed = new Promise<LaneClaim[]>((resolve) => {
      claim = resolve;
    });
    const released: string[] = [];
    let lookups = 0;
    const rows = {
      takeAll: () => Promise.resolve(),
      compareIdle: () => Promise.resolve(false),
      claim: ({ admit }: { admit: (candidate: { id: string; chainId: string }) => boolean }) => {
        admit({ id: 'a', chainId: '1' });
        return claimed;
      },
      release: ({ row }: LaneClaim) => Promise.resolve(released.push(row.id)),
    } as unknown as LaneRows;
    const accounts = {
      find: () => {
        lookups += 1;
        return Promise.resolve(undefined);
      },
    } as unknown as AccountLookup;
    const config = {
      get: (name: string) => (name === 'background' ? true : { laneMs: 60_000 }),
    } as unknown as ConfigService<AppConfig, true>;
    const worker = new LaneWorker(rows, {} as AccountStep, accounts, {} as KnownNonces, config);
    await worker.onApplicationBootstrap();
    await sleep(50);
    const stopped = worker.onModuleDestroy();
    claim([{ row: { id: 'a' } } as LaneClaim]);
    await stopped;
    expect({ released, lookups }).toEqual({ released: ['a'], lookups: 0 });
  });
});
