import { BytePieces } from '../../../common/http/byte-pieces';
import { RpcUnavailableError } from '../../../chains/rpc/endpoint-error';
import { BatchLimits } from './batch-limits';

const MEBIBYTE = 1024 * 1024;
describe('BatchLimits', () => {
  let limits: BatchLimits;
  let asked: number;

  beforeEach(() => {
    limits = new BatchLimits(16 * MEBIBYTE);
    asked = 0;
  });

  const admits = (bytes: number): boolean => limits.admit(new BytePieces([Buffer.alloc(bytes)]));
  const ask = () =>
    limits.ask(() => {
      asked += 1;
      return Promise.resolve({ result: 'well' });
    });
  const failWith = (error: Error) =>
    limits.ask(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

  it('admit what there is room for, and ask no more once something had to go', async () => {
    expect(admits(10 * MEBIBYTE)).toBe(true);
    expect(await ask()).toEqual({ result: 'well' });
    expect(admits(10 * MEBIBYTE)).toBe(false);
    expect(admits(5 * MEBIBYTE)).toBe(true);
    expect(await ask()).toBeUndefined();
    expect(asked).toBe(1);
  });

  it('always admit the hash of a transaction', () => {
    expect(admits(16 * MEBIBYTE)).toBe(true);
    for (let id = 2; id < 100; id += 1) expect(admits(4096)).toBe(true);
    expect(admits(4097)).toBe(false);
  });

  it.each(['refused', 'dns', 'connection', 'tls', 'wrong_chain'] as const)(
    'ask no more after %s, which the next call would meet too',
    async (failure) => {
      const error = new RpcUnavailableError(failure);
      expect(await failWith(error)).toBe(error);
      await expect(ask()).rejects.toBe(error);
      expect(asked).toBe(0);
    },
  );

  it.each(['rate_limited', 'rejected', 'http', 'malformed', 'too_large', 'node', 'overloaded'] as const)(
    'go on after %s, which may be of the one call',
    async (failure) => {
      for (let i = 0; i < 3; i += 1) await failWith(new RpcUnavailableError(failure));
      expect(await ask()).toEqual({ result: 'well' });
    },
  );

  it('go on after a time-out, which may be of a heavy call, and not after a second one', async () => {
    await failWith(new RpcUnavailableError('timeout'));
    expect(await ask()).toEqual({ result: 'well' });
    const second = new RpcUnavailableError('timeout');
    await failWith(second);
    await expect(ask()).rejects.toBe(second);
    expect(asked).toBe(1);
  });

  it('pass on what is no failure of a chain', async () => {
    const error = new Error('a fault');
    expect(await failWith(error)).toBe(error);
    expect(await ask()).toEqual({ result: 'well' });
  });
});
