import { Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ReadAtScrape } from './read-at-scrape';

describe('ReadAtScrape', () => {
  let registry: Registry;
  let reads: { resolve: (value: number) => void; reject: (error: Error) => void }[];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    registry = new Registry();
    reads = [];
    const gauge: Gauge = new Gauge({
      name: 'rows',
      help: 'Rows',
      registers: [registry],
      collect: () => scrape.collect(),
    });
    const scrape = new ReadAtScrape(
      'Rows',
      () => {
        gauge.remove();
      },
      async () => {
        gauge.set(await new Promise<number>((resolve, reject) => reads.push({ resolve, reject })));
      },
    );
    new Gauge({ name: 'connections', help: 'Connections', registers: [registry] }).set(3);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** A scrape, for which the database has this time. */
  const scraped = async (ms: number): Promise<string> => {
    const metrics = registry.metrics();
    await jest.advanceTimersByTimeAsync(ms);
    return metrics;
  };

  it('does not wait longer than a second for a database that hangs, and has no value then', async () => {
    expect(await scraped(1000)).toMatch(/^connections 3$/m);
    expect(await scraped(1000)).not.toMatch(/^rows \d/m);
  });

  it('has one read in progress, whose value it has once it is there', async () => {
    for (let scrapes = 0; scrapes < 10; scrapes += 1) await scraped(10_000);
    expect(reads).toHaveLength(1);
    reads[0]?.resolve(7);
    await jest.advanceTimersByTimeAsync(0);
    const next = registry.metrics();
    await jest.advanceTimersByTimeAsync(0);
    expect(reads).toHaveLength(2);
    reads[1]?.resolve(8);
    expect(await next).toMatch(/^rows 8$/m);
    expect(await registry.metrics()).toMatch(/^rows 8$/m);
  });

  it('has the values of the last read while the next one takes longer than a scrape waits', async () => {
    await scraped(1300);
    reads[0]?.resolve(7);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await scraped(1000)).toMatch(/^rows 7$/m);
    expect(reads).toHaveLength(2);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    reads[1]?.reject(new Error('Statement timed out'));
    await jest.advanceTimersByTimeAsync(0);
    expect(await scraped(0)).not.toMatch(/^rows \d/m);
    warn.mockRestore();
  });

  it('reads again after a read that has failed', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await scraped(10_000);
    reads[0]?.reject(new Error('Statement timed out'));
    await jest.advanceTimersByTimeAsync(0);
    expect(warn).toHaveBeenCalledWith('Rows could not be read', { cause: 'Statement timed out' });
    await scraped(1000);
    expect(reads).toHaveLength(2);
    warn.mockRestore();
  });
});
