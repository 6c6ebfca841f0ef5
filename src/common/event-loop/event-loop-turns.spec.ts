import { EventLoopTurns } from './event-loop-turns';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

describe('EventLoopTurns', () => {
  it('lets work go on while its turn lasts', async () => {
    let now = 0;
    const turns = new EventLoopTurns(() => now);
    await turns.next();
    now = 4.9;
    expect(turns.next()).toBeUndefined();
    now = 5;
    expect(turns.next()).toBeInstanceOf(Promise);
  });

  it('gives one turn per iteration of the event loop, in the order of asking', async () => {
    const turns = new EventLoopTurns(() => 0);
    const order: string[] = [];
    for (const name of ['a', 'b', 'c']) void turns.next()?.then(() => order.push(name));
    for (let i = 0; i < 3; i += 1) {
      await nextIteration();
      order.push('|');
    }
    expect(order.join('')).toBe('a|b|c|');
  });

  it('serves those who come later too', async () => {
    let now = 0;
    const turns = new EventLoopTurns(() => (now += 10));
    for (let i = 0; i < 3; i += 1) await turns.next();
    expect(now).toBe(60);
  });
});
