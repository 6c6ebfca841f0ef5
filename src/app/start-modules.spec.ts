import { Logger } from '@nestjs/common';
import { startModules } from './start-modules';

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
    const started = startModules({ init });
    await jest.advanceTimersByTimeAsync(29_000);
    expect(warn).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(31_000);
    expect(warn.mock.calls.map(([, details]: unknown[]) => details)).toEqual([
      { seconds: 30 },
      { seconds: 60 },
    ]);
    end();
    await started;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('rejects with the error of a hook, and logs nothing', async () => {
    await expect(startModules({ init: () => Promise.reject(new Error('no bank')) })).rejects.toThrow(
      'no bank',
    );
    await jest.advanceTimersByTimeAsync(60_000);
    expect(warn).not.toHaveBeenCalled();
  });
});
