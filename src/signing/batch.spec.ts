import { DomainError, invalidRequest } from '../common/errors/domain-error';
import { runBatch } from './batch';
import { EventLoopTurns } from '../common/event-loop/event-loop-turns';

const turns = new EventLoopTurns();
const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('runBatch', () => {
  it('keeps the order of the items, however long each takes', async () => {
    const results = await runBatch(
      items(40),
      async (item) => {
        for (let i = item % 7; i > 0; i -= 1) await new Promise((resolve) => setImmediate(resolve));
        return item;
      },
      turns,
    );
    expect(results).toEqual(items(40).map((value) => ({ value })));
  });

  it('processes eight items at a time', async () => {
    let running = 0;
    let most = 0;
    await runBatch(
      items(50),
      async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
      },
      turns,
    );
    expect(most).toBe(8);
  });

  it('fails only the bad item', async () => {
    const work = (item: number) =>
      item === 1 ? Promise.reject(invalidRequest('item is bad')) : Promise.resolve('good');
    expect(await runBatch(items(3), work, turns)).toEqual([
      { value: 'good' },
      { error: 'item is bad', code: 'invalid_request' },
      { value: 'good' },
    ]);
  });

  it('does not expose the cause of an unexpected failure', async () => {
    const work = () => Promise.reject(new Error('secret'));
    expect(await runBatch(items(1), work, turns)).toEqual([
      { error: 'Internal Server Error', code: 'internal_error' },
    ]);
  });

  it('does not call a signer again after it has failed', async () => {
    let calls = 0;
    const work = () => {
      calls += 1;
      return Promise.reject(new DomainError('signer_unavailable', 'Service Unavailable', 'away'));
    };
    expect(await runBatch(items(1000), work, turns)).toEqual(
      items(1000).map(() => ({ error: 'away', code: 'signer_unavailable' })),
    );
    expect(calls).toBeLessThanOrEqual(8);
  });

  it('yields to the event loop after each item that uses up a whole turn', async () => {
    let now = 0;
    let iteration = 0;
    const startedIn: number[] = [];
    const count = (): void => {
      iteration += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await runBatch(
      items(20),
      () => {
        now += 10;
        startedIn.push(iteration);
        return Promise.resolve();
      },
      new EventLoopTurns(() => now),
    );
    clearImmediate(counting);
    expect(new Set(startedIn).size).toBe(20);
  });
});
