import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { currentRequest, runWithRequest } from '../common/http/request-context';
import { TokenBucketStorage } from './token-bucket.storage';
import { RateLimitMetrics } from './rate-limit.metrics';
import type { RedisRateLimitStorage } from './redis-rate-limit.storage';
import { SharedRateLimitStorage } from './shared-rate-limit.storage';

/** A stand-in for Redis that responds, fails or hangs. */
class FakeShared {
  mode: 'responds' | 'fails' | 'hangs' = 'responds';
  charges = 0;
  probes = 0;
  reconnects = 0;

  charge(): Promise<unknown> {
    this.charges += 1;
    return this.respond();
  }

  probe(): Promise<unknown> {
    this.probes += 1;
    return this.respond();
  }

  reconnect(): void {
    this.reconnects += 1;
  }

  private respond(): Promise<unknown> {
    if (this.mode === 'hangs') return new Promise(() => undefined);
    if (this.mode === 'fails') return Promise.reject(new Error('READONLY'));
    return Promise.resolve({ totalHits: 77, timeToExpire: 1, isBlocked: false, timeToBlockExpire: 0 });
  }
}

describe('SharedRateLimitStorage', () => {
  let shared: FakeShared;
  let registry: Registry;
  let storage: SharedRateLimitStorage;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'queueMicrotask'] });
    shared = new FakeShared();
    registry = new Registry();
    storage = new SharedRateLimitStorage(
      shared as unknown as RedisRateLimitStorage,
      new TokenBucketStorage(() => 0),
      new RateLimitMetrics(registry),
    );
  });

  afterEach(() => {
    storage.onApplicationShutdown();
    jest.useRealTimers();
  });

  const hits = async (): Promise<number> => (await storage.increment('token', 1000, 10)).totalHits;
  const value = async (name: string): Promise<unknown> =>
    (await registry.getSingleMetric(name)!.get()).values.map(({ labels, value }) => [labels.store, value]);

  it('counts in Redis', async () => {
    expect(await hits()).toBe(77);
    expect(await value('rate_limit_decisions_total')).toEqual([
      ['shared', 1],
      ['local', 0],
    ]);
    expect(await value('rate_limit_fallback')).toEqual([[undefined, 0]]);
  });

  it('counts locally while Redis fails, without calling it again', async () => {
    shared.mode = 'fails';
    expect([await hits(), await hits(), await hits()]).toEqual([1, 2, 3]);
    expect(shared.charges).toBe(1);
    expect(await value('rate_limit_decisions_total')).toEqual([
      ['shared', 0],
      ['local', 3],
    ]);
    expect(await value('rate_limit_fallback')).toEqual([[undefined, 1]]);
  });

  it('probes and logs the outage outside of the request that observed it', async () => {
    // Fake timers have no context of their own.
    jest.useRealTimers();
    const lines: unknown[] = [];
    const record = (message: string): void => void lines.push([message, currentRequest()?.id]);
    const spies = [
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(record),
      jest.spyOn(Logger.prototype, 'log').mockImplementation(record),
    ];
    jest.spyOn(shared, 'reconnect').mockImplementation(() => {
      record('reconnect');
      shared.mode = 'responds';
    });
    try {
      shared.mode = 'fails';
      await new Promise((resolve) => runWithRequest('abc-1', () => void hits().then(resolve)));
      while (lines.length < 3) await setTimeout(10);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(lines).toEqual([
      ['Redis does not count requests: this instance limits them by itself', undefined],
      ['reconnect', undefined],
      ['Redis counts requests again', undefined],
    ]);
  });

  it('waits 100 ms for a response', async () => {
    shared.mode = 'hangs';
    const first = hits();
    await jest.advanceTimersByTimeAsync(99);
    expect(await value('rate_limit_fallback')).toEqual([[undefined, 0]]);
    await jest.advanceTimersByTimeAsync(2);
    expect(await first).toBe(1);
    expect(await value('rate_limit_fallback')).toEqual([[undefined, 1]]);
  });

  it('probes Redis once a second on a fresh connection, and returns to it', async () => {
    shared.mode = 'fails';
    await hits();
    await jest.advanceTimersByTimeAsync(3500);
    expect([shared.probes, shared.reconnects, shared.charges]).toEqual([3, 3, 1]);
    shared.mode = 'responds';
    expect(await hits()).toBe(2);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await hits()).toBe(77);
    expect(await value('rate_limit_fallback')).toEqual([[undefined, 0]]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('stops probing when the service stops', async () => {
    shared.mode = 'fails';
    await hits();
    storage.onApplicationShutdown();
    await hits();
    await jest.advanceTimersByTimeAsync(5000);
    expect(shared.probes).toBe(0);
  });
});
