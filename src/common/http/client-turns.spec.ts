import { setImmediate as turn } from 'node:timers/promises';
import { ClientTurns } from './client-turns';

const ORIGIN = 'http://node.example';
const [one, other] = ['one', 'other'].map((id) => ({ id, whose: ` of ${id}` }));

describe('ClientTurns', () => {
  let turns: ClientTurns;
  let started: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    turns = new ClientTurns(8, 50);
    started = [];
    ends = new Map();
  });

  async function begin(
    name: string,
    sharer: typeof one | undefined,
    { signal = new AbortController().signal, origin = ORIGIN } = {},
  ): Promise<void> {
    ends.set(name, await turns.take(origin, sharer, signal));
    started.push(name);
  }

  function end(name: string): Promise<void> {
    ends.get(name)!();
    return turn();
  }

  async function beginAll(names: string, sharer: typeof one | undefined): Promise<void> {
    for (const name of names) void begin(name, sharer);
    await turn();
  }

  it('lets calls of a client beyond its share wait, in order, and those of others start', async () => {
    await beginAll('abcdef', one);
    expect(started.join('')).toBe('abcd');
    await beginAll('123', other);
    expect(started.join('')).toBe('abcd12');
    await end('a');
    expect(started.join('')).toBe('abcd12');
    await end('b');
    expect(started.join('')).toBe('abcd12e');
    await end('1');
    for (const name of '23') await end(name);
    expect(started.join('')).toBe('abcd12e3f');
  });

  it('gives the root key a share too', async () => {
    await beginAll('12345', undefined);
    await beginAll('ab', one);
    expect(started.join('')).toBe('1234ab');
    await end('1');
    await end('2');
    expect(started.join('')).toBe('1234ab5');
  });

  it('starts waiting calls of all clients as their shares allow', async () => {
    await beginAll('abcdefgh', one);
    await beginAll('123456', other);
    await beginAll('xyz', undefined);
    expect(started.join('')).toBe('abcd12x');
    for (const name of 'abcd') await end(name);
    expect(started.slice(7)).toEqual(['y', 'e', 'f']);
  });

  it('does not start a call that was aborted while it waited', async () => {
    await beginAll('abcd', one);
    const controller = new AbortController();
    const aborted = begin('e', one, { signal: controller.signal });
    void begin('f', one);
    controller.abort(new Error('took too long'));
    await expect(aborted).rejects.toThrow('took too long');
    await expect(begin('g', one, { signal: controller.signal })).rejects.toThrow('took too long');
    await end('a');
    expect(started.join('')).toBe('abcdf');
  });

  it('shares each origin separately, and forgets one without calls', async () => {
    await beginAll('abcde', one);
    await begin('x', one, { origin: 'http://other.example' });
    expect(started.join('')).toBe('abcdx');
    for (const name of 'abcdex') await end(name);
    expect(turns).toMatchObject({ resources: new Map() });
  });
});
