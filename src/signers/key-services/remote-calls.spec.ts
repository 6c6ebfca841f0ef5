import { RemoteCalls } from './remote-calls';

const never = (): Promise<never> => new Promise(() => undefined);
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('RemoteCalls', () => {
  it('runs no more calls at once than it may, in the order of arrival', async () => {
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

  it('gives up a call that takes too long, and tells it so', async () => {
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

  it('counts the wait for its turn', async () => {
    const calls = new RemoteCalls({ concurrency: 1, waiting: 100, timeoutMs: 40 });
    const before = performance.now();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => calls.run(never)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'timeout' } });
    // One after the other they would take 4 s.
    expect(performance.now() - before).toBeLessThan(3000);
    expect(await calls.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('refuses more than may wait', async () => {
    const calls = new RemoteCalls({ concurrency: 1, waiting: 1, timeoutMs: 50 });
    const waiting = Promise.allSettled([calls.run(never), calls.run(never)]);
    await expect(calls.run(never)).rejects.toMatchObject({ reason: 'busy' });
    await waiting;
  });
});
