import { RemoteCalls } from './remote-calls';

const never = (): Promise<never> => new Promise(() => undefined);
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('RemoteCalls', () => {
  it('limits concurrent calls and starts them in order of arrival', async () => {
    const calls = new RemoteCalls({ concurrency: 2, waiting: 10, timeoutMs: 1000 });
    let running = 0;
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        calls.run(async () => {
          running += 1;
          expect(running).toBeLessThanOrEqual(2);
          order.push(i);
          await pause(5);
          running -= 1;
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('aborts a call that exceeds the timeout', async () => {
    const calls = new RemoteCalls({ concurrency: 1, waiting: 1, timeoutMs: 30 });
    let aborted = false;
    const call = calls.run((signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return never();
    });
    await expect(call).rejects.toMatchObject({ reason: 'timeout' });
    expect(aborted).toBe(true);
    expect(await calls.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('includes the time spent in the queue in the timeout', async () => {
    const calls = new RemoteCalls({ concurrency: 1, waiting: 100, timeoutMs: 40 });
    const before = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => calls.run(never)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'timeout' } });
    // Sequentially they would take 4 s.
    expect(performance.now() - before).toBeLessThan(3000);
    expect(await calls.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('keeps up the throughput of the service under overload', async () => {
    jest.useFakeTimers();
    const calls = new RemoteCalls({ concurrency: 1, waiting: 1000, timeoutMs: 200 });
    let succeeded = 0;
    let begun = 0;
    // For 10 s, twice as many calls as the service can handle.
    for (let at = 0; at < 10_000; at += 10) {
      const call = calls.run(() => {
        begun += 1;
        return pause(20);
      });
      call.then(
        () => (succeeded += 1),
        () => undefined,
      );
      await jest.advanceTimersByTimeAsync(10);
    }
    jest.useRealTimers();
    expect(succeeded).toBeGreaterThan(490);
    // Hardly any call is started only to time out.
    expect(begun - succeeded).toBeLessThan(3);
  });

  it('rejects calls when the queue is full', async () => {
    const calls = new RemoteCalls({ concurrency: 1, waiting: 1, timeoutMs: 50 });
    const waiting = Promise.allSettled([calls.run(never), calls.run(never)]);
    await expect(calls.run(never)).rejects.toMatchObject({ reason: 'busy' });
    await waiting;
  });
});
