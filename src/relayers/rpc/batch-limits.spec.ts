import { RpcUnavailableError } from '../../networks/rpc/endpoint-error';
import { BatchLimits } from './batch-limits';

const MEBIBYTE = 1024 * 1024;
const NO_ROOM = {
  code: -32005,
  message: 'The answers of the batch exceed 33554432 bytes: ask for less at once',
};

describe('BatchLimits', () => {
  let limits: BatchLimits;
  let asked: number;

  beforeEach(() => {
    limits = new BatchLimits();
    asked = 0;
  });

  const response = (id: number, result: string) => ({ jsonrpc: '2.0' as const, id, result });
  const written = (id: number, result: string) =>
    JSON.parse(limits.write(response(id, result))) as { id: number; result?: string; error?: unknown };
  const ask = () =>
    limits.ask(() => {
      asked += 1;
      return Promise.resolve({ result: 'well' });
    });
  const failWith = (error: Error) =>
    limits.ask(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

  it('keep what there is room for, and ask no more once something had to go', async () => {
    const large = 'x'.repeat(20 * MEBIBYTE);
    expect(written(1, large).result).toBe(large);
    expect(await ask()).toEqual({ result: 'well' });
    expect(written(2, large)).toEqual({ jsonrpc: '2.0', id: 2, error: NO_ROOM });
    const under = 'x'.repeat(10 * MEBIBYTE);
    expect(written(3, under).result).toBe(under);
    expect(await ask()).toEqual({ error: NO_ROOM });
    expect(asked).toBe(1);
  });

  it('count bytes, not characters', () => {
    expect(written(1, 'é'.repeat(17 * MEBIBYTE)).error).toEqual(NO_ROOM);
    expect(written(2, 'e'.repeat(17 * MEBIBYTE)).error).toBeUndefined();
  });

  it('always keep the hash of a transaction', () => {
    const nearlyAll = 'x'.repeat(32 * MEBIBYTE - 50);
    expect(written(1, nearlyAll).result).toBe(nearlyAll);
    const hash = `0x${'ab'.repeat(32)}`;
    for (let id = 2; id < 100; id += 1) expect(written(id, hash).result).toBe(hash);
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
