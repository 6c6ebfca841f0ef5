import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { evmCall } from '../../src/chains/evm/evm-call';
import { evmChain } from '../../src/chains/evm/evm-chain';
import type { CallJournal } from '../../src/chains/rpc/call-journal';
import { RpcEndpoint } from '../../src/chains/rpc/rpc-endpoint';
import { RpcPool } from '../../src/chains/rpc/rpc-pool';
import { UnfinishedCallEntity } from '../../src/chains/rpc/unfinished-call.entity';
import { UnfinishedCalls } from '../../src/chains/rpc/unfinished-calls';
import { describeService } from '../support/describe-service';
import { ask, FakeNodes } from '../support/fake-nodes';

const ORIGIN = 'https://node.example:8545';
const KEY = 'k3y-of-a-provider';
const A_URL = `https://user:pw@node.example:8545/v2/${KEY}`;
const OTHER_URL = 'https://other.example/';
const MINUTE = 60_000;

describeService('Unfinished calls to RPC endpoints', ({ service }) => {
  let journal: CallJournal;

  beforeEach(async () => {
    await rows().deleteAll();
    journal = new UnfinishedCalls(service.app.get(UnitOfWork));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const rows = () => service.app.get(UnitOfWork).repository(UnfinishedCallEntity);
  const left = (ageMs: number, attempts = 1) =>
    rows().insert({ origin: ORIGIN, attempts, startedAt: new Date(Date.now() - ageMs) });

  it('have one row for each call in progress, which contains only the origin of the URL', async () => {
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      seen.push(...(await rows().find()));
    };
    await Promise.all([
      journal.watch(A_URL, look),
      journal.watch(A_URL, look),
      journal.watch(`${ORIGIN}/other-path`, look),
    ]);
    expect(seen).toHaveLength(3);
    for (const row of seen) expect(row).toMatchObject({ origin: ORIGIN, attempts: 1 });
    expect(JSON.stringify(seen)).not.toContain(KEY);
    expect(await rows().count()).toBe(0);
  });

  it('leave no row when the call fails', async () => {
    await expect(journal.watch(A_URL, () => Promise.reject(new Error('timeout')))).rejects.toThrow('timeout');
    expect(await rows().count()).toBe(0);
  });

  it.each([
    ['just now, possibly still in progress on another instance', 1000, 1, 14_000, false],
    ['a minute ago', MINUTE, 1, 4 * MINUTE, false],
    ['20 s ago, and once before', 20_000, 2, 280_000, true],
    ['a minute ago, and once before', MINUTE, 2, 4 * MINUTE, false],
    ['a minute ago, and three times before', MINUTE, 4, 4 * MINUTE, true],
  ])(
    'of a process that ended %s make the endpoint rest',
    async (_when, ageMs, attempts, restMs, isBarred) => {
      await left(ageMs, attempts);
      const interruption = await journal.interruptionOf(A_URL);
      expect(interruption).toMatchObject({ isBarred });
      expect(Math.abs(interruption!.restMs - restMs)).toBeLessThan(10_000);
      expect(await journal.interruptionOf(OTHER_URL)).toBeUndefined();
    },
  );

  it('are ignored after five minutes, after the clock was set back, or if they are from this process', async () => {
    for (const ageMs of [5 * MINUTE, -60 * MINUTE]) {
      await left(ageMs);
      expect(await journal.interruptionOf(A_URL)).toBeUndefined();
      await rows().deleteAll();
    }
    await journal.watch(A_URL, async () => {
      expect(await journal.interruptionOf(A_URL)).toBeUndefined();
    });
  });

  it('are counted, and deleted when a later call completes', async () => {
    await left(MINUTE, 2);
    await journal.watch(A_URL, async () => {
      expect(await rows().findOneBy({ origin: ORIGIN })).toMatchObject({ attempts: 3 });
    });
    expect(await rows().count()).toBe(0);
  });

  it('of two concurrent processes are each deleted by their own process', async () => {
    const other = new UnfinishedCalls(service.app.get(UnitOfWork));
    await journal.watch(A_URL, async () => {
      await other.watch(A_URL, () => Promise.resolve());
    });
    expect(await rows().count()).toBe(0);
  });

  it.each(['one after the other', 'in the same millisecond'])(
    'of concurrent processes that complete are not counted (%s)',
    async (when) => {
      if (when === 'in the same millisecond') jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      const other = new UnfinishedCalls(service.app.get(UnitOfWork));
      let finish: () => void = () => undefined;
      let second: Promise<void> = Promise.resolve();
      const secondBegins = () =>
        new Promise<void>((begun) => {
          second = other.watch(A_URL, () => {
            begun();
            return new Promise<void>((resolve) => (finish = resolve));
          });
        });
      await journal.watch(A_URL, secondBegins);
      expect(await rows().findOneBy({ origin: ORIGIN })).toMatchObject({ attempts: 1 });
      finish();
      await second;
      expect(await rows().count()).toBe(0);
    },
  );

  it('of concurrent processes do not bar an endpoint that responds', async () => {
    const slow = new FakeNodes().set(A_URL, async ({ method }) => {
      await sleep(300);
      return { result: method === 'eth_chainId' ? '0x1' : 'done' };
    });
    const calls = [0, 1, 2, 3, 4].map(async (process) => {
      const own = new UnfinishedCalls(service.app.get(UnitOfWork));
      const endpoint = new RpcEndpoint(A_URL, evmChain(1n), slow.transport, () => performance.now(), {}, own);
      await sleep(60 * process);
      return ask(new RpcPool([{ endpoint, weight: 100 }]), evmCall('eth_gasPrice', []));
    });
    expect(await Promise.all(calls)).toEqual(Array(5).fill({ result: 'done' }));
    expect(await rows().count()).toBe(0);
  });

  it('that may be in progress are awaited before an endpoint is barred', async () => {
    await left(14_500, 2);
    expect(await journal.interruptionOf(A_URL)).toMatchObject({ isBarred: true });
    const startedAt = performance.now();
    expect(await journal.interruptionAfterOthers(A_URL)).toMatchObject({ isBarred: true });
    const waitedMs = performance.now() - startedAt;
    expect(waitedMs).toBeGreaterThan(300);
    expect(waitedMs).toBeLessThan(10_000);
  });

  it('older than a day are deleted with the first call of a process', async () => {
    await left(25 * 60 * MINUTE);
    await journal.watch(OTHER_URL, () => Promise.resolve());
    expect(await rows().count()).toBe(0);
  });

  it('do not prevent calls when the database fails', async () => {
    const unit = { repository: () => service.app.get(DataSource).getRepository('nowhere') };
    const failing = new UnfinishedCalls(unit as unknown as UnitOfWork);
    expect(await failing.interruptionOf(A_URL)).toBeUndefined();
    expect(await failing.watch(A_URL, () => Promise.resolve('made'))).toBe('made');
  });
});
