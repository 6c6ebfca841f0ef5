import { Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { PortsModule } from '../common/ports/ports.module';
import { startModules } from './start-modules';

/** An application with a module of the service, and one that was added to it. */
function applicationWith(init: () => Promise<never>, ...instances: object[]) {
  const container = new Map<string, object>();
  const add = (metatype: unknown, ...found: object[]): void => {
    const providers = new Map(found.map((instance) => [instance, { isAlias: false, instance }]));
    container.set(String(container.size), { metatype, providers, controllers: new Map() });
  };
  class OfService {}
  add(OfService);
  add(PortsModule, ...instances);
  const get = (token: unknown): never => {
    if (token !== ModulesContainer) throw new Error('unknown token');
    return container as never;
  };
  return { init, get };
}

describe('startModules', () => {
  let warn: jest.SpyInstance;

  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => {
    warn.mockRestore();
    jest.useRealTimers();
  });

  it('logs every 30 seconds that a hook has not ended, until it has', async () => {
    let end = (): void => undefined;
    const init = (): Promise<never> => new Promise((resolve) => (end = () => resolve(undefined as never)));
    const started = startModules(applicationWith(init));
    await jest.advanceTimersByTimeAsync(29_000);
    expect(warn).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(31_000);
    expect(warn.mock.calls.map(([, details]: unknown[]) => details)).toEqual([
      { seconds: 30, hooks: [] },
      { seconds: 60, hooks: [] },
    ]);
    end();
    await started;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('names the hooks of added modules that have begun and not ended', async () => {
    let end = (): void => undefined;
    class Hanging {
      readonly bank = 'slow';
      onModuleInit(): Promise<string> {
        return new Promise((resolve) => (end = () => resolve(this.bank)));
      }
      onApplicationBootstrap(): string {
        return 'not yet called';
      }
    }
    class Quick {
      onModuleInit = (): string => 'at once';
    }
    const [hanging, quick, frozen] = [new Hanging(), new Quick(), Object.freeze(new Quick())];
    const own = quick.onModuleInit;
    const results: unknown[] = [];
    const init = async (): Promise<never> => {
      for (const each of [quick, frozen, hanging]) results.push(await each.onModuleInit());
      return undefined as never;
    };
    const started = startModules(applicationWith(init, quick, frozen, hanging));
    await jest.advanceTimersByTimeAsync(30_000);
    expect(warn.mock.calls.map(([, details]: unknown[]) => details)).toEqual([
      { seconds: 30, hooks: ['Hanging.onModuleInit'] },
    ]);
    end();
    await started;
    expect(results).toEqual(['at once', 'at once', 'slow']);
    expect(Object.keys(hanging)).toEqual(['bank']);
    expect(quick.onModuleInit).toBe(own);
  });

  it('rejects with the error of a hook, and logs nothing', async () => {
    await expect(startModules(applicationWith(() => Promise.reject(new Error('no bank'))))).rejects.toThrow(
      'no bank',
    );
    await jest.advanceTimersByTimeAsync(60_000);
    expect(warn).not.toHaveBeenCalled();
  });
});
