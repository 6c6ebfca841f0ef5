import { failure, type Outcome, scriptedFetch, success } from '../../test/support/scripted-fetch';
import { RelayerClient } from './client';
import {
  ConnectionError,
  JsonRpcError,
  NotFoundError,
  TransactionEndedError,
  WaitTimeoutError,
} from './errors';
import type { TransactionStatus } from './resources';

const URL = 'https://relayer.example.com';
const shown = (status: TransactionStatus, more: object = {}): Outcome =>
  success({ id: 't-1', status, status_reason: null, revert_reason: null, ...more });

function relayerOf(...outcomes: Outcome[]) {
  const { fetch, requests } = scriptedFetch(...outcomes);
  const client = new RelayerClient({ url: URL, apiKey: 'key', fetch, retries: { attempts: 1 } });
  return { relayer: client.relayer('demo'), requests };
}

describe('Waiting for a transaction', () => {
  it.each<[TransactionStatus, TransactionStatus]>([
    ['sent', 'mined'],
    ['mined', 'mined'],
    ['mined', 'confirmed'],
    ['confirmed', 'confirmed'],
    ['canceled', 'canceled'],
    ['expired', 'expired'],
  ])('for status %s resolves at %s', async (status, reached) => {
    const { relayer, requests } = relayerOf(shown(reached));
    expect(await relayer.waitFor('t-1', { status })).toMatchObject({ status: reached });
    expect(requests[0]!.target).toBe(`/api/v1/relayers/demo/transactions/t-1?wait=${status}&timeout=25`);
  });

  it.each<[TransactionStatus, TransactionStatus]>([
    ['confirmed', 'failed'],
    ['mined', 'canceled'],
    ['canceled', 'confirmed'],
    ['sent', 'failed'],
  ])('for status %s rejects at %s', async (status, final) => {
    const { relayer } = relayerOf(shown(final, { revert_reason: 'not the owner' }));
    const error: unknown = await relayer.waitFor('t-1', { status }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TransactionEndedError);
    expect(error).toMatchObject({
      message: `Transaction t-1 is ${final}: not the owner`,
      transaction: { status: final },
    });
  });

  it('continues while the service is unavailable', async () => {
    const lost = [failure(503), failure(429), new TypeError('fetch failed')];
    const { relayer, requests } = relayerOf(...lost, shown('submitted'), shown('confirmed'));
    await relayer.waitFor('t-1');
    expect(requests).toHaveLength(5);
  });

  it('continues after any other temporary failure of the service or of a proxy', async () => {
    const page = { status: 503, body: '<h1>Down for maintenance</h1>' };
    const lost = [failure(500), failure(408), page, { ...page, status: 404 }];
    const { relayer, requests } = relayerOf(...lost, shown('confirmed'));
    await relayer.waitFor('t-1');
    expect(requests).toHaveLength(5);
  });

  it('continues only after the delay that the service asks for, or at the end of its own time', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const full = failure(429, { 'retry-after': '60' });
      const { relayer, requests } = relayerOf(full, full, shown('confirmed'));
      const reached = relayer.waitFor('t-1', { timeoutMs: 100_000 });
      await jest.advanceTimersByTimeAsync(59_900);
      expect(requests).toHaveLength(1);
      await jest.advanceTimersByTimeAsync(200);
      expect(requests).toHaveLength(2);
      await jest.advanceTimersByTimeAsync(39_800);
      expect(requests).toHaveLength(2);
      await jest.advanceTimersByTimeAsync(200);
      expect(await reached).toMatchObject({ status: 'confirmed' });
      expect(requests).toHaveLength(3);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends in time with the last failure', async () => {
    const error: unknown = await relayerOf(failure(500))
      .relayer.waitFor('t-1', { timeoutMs: 1500 })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 500 });
  });

  it('fails immediately on an error that a retry cannot fix', async () => {
    await expect(relayerOf(failure(404)).relayer.waitFor('t-1')).rejects.toThrow(NotFoundError);
  });

  it('times out, and polls at most about once a second', async () => {
    const { relayer, requests } = relayerOf(shown('submitted', { status_reason: 'Waiting for funds' }));
    const error: unknown = await relayer
      .waitFor('t-1', { timeoutMs: 1500 })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect((error as Error).message).toBe(
      'Transaction t-1 is not confirmed but submitted: Waiting for funds',
    );
    expect(requests.map(({ target }) => target.slice(-9))).toEqual(['timeout=2', 'timeout=1', 'timeout=0']);
  });

  it('gives up in time if the service does not respond, despite retries', async () => {
    jest.useFakeTimers();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController();
      setTimeout(() => {
        controller.abort(new DOMException('timed out', 'TimeoutError'));
      }, ms);
      return controller.signal;
    });
    try {
      const { fetch } = scriptedFetch('hang');
      const relayer = new RelayerClient({ url: URL, apiKey: 'key', fetch }).relayer('demo');
      const ended = relayer.waitFor('t-1', { timeoutMs: 100 }).catch((reason: unknown) => reason);
      await jest.advanceTimersByTimeAsync(10_100);
      expect(jest.getTimerCount()).toBeLessThanOrEqual(1);
      expect(await ended).toBeInstanceOf(ConnectionError);
    } finally {
      timeout.mockRestore();
      jest.useRealTimers();
    }
  });

  it('continues if the system clock is set back', async () => {
    const { relayer, requests } = relayerOf(failure(503), shown('confirmed'));
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValueOnce(now).mockReturnValueOnce(now);
    clock.mockReturnValue(now - 3_600_000);
    try {
      await relayer.waitFor('t-1');
    } finally {
      clock.mockRestore();
    }
    expect(requests).toHaveLength(2);
  });

  it('stops when the caller aborts', async () => {
    const { relayer } = relayerOf(shown('submitted'));
    const signal = AbortSignal.timeout(100);
    await expect(relayer.waitFor('t-1', { signal })).rejects.toHaveProperty('name', 'TimeoutError');
  });
});

describe('Sending a transaction', () => {
  it.each([null, '', 42, {}])('refuses %j as idempotency key before anything is sent', async (key) => {
    const { relayer, requests } = relayerOf(shown('pending'));
    const options = { idempotencyKey: key as string };
    const transactions = [{ to: null, value: 1n }];
    for (const sent of [
      relayer.sendTransaction({ to: null, value: 1n }, options),
      relayer.sendTransactions({ transactions }, options),
    ])
      await expect(sent).rejects.toThrow(new TypeError('idempotencyKey must be a text that is not empty'));
    expect(requests).toEqual([]);
  });
});

describe('JSON-RPC', () => {
  it('returns the result or throws the error of the node', async () => {
    const reverted = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
    const { relayer, requests } = relayerOf(
      { status: 200, body: { jsonrpc: '2.0', id: 1, result: '0x10' } },
      { status: 200, body: { jsonrpc: '2.0', id: 1, error: reverted } },
    );
    expect(await relayer.rpc('eth_blockNumber')).toBe('0x10');
    expect(requests[0]!.body).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    const error: unknown = await relayer.rpc('eth_call', [{}]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JsonRpcError);
    expect(error).toMatchObject(reverted);
  });
});
