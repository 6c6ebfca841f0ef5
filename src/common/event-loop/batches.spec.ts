import { currentRequest, runWithRequest } from '../http/request-context';
import { Batches } from './batches';

describe('Batches', () => {
  let worked: number[][];
  let finish: ((error?: Error) => void)[];
  let batches: Batches<number>;

  beforeEach(() => {
    worked = [];
    finish = [];
    batches = new Batches(3, (items) => {
      worked.push(items);
      return new Promise((resolve, reject) => {
        finish.push((error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    });
  });

  it('process items added together as one batch, and items added meanwhile in the next', async () => {
    const first = [batches.add(1), batches.add(2)];
    await turn();
    const second = [3, 4, 5, 6].map((item) => batches.add(item));
    await turn();
    expect(worked).toEqual([[1, 2]]);
    finish[0]?.();
    await Promise.all(first);
    await turn();
    expect(worked).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    finish[1]?.();
    await Promise.all(second.slice(0, 3));
    await turn();
    finish[2]?.();
    await Promise.all(second);
    expect(worked[2]).toEqual([6]);
  });

  it('collect items over several turns until a turn adds none or the batch is full', async () => {
    // Items that arrive in a turn requested earlier than the batch's own are part of the batch.
    const first = new Promise(setImmediate);
    void batches.add(1);
    await first;
    void batches.add(2);
    await new Promise(setImmediate);
    void batches.add(3);
    await turn();
    expect(worked).toEqual([[1, 2, 3]]);
  });

  it('run outside of the context of the first request', async () => {
    const seen: unknown[] = [];
    const observed = new Batches(3, () => {
      seen.push(currentRequest());
      return Promise.resolve();
    });
    await new Promise<void>((resolve) => {
      runWithRequest('id', () => void observed.add(1).then(resolve));
    });
    expect(seen).toEqual([undefined]);
  });

  it('reject only the items of the batch that failed', async () => {
    const first = batches.add(1);
    await turn();
    const second = batches.add(2);
    finish[0]?.(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    await turn();
    finish[1]?.();
    await second;
    expect(worked).toEqual([[1], [2]]);
  });
});

/** Waits until a batch has started, which happens in the next turn of the event loop. */
async function turn(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
