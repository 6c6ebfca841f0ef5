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
