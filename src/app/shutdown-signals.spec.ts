import { type INestApplication, Logger } from '@nestjs/common';
import type { AppConfig } from '../config/app-config';
import { Stopping } from '../lifecycle/stopping';
import { stopOnSignals } from './shutdown-signals';

describe('stopOnSignals', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('makes the service stop being ready at the signal, before Nest ends background work', () => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const stopping = new Stopping();
    let atHooks: boolean | undefined;
    const hooks = (): void => void (atHooks = stopping.hasBegun);
    const app = { get: () => stopping, enableShutdownHooks: () => process.once('SIGTERM', hooks) };
    const config = { http: { shutdownTimeoutMs: 10_000 } } as AppConfig;
    const release = stopOnSignals(app as unknown as INestApplication, config);
    process.emit('SIGTERM', 'SIGTERM');
    release();
    expect(atHooks).toBe(true);
  });
});
