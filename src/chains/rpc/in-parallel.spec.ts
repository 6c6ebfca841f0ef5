import { inParallel } from './in-parallel';

describe('inParallel', () => {
  it('processes a limited number of items at a time, and returns the results in order', async () => {
    let [active, most] = [0, 0];
    const results = await inParallel([5, 4, 3, 2, 1], 2, async (item, position) => {
      active += 1;
      most = Math.max(most, active);
      for (let i = 0; i < item; i += 1) await Promise.resolve();
      active -= 1;
      return [position, item];
    });
    expect(results).toEqual([
      [0, 5],
      [1, 4],
      [2, 3],
      [3, 2],
      [4, 1],
    ]);
    expect(most).toBe(2);
  });

  it('starts no further call after a failure, and reports the first error', async () => {
    let begun = 0;
    const work = async (item: number): Promise<void> => {
      begun += 1;
      await Promise.resolve();
      if (item === 1) throw new Error('the first');
    };
    await expect(inParallel([0, 1, 2, 3, 4, 5, 6, 7], 2, work)).rejects.toThrow('the first');
    expect(begun).toBeLessThanOrEqual(4);
  });

  it('rejects only after the calls in progress have ended', async () => {
    let finish!: () => void;
    const hanging = new Promise<void>((resolve) => (finish = resolve));
    const ended: string[] = [];
    const all = inParallel([0, 1], 2, async (item) => {
      if (item === 0) throw new Error('the first');
      await hanging;
      ended.push('second');
    }).finally(() => ended.push('all'));
    all.catch(() => undefined);
    await new Promise(setImmediate);
    expect(ended).toEqual([]);
    finish();
    await expect(all).rejects.toThrow('the first');
    expect(ended).toEqual(['second', 'all']);
  });

  it('returns an empty array for no items', async () => {
    expect(await inParallel([], 8, () => Promise.reject(new Error('never')))).toEqual([]);
  });
});
