import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { FakeNodes } from '../../../test/support/fake-nodes';
import type { CallJournal, Interruption } from './call-journal';
import { EndpointError } from './endpoint-error';
import { type JsonRpcResponse, MalformedResponseError } from './json-rpc';
import { type EndpointState, RpcEndpoint } from './rpc-endpoint';

const URL = 'https://user:pw@node.example/v2/k3y';
const CALL = evmCall('eth_gasPrice', []);
const asItIs = (response: JsonRpcResponse): JsonRpcResponse => response;

describe('RpcEndpoint', () => {
  let now: number;
  let nodes: FakeNodes;
  let endpoint: RpcEndpoint;
  let states: EndpointState[];

  beforeEach(() => {
    now = 1_000_000;
    states = [];
    nodes = new FakeNodes().well(URL);
    endpoint = new RpcEndpoint(URL, evmChain(1n), nodes.transport, () => now, {
      changed: (_endpoint, state) => states.push(state),
    });
  });

  const fails = async (): Promise<void> => {
    await expect(endpoint.call(CALL, asItIs)).rejects.toBeInstanceOf(EndpointError);
  };

  it('is shown without the secrets in its URL', () => {
    expect(endpoint.place).toBe('https://node.example/***');
  });

  it('rests for a moment if there is no memory for its response, which does not lengthen its next rest', async () => {
    await endpoint.verify();
    nodes.set(URL, () => Promise.reject(new EndpointError('overloaded', 'is long')));
    await fails();
    expect(endpoint.state).toBe('resting');
    now += 999;
    expect(endpoint.isDue).toBe(false);
    now += 1;
    nodes.well(URL);
    await endpoint.verify();
    nodes.set(URL, 'connection');
    await fails();
    now += 60_000;
    expect(endpoint.isDue).toBe(true);
  });

  it('rests for a minute after an oversized response to a call of the service', async () => {
    await endpoint.verify();
    nodes.set(URL, 'too_large');
    await fails();
    now += 59_999;
    expect(endpoint.isDue).toBe(false);
    now += 1;
    expect(endpoint.isDue).toBe(true);
  });

  it('does not rest after an oversized response whose size a contract decides', async () => {
    await endpoint.verify();
    nodes.set(URL, 'too_large');
    await expect(endpoint.call(evmCall('eth_call', []), asItIs)).rejects.toMatchObject({
      failure: 'too_large',
    });
    expect(endpoint.state).toBe('ready');
  });

  it('rests for long after a time-out of a call whose cost no client can choose', async () => {
    await endpoint.verify();
    nodes.set(URL, 'timeout');
    await expect(endpoint.call(evmCall('eth_getTransactionReceipt', []), asItIs)).rejects.toThrow('timeout');
    now += 59_999;
    expect(endpoint.isDue).toBe(false);
  });

  it('is ready once it has returned the right chain id', async () => {
    expect(endpoint.state).toBe('unverified');
    await endpoint.verify();
    expect(endpoint.state).toBe('ready');
    expect(await endpoint.call(CALL, asItIs)).toEqual({ value: { result: URL }, elsewhere: false });
    expect(states).toEqual(['ready']);
  });

  it.each([
    ['another chain', { result: '0x2' }, 'wrong_chain'],
    ['an error', { error: { code: -32601, message: 'no such method' } }, 'resting'],
    ['a number', { result: 1 }, 'resting'],
    [
      'an address',
      { result: '0x00000000000000000000000000000000000000000000000000000000000000000a' },
      'resting',
    ],
    ['a negative number', { result: '-0x1' }, 'resting'],
    ['nothing', { result: null }, 'resting'],
  ])('is not used if it returns %s as its chain id', async (_what, response, state) => {
    nodes.set(URL, () => response);
    await expect(endpoint.verify()).rejects.toBeInstanceOf(EndpointError);
    expect(endpoint.state).toBe(state);
    nodes.well(URL);
    await endpoint.verify();
    expect(endpoint.state).toBe('ready');
  });

  it('requests the chain id once for concurrent callers', async () => {
    await Promise.all(Array.from({ length: 50 }, () => endpoint.verify()));
    expect(nodes.calls).toHaveLength(1);
  });

  it('requests the chain id again if the last response is old', async () => {
    await endpoint.verify();
    now += 59_999;
    await endpoint.verifyAfter(60_000);
    expect(nodes.calls).toHaveLength(1);
    now += 1;
    nodes.set(URL, () => ({ result: '0x2' }));
    await expect(endpoint.verifyAfter(60_000)).rejects.toMatchObject({ failure: 'wrong_chain' });
    expect(endpoint.state).toBe('wrong_chain');
  });

  it('rests for longer with each failure, up to ten minutes', async () => {
    const rests: number[] = [];
    await endpoint.verify();
    nodes.set(URL, 'connection');
    for (let i = 0; i < 6; i += 1) {
      await fails();
      const start = now;
      while (!endpoint.isDue) now += 1000;
      rests.push(now - start);
    }
    expect(rests).toEqual([60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
    expect(states).toEqual(['ready', 'resting']);
  });

  it('does not reset its failures if it was ready for less time than it rested', async () => {
    await endpoint.verify();
    nodes.set(URL, 'http');
    await fails();
    now += 60_000;
    nodes.well(URL);
    await endpoint.verify();
    now += 59_000;
    nodes.set(URL, 'http');
    await fails();
    now += 60_000;
    expect(endpoint.isDue).toBe(false);
    now += 60_000;
    expect(endpoint.isDue).toBe(true);
  });

  it('resets its failures if it was ready for longer than it rested', async () => {
    await endpoint.verify();
    nodes.set(URL, 'http');
    await fails();
    now += 60_000;
    nodes.well(URL);
    await endpoint.verify();
    now += 60_001;
    nodes.set(URL, 'http');
    await fails();
    now += 60_000;
    expect(endpoint.isDue).toBe(true);
  });

  it.each([
    [5000, 5000],
    [0, 1000],
    [86_400_000, 600_000],
  ])('rests for the %d ms that the node requests, within bounds', async (retryAfterMs, rest) => {
    nodes.set(URL, () => {
      throw new EndpointError('rate_limited', '429', retryAfterMs);
    });
    await fails();
    now += rest - 1;
    expect(endpoint.isDue).toBe(false);
    now += 1;
    expect(endpoint.isDue).toBe(true);
  });

  it('counts calls that fail together as one failure', async () => {
    await endpoint.verify();
    nodes.set(URL, 'timeout');
    await Promise.all(Array.from({ length: 20 }, () => fails()));
    now += 60_000;
    expect(endpoint.isDue).toBe(true);
  });

  it('ignores the failure of a call that began before it became ready again', async () => {
    await endpoint.verify();
    let fail = (): void => undefined;
    nodes.set(
      URL,
      () =>
        new Promise((_resolve, reject) => {
          fail = () => {
            reject(new EndpointError('timeout', 'late'));
          };
        }),
    );
    const late = fails();
    await new Promise(setImmediate);
    nodes.set(URL, 'connection');
    await fails();
    now += 60_000;
    nodes.well(URL);
    await endpoint.verify();
    fail();
    await late;
    expect(endpoint.state).toBe('ready');
  });

  it.each([
    ['caller', { code: 3, message: 'execution reverted' }, false],
    ['elsewhere', { code: -32000, message: 'header not found' }, true],
  ])('stays ready after an error that ownerOf attributes to %s', async (_owner, error, elsewhere) => {
    await endpoint.verify();
    nodes.set(URL, () => ({ error }));
    expect(await endpoint.call(CALL, asItIs)).toEqual({ value: { error }, elsewhere });
    expect(endpoint.state).toBe('ready');
  });

  it('rests after a rate limit error', async () => {
    await endpoint.verify();
    nodes.set(URL, () => ({ error: { code: -32005, message: 'daily request count exceeded' } }));
    await expect(endpoint.call(CALL, asItIs)).rejects.toMatchObject({ failure: 'node' });
    expect(endpoint.state).toBe('resting');
  });

  it.each([
    [
      'stays ready if it forbids a call that another may serve',
      'Archive requests require a personal token',
      'ready',
    ],
    ['rests if it forbids all calls', 'invalid project', 'resting'],
    ['rests if it forbids a call for an unknown reason', 'no', 'resting'],
  ])('%s', async (_title, message, state) => {
    await endpoint.verify();
    const error = { code: -32602, message };
    const { call } = nodes.transport;
    nodes.transport.call = async (...given) => ({ ...(await call(...given)), isForbidden: true });
    nodes.set(URL, () => ({ error }));
    const result = endpoint.call(CALL, asItIs);
    await (state === 'ready'
      ? expect(result).resolves.toEqual({ value: { error }, elsewhere: true })
      : expect(result).rejects.toMatchObject({ failure: 'rejected' }));
    expect(endpoint.state).toBe(state);
  });

  describe('with a journal', () => {
    let interruption: Interruption | undefined;
    let watched: number;

    beforeEach(() => {
      interruption = undefined;
      watched = 0;
      const journal: CallJournal = {
        interruptionOf: () => Promise.resolve(interruption),
        interruptionAfterOthers: () => Promise.resolve(interruption),
        watch: (_url, work) => {
          watched += 1;
          return work();
        },
      };
      endpoint = new RpcEndpoint(URL, evmChain(1n), nodes.transport, () => now, {}, journal);
    });

    const isRefused = async (): Promise<void> => {
      const calls = nodes.calls.length;
      await expect(endpoint.verify()).rejects.toMatchObject({ failure: 'interrupted' });
      expect(endpoint.state).toBe('resting');
      expect(nodes.calls).toHaveLength(calls);
    };

    it('records only its first call', async () => {
      for (let i = 0; i < 3; i += 1) await endpoint.verify();
      expect(watched).toBe(1);
    });

    it('records calls until one has completed, successful or not', async () => {
      nodes.set(URL, () => Promise.reject(new Error('a fault of the service')));
      await expect(endpoint.verify()).rejects.toThrow('a fault of the service');
      nodes.set(URL, 'timeout');
      for (let i = 0; i < 2; i += 1) await expect(endpoint.verify()).rejects.toThrow('timeout');
      expect(watched).toBe(2);
    });

    it('rests if a process ended during a call to it, but can be called if there is no other endpoint', async () => {
      interruption = { restMs: 300_000, isBarred: false };
      await isRefused();
      now += 299_999;
      expect(endpoint.isDue).toBe(false);
      await endpoint.verify();
      expect(endpoint.state).toBe('ready');
    });

    it('is checked again after a rest that gave another instance time to complete its call', async () => {
      interruption = { restMs: 15_000, isBarred: false };
      await isRefused();
      now += 15_000;
      interruption = { restMs: 285_000, isBarred: false };
      await isRefused();
      now += 285_000;
      interruption = undefined;
      await endpoint.verify();
      expect(endpoint.state).toBe('ready');
    });

    it('is not called at all while it is barred', async () => {
      interruption = { restMs: 300_000, isBarred: true };
      await isRefused();
      await isRefused();
      now += 300_000;
      interruption = undefined;
      await endpoint.verify();
      expect(endpoint.state).toBe('ready');
    });
  });

  it('rests after a result that cannot be read', async () => {
    await endpoint.verify();
    const unreadable = (): never => {
      throw new MalformedResponseError('is nonsense');
    };
    await expect(endpoint.call(CALL, unreadable)).rejects.toMatchObject({ failure: 'malformed' });
    expect(endpoint.state).toBe('resting');
  });
});
