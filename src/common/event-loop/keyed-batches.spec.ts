import { KeyedBatches } from './keyed-batches';

describe('KeyedBatches', () => {
  let worked: string[][];
  let finish: ((error?: Error) => void)[];
  let batches: KeyedBatches<string>;

  beforeEach(() => {
    worked = [];
    finish = [];
    batches = new KeyedBatches(10, (items) => {
      worked.push(items);
      return new Promise((resolve, reject) => {
        finish.push((error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    });
  });

  const begun = async (count: number): Promise<void> => {
    while (worked.length < count) await new Promise(setImmediate);
  };

  it('process the items of a key one batch at a time, independently of other keys', async () => {
    void batches.add('a', 'a1');
    await begun(1);
    const later = [batches.add('a', 'a2'), batches.add('a', 'a3')];
    const other = batches.add('b', 'b1');
    await begun(2);
    expect(worked).toEqual([['a1'], ['b1']]);
    finish[1]?.();
    await other;
    finish[0]?.();
    await begun(3);
    expect(worked).toEqual([['a1'], ['b1'], ['a2', 'a3']]);
    finish[2]?.();
    await Promise.all(later);
  });

  it('remove a key when its items are processed, even if they failed', async () => {
    const items = [batches.add('a', 'a1'), batches.add('a', 'a2')];
    expect(batches.has('a')).toBe(true);
    await begun(1);
    finish[0]?.(new Error('on purpose'));
    expect((await Promise.allSettled(items)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches.has('a')).toBe(false);
  });
});
