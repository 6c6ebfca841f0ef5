import { asReceived } from '../../../../test/support/fake-nodes';
import { AbandonedCallError } from '../endpoint-error';
import type { NodeResponse } from './node-response';
import { SharedResponse } from './shared-response';

describe('SharedResponse', () => {
  let isClosed: boolean;
  let sent: AbortSignal;

  const close = (): void => {
    isClosed = true;
  };

  beforeEach(() => {
    isClosed = false;
  });

  it('releases its memory once, when the last caller that joined has released it', async () => {
    let [handedOver, released] = [0, 0];
    const response: NodeResponse = {
      ...asReceived({ result: 1 }),
      handOver: () => (handedOver += 1),
      release: () => (released += 1),
    };
    const shared = new SharedResponse(() => Promise.resolve(response), close);
    const [first, second] = await Promise.all([shared.join(), shared.join()]);
    expect(isClosed).toBe(true);
    first.handOver();
    first.handOver();
    expect(handedOver).toBe(0);
    first.release();
    first.release();
    expect([handedOver, released]).toEqual([0, 0]);
    second.handOver();
    expect([handedOver, released]).toEqual([1, 0]);
    second.release();
    second.release();
    expect([handedOver, released]).toEqual([1, 1]);
  });

  it('fails for all callers that joined, and is then closed', async () => {
    const shared = new SharedResponse(() => Promise.reject(new Error('down')), close);
    const joined = [shared.join(), shared.join()];
    for (const each of joined) await expect(each).rejects.toThrow('down');
    expect(isClosed).toBe(true);
  });

  describe('whose callers stop waiting', () => {
    const endless = (): SharedResponse =>
      new SharedResponse((signal) => {
        sent = signal;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      }, close);

    it('is closed and aborted when the last of them does', async () => {
      const shared = endless();
      const [first, second] = [new AbortController(), new AbortController()];
      const joined = [shared.join(first.signal), shared.join(second.signal)];
      first.abort();
      expect([isClosed, sent.aborted]).toEqual([false, false]);
      second.abort();
      expect([isClosed, sent.aborted]).toEqual([true, true]);
      for (const each of joined) await expect(each).rejects.toThrow(AbandonedCallError);
    });

    it('is aborted at once for a caller that waits no longer when it joins', async () => {
      await expect(endless().join(AbortSignal.abort())).rejects.toThrow(AbandonedCallError);
    });

    it('is not aborted while a caller without a signal waits', () => {
      const shared = endless();
      const leaving = new AbortController();
      void shared.join();
      void shared.join(leaving.signal);
      leaving.abort();
      expect([isClosed, sent.aborted]).toEqual([false, false]);
    });
  });
});
