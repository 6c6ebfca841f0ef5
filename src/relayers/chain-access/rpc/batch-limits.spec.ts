import { BytePieces } from '../../../common/http/byte-pieces';
import { RpcUnavailableError } from '../../../chains/rpc/endpoint-error';
import { BatchLimits } from './batch-limits';

const MEBIBYTE = 1024 * 1024;
describe('BatchLimits', () => {
  let limits: BatchLimits;
  let calls: number;

  beforeEach(() => {
    limits = new BatchLimits(16 * MEBIBYTE);
    calls = 0;
  });

  const admits = (bytes: number): boolean => limits.admit(new BytePieces([Buffer.alloc(bytes)]));
  const ask = () =>
    limits.ask(() => {
      calls += 1;
      return Promise.resolve({ result: 'well' });
    });
  const failWith = (error: Error) =>
    limits.ask(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

  it('admits responses while there is room, and sends no further call once a response was dropped', async () => {
    expect(admits(10 * MEBIBYTE)).toBe(true);
    expect(await ask()).toEqual({ result: 'well' });
    expect(admits(10 * MEBIBYTE)).toBe(false);
    expect(admits(5 * MEBIBYTE)).toBe(true);
    expect(await ask()).toBeUndefined();
    expect(calls).toBe(1);
  });

  it('always admits a response of the size of a transaction hash', () => {
    expect(admits(16 * MEBIBYTE)).toBe(true);
    for (let id = 2; id < 100; id += 1) expect(admits(4096)).toBe(true);
    expect(admits(4097)).toBe(false);
  });

  it.each(['refused', 'dns', 'connection', 'tls', 'wrong_chain'] as const)(
    'sends no further call after %s, which the next call would fail with too',
    async (failure) => {
      const error = new RpcUnavailableError(failure);
      expect(await failWith(error)).toBe(error);
      await expect(ask()).rejects.toBe(error);
      expect(calls).toBe(0);
    },
  );

  it.each([
    'cut_off',
    'rate_limited',
    'rejected',
    'http',
    'malformed',
    'too_large',
    'node',
    'overloaded',
  ] as const)('continues after %s, which may concern that call alone', async (failure) => {
    for (let i = 0; i < 3; i += 1) await failWith(new RpcUnavailableError(failure));
    expect(await ask()).toEqual({ result: 'well' });
  });

  it('continues after a time-out, which one expensive call may cause, but not after a second one', async () => {
    await failWith(new RpcUnavailableError('timeout'));
    expect(await ask()).toEqual({ result: 'well' });
    const second = new RpcUnavailableError('timeout');
    await failWith(second);
    await expect(ask()).rejects.toBe(second);
    expect(calls).toBe(1);
  });

  it('rethrows an error that is not a failure of a node, and continues', async () => {
    const error = new Error('a fault');
    expect(await failWith(error)).toBe(error);
    expect(await ask()).toEqual({ result: 'well' });
  });
});
