import { type INestApplication, Logger } from '@nestjs/common';
import type { AppConfig } from '../config/app-config';
import { PortsModule } from '../common/ports/ports.module';
import { Stopping } from '../lifecycle/stopping';
import { stopOnSignals } from './shutdown-signals';

/** An application with a module of the service, and one that was added to it with these providers. */
function providersOf(stopping: Stopping, ...instances: object[]) {
  class OfService {}
  const moduleOf = (metatype: unknown, found: object[]): object => ({
    metatype,
    providers: new Map(found.map((instance) => [instance, { isAlias: false, instance }])),
    controllers: new Map(),
  });
  const container = new Map([
    ['0', moduleOf(OfService, [])],
    ['1', moduleOf(PortsModule, instances)],
  ]);
  return (token: unknown): unknown => (token === Stopping ? stopping : container);
}

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
    const app = { get: providersOf(stopping), enableShutdownHooks: () => process.once('SIGTERM', hooks) };
    const config = { http: { shutdownTimeoutMs: 10_000 } } as AppConfig;
    const release = stopOnSignals(app as unknown as INestApplication, config);
    process.emit('SIGTERM', 'SIGTERM');
    release();
    expect(atHooks).toBe(true);
  });

  it('names the hooks that block the stop when the time is over', async () => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    class Hanging {
      onModuleDestroy = (): Promise<void> => new Promise(() => undefined);
    }
    const signals: unknown[] = [];
    class Quick {
      onApplicationShutdown = (signal: string): void => void signals.push(signal);
    }
    const [hanging, quick] = [new Hanging(), new Quick()];
    const instances = [hanging, quick];
    const destroy = (signal: string): void => {
      void hanging.onModuleDestroy();
      quick.onApplicationShutdown(signal);
    };
    const app = {
      get: providersOf(new Stopping(), ...instances),
      enableShutdownHooks: () => process.once('SIGTERM', destroy),
    };
    const config = { http: { shutdownTimeoutMs: 10_000 } } as AppConfig;
    const release = stopOnSignals(app as unknown as INestApplication, config);
    process.emit('SIGTERM', 'SIGTERM');
    release();
    await jest.advanceTimersByTimeAsync(15_000);
    expect(warn).toHaveBeenCalledWith('Stopping took too long: the process exits', {
      hooks: ['Hanging.onModuleDestroy'],
    });
    expect(signals).toEqual(['SIGTERM']);
    expect(exit).toHaveBeenCalledWith(1);
  });
});
