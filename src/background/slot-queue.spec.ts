import { SlotQueue } from './slot-queue';
import { GroupSlots } from './slots';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('SlotQueue', () => {
  let queue: SlotQueue<string>;
  let started: string[];
  let ends: Map<string, () => void>;

  beforeEach(() => {
    queue = new SlotQueue(new GroupSlots<string>(3, 2, (group) => group));
    started = [];
    ends = new Map();
  });

  const run = (group: string, name: string): Promise<void> =>
    queue.run(group, () => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });

  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await turn();
  };

  it('starts work in order, but does not let a full group hold up others', async () => {
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void run(name.slice(0, 1), name);
    await turn();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('releases the slot of work that fails', async () => {
    const slots = new SlotQueue(new GroupSlots<string>(1, 1, (group) => group));
    const failing = () => Promise.reject(new Error('failed'));
    await expect(slots.run('a', failing)).rejects.toThrow('failed');
    await expect(slots.run('a', () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('ends the wait of all that have no slot when it stops', async () => {
    void run('a', 'a1');
    void run('a', 'a2');
    const waiting = run('a', 'a3');
    queue.stop(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await end('a1');
    expect(started).toEqual(['a1', 'a2']);
  });
});
