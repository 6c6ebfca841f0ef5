import { SharedLookups } from './shared-lookups';

/** Longer than responsive name servers take. */
const HANGS_MS = 5000;
const REST_MS = 10_000;

describe('SharedLookups', () => {
  let now: number;
  let asked: string[];
  /** Completes the pending lookup of a name. */
  let end: Map<string, (response: string[] | Error) => void>;
  let resolve: (hostname: string) => Promise<string[]>;
  let lookups: SharedLookups;

  beforeEach(() => {
    now = 0;
    asked = [];
    end = new Map();
    resolve = (hostname) => {
      asked.push(hostname);
      return new Promise((fulfil, reject) => {
        end.set(hostname, (response) => {
          if (response instanceof Error) reject(response);
          else fulfil(response);
        });
      });
    };
    lookups = new SharedLookups(resolve, { now: () => now });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const failed = (lookup: Promise<unknown>): Promise<unknown> => lookup.catch((error: unknown) => error);

  async function look(hostname: string, milliseconds: number, response: string[] | Error): Promise<unknown> {
    const found = failed(lookups.find(hostname));
    now += milliseconds;
    end.get(hostname)!(response);
    return found;
  }

  const hang = (hostname: string): Promise<unknown> =>
    look(hostname, HANGS_MS, new Error(`no response for ${hostname}`));

  it('share one lookup among concurrent calls for a name', async () => {
    const both = [lookups.find('a.test'), lookups.find('a.test')];
    end.get('a.test')!(['192.0.2.1']);
    expect(await Promise.all(both)).toEqual([['192.0.2.1'], ['192.0.2.1']]);
    await look('a.test', 1, ['192.0.2.2']);
    expect(asked).toEqual(['a.test', 'a.test']);
  });

  it('delay the retry of a name that hung, but of no other name', async () => {
    await hang('dead.test');
    now += REST_MS - 1;
    expect(await failed(lookups.find('dead.test'))).toMatchObject({
      message: 'The name servers did not respond a moment ago',
    });
    expect(await look('well.test', 1, ['192.0.2.1'])).toEqual(['192.0.2.1']);
    expect(asked).toEqual(['dead.test', 'well.test']);
    now += 1;
    expect(await look('dead.test', 1, ['192.0.2.2'])).toEqual(['192.0.2.2']);
    expect(await look('dead.test', 1, ['192.0.2.3'])).toEqual(['192.0.2.3']);
  });

  it('retry names that hung one at a time, so that together they occupy one thread', async () => {
    const dead = ['a.test', 'b.test', 'c.test'];
    await Promise.all(dead.map(hang));
    now += REST_MS;
    asked.length = 0;
    const first = failed(lookups.find('a.test'));
    expect(await failed(lookups.find('b.test'))).toBeInstanceOf(Error);
    expect(await look('well.test', 1, ['192.0.2.1'])).toEqual(['192.0.2.1']);
    expect(asked).toEqual(['a.test', 'well.test']);
    now += HANGS_MS;
    end.get('a.test')!(new Error('no response'));
    await first;
    expect(await look('b.test', 1, ['192.0.2.2'])).toEqual(['192.0.2.2']);
    expect(await failed(lookups.find('a.test'))).toBeInstanceOf(Error);
    expect(asked).toEqual(['a.test', 'well.test', 'b.test']);
  });

  it('retry hung names that were requested in the meantime one after another, in order, without further calls', async () => {
    const dead = ['a.test', 'b.test', 'c.test', 'd.test'];
    await Promise.all(dead.map(hang));
    now += REST_MS;
    asked.length = 0;
    const first = failed(lookups.find('a.test'));
    for (const name of ['c.test', 'b.test', 'c.test']) await failed(lookups.find(name));
    const ends = async (name: string, response: string[] | Error, milliseconds = HANGS_MS): Promise<void> => {
      now += milliseconds;
      end.get(name)!(response);
      await new Promise(setImmediate);
    };
    await ends('a.test', new Error('no response'));
    await first;
    expect(await failed(lookups.find('d.test'))).toBeInstanceOf(Error);
    await ends('c.test', new Error('no response'));
    await ends('b.test', ['192.0.2.2'], 1);
    expect(asked).toEqual(['a.test', 'c.test', 'b.test', 'd.test']);
    expect(await look('b.test', 1, ['192.0.2.3'])).toEqual(['192.0.2.3']);
    await ends('d.test', ['192.0.2.4']);
    expect(await look('a.test', 1, ['192.0.2.1'])).toEqual(['192.0.2.1']);
  });

  it('do not retry a waiting name that was evicted', async () => {
    await Promise.all(['slow.test', 'waits.test'].map(hang));
    now += REST_MS;
    const slow = failed(lookups.find('slow.test'));
    await failed(lookups.find('waits.test'));
    const names = Array.from({ length: 1000 }, (_, i) => `${i}.test`);
    const all = names.map((name) => failed(lookups.find(name)));
    now += HANGS_MS;
    for (const name of names) end.get(name)!(new Error('no response'));
    await Promise.all(all);
    asked.length = 0;
    end.get('slow.test')!(['192.0.2.1']);
    await slow;
    await new Promise(setImmediate);
    expect(asked).toEqual([]);
  });

  it('immediately repeat the lookup of a name that does not exist', async () => {
    await look('a.test', 1, new Error('ENOTFOUND'));
    expect(await look('a.test', 1, ['192.0.2.2'])).toEqual(['192.0.2.2']);
  });

  it('give the addresses of a name that resolves late again, until its next lookup has ended', async () => {
    await look('late.test', HANGS_MS, ['192.0.2.1']);
    now += REST_MS - 1;
    expect(await lookups.find('late.test')).toEqual(['192.0.2.1']);
    expect(asked).toEqual(['late.test']);
    now += 1;
    expect(await lookups.find('late.test')).toEqual(['192.0.2.1']);
    expect(await lookups.find('late.test')).toEqual(['192.0.2.1']);
    expect(asked).toEqual(['late.test', 'late.test']);
    end.get('late.test')!(['192.0.2.2']);
    await new Promise(setImmediate);
    expect(await look('late.test', 1, ['192.0.2.3'])).toEqual(['192.0.2.3']);
    expect(asked).toEqual(['late.test', 'late.test', 'late.test']);
  });

  it('give the addresses of a name that resolves late while its next lookup waits for others', async () => {
    lookups = new SharedLookups(resolve, { atOnce: 1, now: () => now });
    await look('late.test', HANGS_MS, ['192.0.2.1']);
    now += REST_MS;
    const other = lookups.find('other.test');
    expect(await lookups.find('late.test')).toEqual(['192.0.2.1']);
    end.get('other.test')!(['192.0.2.2']);
    await other;
    await new Promise(setImmediate);
    expect(asked).toEqual(['late.test', 'other.test', 'late.test']);
    end.get('late.test')!(new Error('no response'));
    await new Promise(setImmediate);
    expect(await look('late.test', 1, ['192.0.2.3'])).toEqual(['192.0.2.3']);
  });

  it('give the addresses that the last lookup of a name found while its next one waits its turn', async () => {
    lookups = new SharedLookups(resolve, { atOnce: 1, now: () => now });
    await look('well.test', 1, ['192.0.2.1']);
    const other = failed(lookups.find('other.test'));
    expect(await lookups.find('well.test')).toEqual(['192.0.2.1']);
    end.get('other.test')!(new Error('no response'));
    await other;
    await new Promise(setImmediate);
    expect(asked).toEqual(['well.test', 'other.test', 'well.test']);
    const inProgress = lookups.find('well.test');
    end.get('well.test')!(['192.0.2.2']);
    expect(await inProgress).toEqual(['192.0.2.2']);
  });

  it('give no addresses of a name that did not exist at its last lookup', async () => {
    lookups = new SharedLookups(resolve, { atOnce: 1, now: () => now });
    await look('gone.test', 1, ['192.0.2.1']);
    await look('gone.test', 1, new Error('ENOTFOUND'));
    const other = failed(lookups.find('other.test'));
    const waits = failed(lookups.find('gone.test'));
    for (const name of ['other.test', 'gone.test']) {
      end.get(name)!(new Error('ENOTFOUND'));
      await new Promise(setImmediate);
    }
    await other;
    expect(await waits).toMatchObject({ message: 'ENOTFOUND' });
  });

  it('keep the addresses of 1000 names, and those of the name looked up longest ago least', async () => {
    lookups = new SharedLookups(resolve, { atOnce: 1, now: () => now });
    for (const name of ['first.test', 'second.test', 'first.test']) await look(name, 1, ['192.0.2.1']);
    for (let i = 2; i < 1001; i += 1) await look(`${i}.test`, 1, ['192.0.2.2']);
    void failed(lookups.find('other.test'));
    expect(await lookups.find('first.test')).toEqual(['192.0.2.1']);
    void failed(lookups.find('second.test'));
    end.get('other.test')!(['192.0.2.3']);
    await new Promise(setImmediate);
    end.get('first.test')!(['192.0.2.1']);
    await new Promise(setImmediate);
    expect(await look('second.test', 1, ['192.0.2.4'])).toEqual(['192.0.2.4']);
  });

  it('give the addresses of a name that waits for its next lookup for at most an hour', async () => {
    await look('late.test', HANGS_MS, ['192.0.2.1']);
    await hang('dead.test');
    now += REST_MS;
    const retried = failed(lookups.find('dead.test'));
    expect(await lookups.find('late.test')).toEqual(['192.0.2.1']);
    now += 3_600_000;
    expect(await failed(lookups.find('late.test'))).toBeInstanceOf(Error);
    end.get('dead.test')!(new Error('no response'));
    await retried;
    expect(asked).toEqual(['late.test', 'dead.test', 'dead.test', 'late.test']);
  });

  it('limit the lookups in progress: others wait their turn, and fail after ten seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    lookups = new SharedLookups(resolve, { atOnce: 2, now: () => now });
    const names = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'];
    const found = names.map((name) => failed(lookups.find(name)));
    expect(asked).toEqual(['a.test', 'b.test']);
    end.get('a.test')!(['192.0.2.1']);
    await found[0];
    await new Promise(setImmediate);
    expect(asked).toEqual(['a.test', 'b.test', 'c.test']);
    expect(jest.getTimerCount()).toBe(2);
    const ended: string[] = [];
    for (const i of [3, 4]) void found[i]!.then(() => ended.push(names[i]!));
    jest.advanceTimersByTime(REST_MS - 1);
    await new Promise(setImmediate);
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(1);
    await new Promise(setImmediate);
    expect(ended).toEqual(['d.test', 'e.test']);
    expect(await found[3]).toMatchObject({ message: 'The name lookup has waited too long for others' });
    for (const name of ['b.test', 'c.test']) end.get(name)!(['192.0.2.2']);
    await Promise.all(found);
    expect(await look('d.test', 1, ['192.0.2.4'])).toEqual(['192.0.2.4']);
    expect(asked).toEqual(['a.test', 'b.test', 'c.test', 'd.test']);
  });

  it('refuse a lookup when a thousand wait', async () => {
    lookups = new SharedLookups(resolve, { atOnce: 1, now: () => now });
    const names = Array.from({ length: 1001 }, (_, i) => `${i}.test`);
    for (const name of names) void failed(lookups.find(name));
    expect(await failed(lookups.find('further.test'))).toMatchObject({
      message: 'Too many name lookups wait',
    });
  });

  it('remember 1000 names that hung and evict the oldest', async () => {
    const names = Array.from({ length: 1001 }, (_, i) => `${i}.test`);
    const all = names.map((name) => failed(lookups.find(name)));
    now += HANGS_MS;
    for (const name of names) end.get(name)!(new Error('no response'));
    await Promise.all(all);
    asked.length = 0;
    for (const name of ['1.test', '1000.test', '0.test']) void failed(lookups.find(name));
    expect(asked).toEqual(['0.test']);
  });
});
