import { currentRequest, runWithRequest } from '../http/request-context';
import { EventLoopTurns } from './event-loop-turns';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

describe('EventLoopTurns', () => {
  it('ends a turn after 5 ms', async () => {
    let now = 0;
    const turns = new EventLoopTurns(() => now);
    await turns.next();
    now = 4.9;
    expect(turns.isOver).toBe(false);
    now = 5;
    expect(turns.isOver).toBe(true);
  });

  it('runs work of a single step synchronously, and longer work after waiting for a turn', async () => {
    const turns = new EventLoopTurns(() => 0);
    const work = function* (steps: number): Generator<void, string> {
      for (let i = 1; i < steps; i += 1) yield;
      return 'done';
    };
    expect(turns.run(work(1))).toBe('done');
    const waiting = turns.run(work(2));
    expect(waiting).toBeInstanceOf(Promise);
    await expect(waiting).resolves.toBe('done');
  });

  it('grants one turn per iteration of the event loop, in the order of the calls', async () => {
    const turns = new EventLoopTurns(() => 0);
    const order: string[] = [];
    for (const name of ['a', 'b', 'c']) void turns.next().then(() => order.push(name));
    for (let i = 0; i < 3; i += 1) {
      await nextIteration();
      order.push('|');
    }
    expect(order.join('')).toBe('a|b|c|');
  });

  it('grants no turn to a request that is over', async () => {
    const turns = new EventLoopTurns(() => 0);
    const order: string[] = [];
    const ask = (name: string): void => {
      void turns.next().then(
        () => order.push(name),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'unavailable', detail: 'the request is over' });
          order.push(`not ${name}`);
        },
      );
    };
    for (const name of ['a', 'b']) {
      runWithRequest(name, () => {
        ask(name);
        currentRequest()!.isOver = true;
      });
    }
    ask('c');
    await nextIteration();
    expect(order).toEqual(['not a', 'not b', 'c']);
  });

  it('allows at most a thousand waiting calls', async () => {
    const turns = new EventLoopTurns(() => 0);
    const waiting = Array.from({ length: 1000 }, () => turns.next());
    await expect(turns.next()).rejects.toMatchObject({
      code: 'unavailable',
      detail: 'too many large requests wait',
    });
    await Promise.all(waiting);
    await turns.next();
  });

  it('serves later calls as well', async () => {
    let now = 0;
    const turns = new EventLoopTurns(() => (now += 10));
    for (let i = 0; i < 3; i += 1) await turns.next();
    expect(now).toBe(30);
  });
});
