import { Logger } from '@nestjs/common';
import { ConfigurationError } from '../config/configuration-error';
import { retryLikeStart } from './start-retries';

const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('retryLikeStart', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const attempts = async (connect: jest.Mock): Promise<unknown> => {
    const ended = retryLikeStart(connect as () => Promise<string>).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(30_000);
    return ended;
  };

  it('waits for a server that is still starting', async () => {
    const connect = jest.fn().mockRejectedValueOnce(down).mockRejectedValueOnce(down).mockResolvedValue('up');
    expect(await attempts(connect)).toBe('up');
  });

  it('gives up after ten attempts', async () => {
    const connect = jest.fn().mockRejectedValue(down);
    expect(await attempts(connect)).toBe(down);
    expect(connect).toHaveBeenCalledTimes(10);
  });

  it('does not repeat what cannot change by itself', async () => {
    const connect = jest.fn().mockRejectedValue(new ConfigurationError(['the file is missing']));
    expect(await attempts(connect)).toBeInstanceOf(ConfigurationError);
    expect(connect).toHaveBeenCalledTimes(1);
  });
});
