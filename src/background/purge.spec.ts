import { ConfigService } from '@nestjs/config';
import { Purge } from './purge';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('Purge', () => {
  let purge: FakePurge;

  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(async () => {
    await purge.onModuleDestroy();
    jest.useRealTimers();
  });

  const start = (everyMs?: number): void => {
    purge = new FakePurge(new ConfigService({ background: true }), 'rows', everyMs);
    purge.useLogger(() => undefined);
    purge.onApplicationBootstrap();
  };

  it('begins again after its interval', async () => {
    start();
    await jest.advanceTimersByTimeAsync(HOUR_MS - 1);
    expect(purge.begun).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(purge.begun).toBe(2);
  });

  it('begins again a minute after an error', async () => {
    start();
    purge.fails = true;
    purge.wake();
    await jest.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(purge.begun).toBe(2);
    purge.fails = false;
    await jest.advanceTimersByTimeAsync(1);
    expect(purge.begun).toBe(3);
    await jest.advanceTimersByTimeAsync(HOUR_MS - 1);
    expect(purge.begun).toBe(3);
  });

  it('begins again after its interval even after an error, if that is shorter than a minute', async () => {
    start(1000);
    purge.fails = true;
    await jest.advanceTimersByTimeAsync(3000);
    expect(purge.begun).toBe(4);
  });
});

class FakePurge extends Purge {
  begun = 0;
  fails = false;

  useLogger(warn: () => void): void {
    jest.spyOn(this.logger, 'warn').mockImplementation(warn);
  }

  purgeSome(): Promise<boolean> {
    this.begun += 1;
    return this.fails ? Promise.reject(new Error('The database is gone')) : Promise.resolve(false);
  }
}
