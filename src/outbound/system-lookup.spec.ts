import type { DestinationPurpose } from './destination';
import { systemLookup } from './system-lookup';

describe('systemLookup', () => {
  const { UV_THREADPOOL_SIZE } = process.env;

  afterEach(() => {
    if (UV_THREADPOOL_SIZE === undefined) delete process.env.UV_THREADPOOL_SIZE;
    else process.env.UV_THREADPOOL_SIZE = UV_THREADPOOL_SIZE;
  });

  /** Those that wait fail after a while. */
  const ignored = (lookup: Promise<unknown>): Promise<unknown> => lookup.catch(() => undefined);

  /** The names that are being looked up at the same time, if none of the lookups ends. */
  function inProgress(threads: string | undefined, purpose: DestinationPurpose): string[] {
    if (threads === undefined) delete process.env.UV_THREADPOOL_SIZE;
    else process.env.UV_THREADPOOL_SIZE = threads;
    const names: string[] = [];
    const lookup = systemLookup((name) => {
      names.push(name);
      return new Promise(() => undefined);
    });
    for (let i = 0; i < 64; i += 1) void ignored(lookup(`${i}.hooks.test`, 'webhook'));
    const before = names.length;
    void ignored(lookup('other.test', purpose));
    return names.slice(before - 1);
  }

  it.each([
    ['16', 4],
    ['8', 2],
    ['7', 2],
    ['4', 2],
    ['1', 2],
    [undefined, 2],
  ])('of %s threads gives lookups for webhooks at most a quarter, but at least two, %d', (threads, count) => {
    expect(inProgress(threads, 'webhook')).toEqual([`${count - 1}.hooks.test`]);
  });

  it.each(['rpc', 'key-service', 'audit', 'machine-identity'] as const)(
    'does not let lookups for %s wait for those for webhooks',
    (purpose) => {
      expect(inProgress('16', purpose)).toEqual(['3.hooks.test', 'other.test']);
    },
  );
});
