import { EventEmitter } from 'node:events';
import { Ipc } from './ipc';

/** Two ends of a channel; what one sends arrives at the other in a later turn. */
function connectedPair(): [Ipc, Ipc] {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, other: EventEmitter) =>
    Object.assign(own, {
      send: (message: object) => setImmediate(() => other.emit('message', structuredClone(message))),
    });
  return [new Ipc(end(left, right)), new Ipc(end(right, left))];
}

describe('Ipc', () => {
  it('answers each question with its own answer, either way', async () => {
    const [left, right] = connectedPair();
    right.handle('double', async (number) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - Number(number)));
      return Number(number) * 2;
    });
    left.handle('name', () => 'left');
    expect(await Promise.all([1, 2, 3].map((number) => left.ask('double', number)))).toEqual([2, 4, 6]);
    expect(await right.ask('name')).toBe('left');
  });

  it('gives up on a question that nobody answers', async () => {
    const [left, right] = connectedPair();
    right.handle('fails', () => {
      throw new Error('on purpose');
    });
    await expect(left.ask('fails')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('gives up at once when the channel is gone', async () => {
    const ipc = new Ipc(
      Object.assign(new EventEmitter(), {
        send: () => {
          throw new Error('Channel closed');
        },
      }),
    );
    await expect(ipc.ask('anything')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('has no more than 10 000 questions open', async () => {
    const ipc = new Ipc(Object.assign(new EventEmitter(), { send: () => true }));
    const open = Array.from({ length: 10_000 }, () => ipc.ask('anything'));
    const early = await Promise.race([ipc.ask('anything').catch((error: unknown) => error), open[0]]);
    expect(early).toMatchObject({ code: 'unavailable' });
    await Promise.allSettled(open);
  });

  it('leaves messages of others alone', () => {
    const peer = new EventEmitter();
    new Ipc(peer);
    for (const message of [undefined, null, 'text', { cmd: 'other' }, { answerTo: 7 }])
      expect(() => peer.emit('message', message)).not.toThrow();
  });
});
