import { setImmediate as turn } from 'node:timers/promises';
import type { Destination } from './destination';
import { systemLookup } from './system-lookup';

type Kind = Pick<Destination, 'purpose' | 'isCustom'>;

const NETWORK: Kind = { purpose: 'rpc' };
const CUSTOM: Kind = { purpose: 'rpc', isCustom: true };
const WEBHOOK: Kind = { purpose: 'webhook' };
const KEY_SERVICE: Kind = { purpose: 'key-service' };
const KINDS = [NETWORK, CUSTOM, WEBHOOK, KEY_SERVICE];

describe('systemLookup', () => {
  const { UV_THREADPOOL_SIZE } = process.env;

  afterEach(() => {
    jest.useRealTimers();
    if (UV_THREADPOOL_SIZE === undefined) delete process.env.UV_THREADPOOL_SIZE;
    else process.env.UV_THREADPOOL_SIZE = UV_THREADPOOL_SIZE;
  });

  /** Those that wait fail after a while. */
  const ignored = (lookup: Promise<unknown>): Promise<unknown> => lookup.catch(() => undefined);

  /** The number of lookups in progress at the same time, if none ends. */
  function inProgress(threads: string | undefined, kinds: readonly Kind[]): number {
    if (threads === undefined) delete process.env.UV_THREADPOOL_SIZE;
    else process.env.UV_THREADPOOL_SIZE = threads;
    let count = 0;
    const lookup = systemLookup(() => {
      count += 1;
      return new Promise(() => undefined);
    });
    for (let i = 0; i < 64; i += 1) for (const kind of kinds) void ignored(lookup(`${i}.test`, kind));
    return count;
  }

  it.each([
    ['64', 6],
    ['32', 3],
    ['8', 2],
    [undefined, 2],
  ])('of %s threads gives lookups of one kind at most a tenth, but at least two, %d', (threads, count) => {
    for (const kind of KINDS) expect(inProgress(threads, [kind])).toBe(count);
  });

  it('leaves some of the 16 threads of 32 that libuv has for lookups to the database and Redis', () => {
    const { inUse, all } = { inUse: inProgress('32', KINDS), all: 16 };
    expect(inUse).toBe(12);
    expect(inUse).toBeLessThan(all);
  });

  it('counts the lookups for key services, the audit log and identities of the machine together', () => {
    expect(inProgress('32', [KEY_SERVICE, { purpose: 'audit' }, { purpose: 'machine-identity' }])).toBe(3);
  });

  describe('while a client floods it with names of servers that do not respond', () => {
    const FLOOD_MS = 60_000;
    const DEAD_MS = 10_000;
    const STEP_MS = 500;
    let inUse: number;
    let most: number;
    let lookup: ReturnType<typeof systemLookup>;

    beforeEach(() => {
      process.env.UV_THREADPOOL_SIZE = '32';
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
      [inUse, most] = [0, 0];
      lookup = systemLookup(async (name) => {
        inUse += 1;
        most = Math.max(most, inUse);
        await new Promise((resolve) => setTimeout(resolve, name.endsWith('dead.test') ? DEAD_MS : 20));
        inUse -= 1;
        if (name.endsWith('dead.test')) throw new Error('EAI_AGAIN');
        return ['192.0.2.1'];
      });
    });

    async function pass(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
        await jest.advanceTimersByTimeAsync(STEP_MS);
        await turn();
      }
    }

    /** How long a lookup takes, in steps; undefined if it fails. */
    async function duration(name: string, kind: Kind): Promise<number | undefined> {
      const startedAt = performance.now();
      let end: number | undefined;
      void ignored(lookup(name, kind).then(() => (end = performance.now())));
      await pass(STEP_MS);
      return end === undefined ? undefined : end - startedAt;
    }

    /** 16 new names per half second. */
    async function flood(during: () => Promise<void>): Promise<void> {
      for (let passed = 0; passed < FLOOD_MS; passed += 2 * STEP_MS) {
        for (let i = 0; i < 32; i += 1) void ignored(lookup(`${passed}-${i}.dead.test`, CUSTOM));
        await during();
        await pass(STEP_MS);
      }
    }

    it('resolves the names of networks and of everything else at once, and known names of clients', async () => {
      expect(await duration('known.test', CUSTOM)).toBeLessThan(STEP_MS);
      let asked = 0;
      await flood(async () => {
        asked += 1;
        expect(
          await duration(`${asked}.test`, KINDS.filter((kind) => kind !== CUSTOM)[asked % 3]!),
        ).toBeLessThan(STEP_MS);
        await expect(lookup('known.test', CUSTOM)).resolves.toEqual(['192.0.2.1']);
      });
      expect(asked).toBe(60);
      expect(most).toBeLessThanOrEqual(4);
    });

    it('has no lookup left ten seconds after the flood, except retries, one at a time', async () => {
      await flood(() => pass(STEP_MS));
      await pass(DEAD_MS);
      expect(await duration('new.test', CUSTOM)).toBeLessThan(STEP_MS);
      await pass(DEAD_MS);
      expect(inUse).toBe(0);
    });
  });
});
