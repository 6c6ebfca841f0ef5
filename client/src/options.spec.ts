import { type Outcome, scriptedFetch, success } from '../../test/support/scripted-fetch';
import { RelayerClient } from './client';
import type { RelayerClientOptions } from './transport';

const LOG = { level: 'warn', message: 'signs everything' };
const LOGGED = success({}, { metadata: { logs: [LOG], traces: [] } });

function clientOf(outcome: Outcome, options: Partial<RelayerClientOptions>): RelayerClient {
  const { fetch } = scriptedFetch(outcome);
  return new RelayerClient({ url: 'https://relayer.example.com', apiKey: 'key', fetch, ...options });
}

describe('onLog', () => {
  it('receives the logs of the service', async () => {
    const logs: object[] = [];
    const client = clientOf(LOGGED, { onLog: (log) => void logs.push(log) });
    await client.relayer('demo').get();
    expect(logs).toEqual([LOG]);
  });

  it.each<[string, NonNullable<RelayerClientOptions['onLog']>]>([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('does not make a request fail that was carried out if it %s', async (_what, onLog) => {
    const report = jest.spyOn(console, 'error').mockReturnValue();
    try {
      expect(await clientOf(LOGGED, { onLog }).relayer('demo').get()).toEqual({});
      await new Promise(setImmediate);
      expect(report).toHaveBeenCalledWith('onLog failed', expect.objectContaining({ message: 'disk full' }));
    } finally {
      report.mockRestore();
    }
  });
});

describe('A client', () => {
  it.each<[Partial<RelayerClientOptions>, string]>([
    [{ retries: { attempts: NaN } }, 'retries.attempts must be a positive integer'],
    [{ retries: { attempts: 0 } }, 'retries.attempts must be a positive integer'],
    [{ retries: { attempts: 1.5 } }, 'retries.attempts must be a positive integer'],
    [
      { retries: { baseDelayMs: NaN } },
      'retries.baseDelayMs must be a number of milliseconds up to 2147483647',
    ],
    [{ retries: { baseDelayMs: 2 ** 31 } }, 'retries.baseDelayMs must be'],
    [{ retries: { maxDelayMs: -1 } }, 'retries.maxDelayMs must be'],
    [{ retries: { maxDelayMs: Infinity } }, 'retries.maxDelayMs must be'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a number of milliseconds above 0 and up to 2147483647'],
    [{ timeoutMs: NaN }, 'timeoutMs must be'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be'],
    [{ timeoutMs: Infinity }, 'timeoutMs must be'],
  ])('is impossible with %j', (options, message) => {
    const error = thrownBy(() => clientOf(success({}), options));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
  });

  it('may have the longest times that timers support', async () => {
    const longest = 2 ** 31 - 1;
    const options = { timeoutMs: longest, retries: { baseDelayMs: longest, maxDelayMs: longest } };
    expect(await clientOf(success({}), options).relayer('demo').get()).toEqual({});
  });

  it.each([0, NaN, 2 ** 31, Infinity])('sends no request with a time limit of %d ms', async (timeoutMs) => {
    const { fetch, requests } = scriptedFetch(success({}));
    const call = clientOf(success({}), { fetch }).relayer('demo').get({ timeoutMs });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow('timeoutMs must be');
    expect(requests).toEqual([]);
  });

  const thrownBy = (create: () => unknown): unknown => {
    try {
      return create();
    } catch (error) {
      return error;
    }
  };
});
