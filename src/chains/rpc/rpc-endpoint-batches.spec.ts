import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { FakeNodes } from '../../../test/support/fake-nodes';
import { EndpointError } from './endpoint-error';
import { type JsonRpcResponse, MalformedResponseError } from './json-rpc';
import { RpcEndpoint } from './rpc-endpoint';
import type { RpcTransport } from './rpc-transport';

const URL = 'https://node.example/v2';
const CALL = evmCall('eth_gasPrice', []);
const asItIs = (response: JsonRpcResponse): JsonRpcResponse => response;

describe('RpcEndpoint.callAll', () => {
  let now: number;
  let nodes: FakeNodes;
  let endpoint: RpcEndpoint;

  beforeEach(async () => {
    now = 1_000_000;
    nodes = new FakeNodes().well(URL);
    endpoint = new RpcEndpoint(URL, evmChain(1n), nodes.transport, () => now);
    await endpoint.verify();
  });

  const CALLS = [CALL, evmCall('eth_blockNumber', []), evmCall('eth_getBalance', ['0x01', 'latest'])];
  const all = () => endpoint.callAll(CALLS, (response, i) => ({ ...response, i }));

  it('sends its calls in one batch', async () => {
    expect(await all()).toEqual([0, 1, 2].map((i) => ({ value: { result: URL, i }, elsewhere: false })));
    expect(nodes.batches).toEqual([3]);
  });

  it('sends a single call without a batch, and nothing for no calls', async () => {
    expect(await endpoint.callAll([CALL], asItIs)).toEqual([{ value: { result: URL }, elsewhere: false }]);
    expect(await endpoint.callAll([], asItIs)).toEqual([]);
    expect(nodes.batches).toEqual([]);
  });

  it('sends single calls if the endpoint does not support batches, and remembers that for ten minutes', async () => {
    nodes.refuseBatches(URL);
    for (let i = 0; i < 2; i += 1) expect(await all()).toHaveLength(3);
    expect(nodes.batches).toEqual([3]);
    expect(nodes.count(URL, 'eth_getBalance')).toBe(2);
    now += 599_999;
    await all();
    expect(nodes.batches).toEqual([3]);
    now += 1;
    await all();
    expect(nodes.batches).toEqual([3, 3]);
    expect(endpoint.state).toBe('ready');
  });

  it('tries a batch again after the endpoint has rested', async () => {
    nodes.refuseBatches(URL);
    await all();
    nodes.set(URL, 'connection');
    await expect(endpoint.call(CALL, asItIs)).rejects.toBeInstanceOf(EndpointError);
    nodes.well(URL);
    await endpoint.verify();
    await all();
    expect(nodes.batches).toEqual([3, 3]);
  });

  it('sends at most eight calls at a time instead of a batch', async () => {
    nodes.refuseBatches(URL);
    let [active, most] = [0, 0];
    nodes.set(URL, async () => {
      most = Math.max(most, (active += 1));
      await new Promise(setImmediate);
      active -= 1;
      return { result: '0x1' };
    });
    await endpoint.callAll(Array<typeof CALL>(50).fill(CALL), asItIs);
    expect(most).toBe(8);
  });

  it.each(['eth_gasPrice', 'eth_getBalance'])(
    'lets the endpoint rest if the error of %s is its own',
    async (method) => {
      nodes.set(URL, (call) =>
        call.method === method ? { error: { code: -32005, message: 'rate limit' } } : { result: '0x1' },
      );
      await expect(all()).rejects.toMatchObject({ failure: 'node' });
      expect(endpoint.state).toBe('resting');
    },
  );

  it('reports for which calls another node may have a different response', async () => {
    nodes.set(URL, ({ method }) => ({
      error: { code: -32000, message: method === 'eth_gasPrice' ? 'header not found' : 'nonce too low' },
    }));
    expect((await all()).map(({ elsewhere }) => elsewhere)).toEqual([true, false, false]);
    expect(endpoint.state).toBe('ready');
  });

  it('lets the endpoint rest if one of the responses is malformed', async () => {
    const read = endpoint.callAll(CALLS, (_response, i) => {
      if (i === 2) throw new MalformedResponseError('is strange');
    });
    await expect(read).rejects.toMatchObject({ failure: 'malformed' });
    expect(endpoint.state).toBe('resting');
  });

  it('limits the response to the sum of the limits of the calls, and to 8 MiB', async () => {
    const limits: number[] = [];
    const transport: RpcTransport = {
      ...nodes.transport,
      callAll: (url, calls, maxBytes) => (
        limits.push(maxBytes),
        nodes.transport.callAll(url, calls, maxBytes)
      ),
    };
    endpoint = new RpcEndpoint(URL, evmChain(1n), transport, () => now);
    await all();
    await endpoint.callAll(Array<typeof CALL>(100).fill(evmCall('eth_getTransactionReceipt', [])), asItIs);
    expect(limits).toEqual([3 * 4096, 8 * 1024 * 1024]);
  });

  it('sends single calls if their responses are too large only together', async () => {
    const transport: RpcTransport = {
      ...nodes.transport,
      callAll: () => Promise.reject(new EndpointError('too_large', 'is long')),
    };
    endpoint = new RpcEndpoint(URL, evmChain(1n), transport, () => now);
    await endpoint.verify();
    const receipts = Array<typeof CALL>(40).fill(evmCall('eth_getTransactionReceipt', []));
    expect(await endpoint.callAll(receipts, asItIs)).toHaveLength(40);
    expect(endpoint.state).toBe('ready');
    await expect(all()).rejects.toMatchObject({ failure: 'too_large' });
    expect(endpoint.state).toBe('resting');
  });

  it('sends single calls if there is no memory for all their responses', async () => {
    const transport: RpcTransport = {
      ...nodes.transport,
      callAll: () => Promise.reject(new EndpointError('overloaded', 'is long')),
    };
    endpoint = new RpcEndpoint(URL, evmChain(1n), transport, () => now);
    await endpoint.verify();
    expect(await all()).toHaveLength(3);
    expect(endpoint.state).toBe('ready');
  });
});
