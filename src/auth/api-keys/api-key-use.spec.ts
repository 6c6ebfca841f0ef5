import type { UnitOfWork } from '../../database/unit-of-work';
import { ApiKeyUse } from './api-key-use';

describe('ApiKeyUse', () => {
  let saves: { id: string; at: Date }[];
  let fails: boolean;
  let use: ApiKeyUse;

  beforeEach(() => {
    [saves, fails] = [[], false];
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-01T10:20:59.999Z'));
    let at: Date;
    const builder = {
      update: (values: { lastUsedAt: Date }) => {
        at = values.lastUsedAt;
        return builder;
      },
      where: ([older]: { id: string }[]) => ({
        execute: () => {
          if (fails) return Promise.reject(new Error('The database is away'));
          saves.push({ id: older!.id, at });
          return Promise.resolve();
        },
      }),
    };
    const unitOfWork = {
      runStatement: (work: () => Promise<unknown>) => work(),
      repository: () => ({ createQueryBuilder: () => builder }),
    };
    use = new ApiKeyUse(unitOfWork as unknown as UnitOfWork);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('saves one timestamp per key, however many requests there were', async () => {
    for (let i = 0; i < 1000; i += 1) use.record(i % 2 === 0 ? 'a' : 'b');
    await use.saveAll();
    const at = new Date('2026-01-01T10:20:00Z');
    expect(saves).toEqual([
      { id: 'a', at },
      { id: 'b', at },
    ]);
    await use.saveAll();
    expect(saves).toHaveLength(2);
  });

  it('saves pending timestamps when the service stops', async () => {
    use.onApplicationBootstrap();
    use.record('a');
    await use.onModuleDestroy();
    expect(saves.map(({ id }) => id)).toEqual(['a']);
  });

  it('remembers a bounded number of keys', async () => {
    for (let i = 0; i < 20_000; i += 1) use.record(`key-${i}`);
    await use.saveAll();
    expect(saves).toHaveLength(10_000);
  });

  it('tolerates a database outage', async () => {
    use.record('a');
    fails = true;
    await expect(use.saveAll()).resolves.toBe(60_000);
  });
});
