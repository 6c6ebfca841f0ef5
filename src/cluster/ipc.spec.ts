import { EventEmitter } from 'node:events';
import { Ipc } from './ipc';

/** The two ends of a channel. A message that one end sends arrives at the other in a later turn. */
function connectedPair(): [Ipc, Ipc] {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, other: EventEmitter) =>
    Object.assign(own, {
      send: (message: object) => setImmediate(() => other.emit('message', structuredClone(message))),
    });
  return [new Ipc(end(left, right)), new Ipc(end(right, left))];
}

describe('Ipc', () => {
  it('responds to each call in either direction', async () => {
    const [left, right] = connectedPair();
    right.handle('double', async (number) => {
      await new Promise((resolve) => setTimeout(resolve, 10 - Number(number)));
      return Number(number) * 2;
    });
    left.handle('name', () => 'left');
    expect(await Promise.all([1, 2, 3].map((number) => left.call('double', number)))).toEqual([2, 4, 6]);
    expect(await right.call('name')).toBe('left');
  });

  it('times out a call without a response', async () => {
    const [left, right] = connectedPair();
    right.handle('fails', () => {
      throw new Error('on purpose');
    });
    await expect(left.call('fails')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('fails at once when the channel is closed', async () => {
    const ipc = new Ipc(
      Object.assign(new EventEmitter(), {
        send: () => {
          throw new Error('Channel closed');
        },
      }),
    );
    await expect(ipc.call('anything')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('allows at most 10 000 pending calls', async () => {
    const ipc = new Ipc(Object.assign(new EventEmitter(), { send: () => true }));
    const open = Array.from({ length: 10_000 }, () => ipc.call('anything'));
    const early = await Promise.race([ipc.call('anything').catch((error: unknown) => error), open[0]]);
    expect(early).toMatchObject({ code: 'unavailable' });
    await Promise.allSettled(open);
  });

  it('ignores other messages', () => {
    const peer = new EventEmitter();
    new Ipc(peer);
    for (const message of [undefined, null, 'text', { cmd: 'other' }, { responseTo: 7 }])
      expect(() => peer.emit('message', message)).not.toThrow();
  });
});
