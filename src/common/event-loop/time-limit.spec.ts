import { once } from 'node:events';
import { collecting } from '../../../test/support/garbage';
import { TimeLimit } from './time-limit';

describe('A time limit', () => {
  it('aborts its signal when the time has elapsed', async () => {
    const { signal } = new TimeLimit(20);
    expect(signal.aborted).toBe(false);
    await once(signal, 'abort');
    expect(signal.reason).toEqual(new Error('took longer than 20 ms'));
  });

  it('also aborts on time when combined with another signal, regardless of garbage collection', async () => {
    const other = new AbortController();
    await collecting(
      () =>
        new Promise((resolve) => {
          new TimeLimit(200, other.signal).signal.addEventListener('abort', resolve);
        }),
    );
  });

  it('aborts with another signal, even one that is already aborted', () => {
    const other = new AbortController();
    const before = new TimeLimit(60_000, other.signal);
    other.abort(new Error('stop'));
    const after = new TimeLimit(60_000, other.signal);
    for (const limit of [before, after]) {
      expect(limit.signal.reason).toEqual(new Error('stop'));
      limit.clear();
    }
  });

  it('uses the given reasons', async () => {
    const reasons = { late: () => new Error('late'), aborted: () => new Error('aborted') };
    const aborted = new TimeLimit(60_000, AbortSignal.abort(), reasons);
    aborted.clear();
    expect(aborted.signal.reason).toEqual(new Error('aborted'));
    const { signal } = new TimeLimit(1, undefined, reasons);
    await once(signal, 'abort');
    expect(signal.reason).toEqual(new Error('late'));
  });

  it('never aborts once cleared', () => {
    jest.useFakeTimers();
    try {
      const other = new AbortController();
      const limit = new TimeLimit(10, other.signal);
      limit.clear();
      jest.advanceTimersByTime(20);
      other.abort();
      expect(limit.signal.aborted).toBe(false);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
