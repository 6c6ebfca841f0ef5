import { keccak256 } from 'ethers';
import { JsonRpcNode } from '../json-rpc-node';
import {
  hiddenReceipts,
  refuseAcceptedSends,
  shiftedNonces,
  staleHead,
  stuckHead,
  stuckNonces,
  swallowSends,
} from './chain-faults';
import type { Fault, RpcCall } from './fault';
import { FaultyProxy } from './faulty-proxy';
import { ALREADY_KNOWN } from './node-wordings';
import {
  delay,
  dropAfter,
  dropBefore,
  errorAfter,
  errorInstead,
  hang,
  hangAfter,
  httpAfter,
  httpBefore,
  scripted,
} from './transport-faults';

const ERROR = { code: -32000, message: 'nonce too low' };
const RAW = '0x02f86b';

describe('FaultyProxy', () => {
  let node: JsonRpcNode;
  let proxy: FaultyProxy;

  beforeEach(async () => {
    node = await JsonRpcNode.start(1);
    node
      .respondTo('eth_blockNumber', { result: '0x10' })
      .respondTo('eth_getBlockByNumber', ({ params }) => ({ result: { number: (params as string[])[0] } }))
      .respondTo('eth_getTransactionCount', { result: '0x5' })
      .respondTo('eth_getTransactionReceipt', { result: { status: '0x1' } })
      .respondTo('eth_sendRawTransaction', { result: `0x${'ab'.repeat(32)}` });
    proxy = await FaultyProxy.start(node.url);
  });

  afterEach(async () => {
    await proxy.stop();
    await node.close();
  });

  const post = async (body: unknown, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(proxy.url, { method: 'POST', body: JSON.stringify(body), signal });

  const rpc = (id: unknown, method: string, ...params: unknown[]): object => ({
    ...{ jsonrpc: '2.0', id, method, params },
  });

  /** The response, `HTTP n`, or `drop`. */
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    try {
      const response = await post(rpc(7, method, ...params));
      if (response.status !== 200) return `HTTP ${response.status}`;
      const { jsonrpc, id, ...content } = (await response.json()) as Record<string, unknown>;
      expect([jsonrpc, id]).toEqual(['2.0', 7]);
      return content;
    } catch {
      return 'drop';
    }
  };

  const forwarded = (method: string): number => node.calls.filter((call) => call.method === method).length;

  it('forwards calls, results and errors', async () => {
    expect(await ask('eth_getTransactionCount', '0xaa', 'latest')).toEqual({ result: '0x5' });
    expect(node.received).toEqual([{ method: 'eth_getTransactionCount', params: ['0xaa', 'latest'] }]);
    expect(await ask('eth_foo')).toMatchObject({ error: { code: -32601 } });
  });

  it('forwards batches in order, each call with its id', async () => {
    const response = await post([rpc('a', 'eth_blockNumber'), rpc(2, 'eth_chainId')]);
    expect(await response.json()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: '0x10' },
      { jsonrpc: '2.0', id: 2, result: '0x1' },
    ]);
    expect(node.calls.map(({ method }) => method)).toEqual(['eth_blockNumber', 'eth_chainId']);
  });

  it('refuses batches if "batches" is false', async () => {
    proxy.batches = false;
    const response = await post([rpc(1, 'eth_blockNumber')]);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(node.calls).toEqual([]);
  });

  it.each<[string, Fault, unknown, number]>([
    ['drops the connection before', dropBefore(), 'drop', 0],
    ['drops the connection after', dropAfter(), 'drop', 1],
    ['responds 502 before', httpBefore(502), 'HTTP 502', 0],
    ['responds 504 after', httpAfter(504), 'HTTP 504', 1],
    ['responds with an error instead', errorInstead(ERROR), { error: ERROR }, 0],
    ['responds with an error after', errorAfter(ERROR), { error: ERROR }, 1],
    ['delays', delay(1), { result: '0x10' }, 1],
    ['follows a script', scripted(() => ({ result: 'scripted' })), { result: 'scripted' }, 0],
    ['leaves a call out of a script', scripted(() => undefined), { result: '0x10' }, 1],
  ])('%s', async (_title, fault, expected, calls) => {
    proxy.add(fault);
    expect(await ask('eth_blockNumber')).toEqual(expected);
    expect(forwarded('eth_blockNumber')).toBe(calls);
  });

  it.each<[string, Fault, number]>([
    ['before', hang(), 0],
    ['after', hangAfter(), 1],
  ])('hangs %s the call is forwarded, until the caller gives up', async (_title, fault, calls) => {
    proxy.add(fault);
    const caller = new AbortController();
    const response = post(rpc(1, 'eth_blockNumber'), caller.signal);
    while (proxy.record.count() === 0) await new Promise(setImmediate);
    caller.abort();
    await expect(response).rejects.toThrow();
    expect(forwarded('eth_blockNumber')).toBe(calls);
    expect(proxy.record.calls[0]).toMatchObject({ outcome: 'hang' });
  });

  it('fails a whole batch when a transport fault applies to one of its calls', async () => {
    proxy.add(httpAfter(502), { methods: ['eth_chainId'] });
    const response = await post([rpc(1, 'eth_blockNumber'), rpc(2, 'eth_chainId')]);
    expect(response.status).toBe(502);
    expect(proxy.record.calls.map(({ outcome, fault }) => [outcome, fault])).toEqual([
      ['HTTP 502', undefined],
      ['HTTP 502', 'HTTP 502 after'],
    ]);
  });

  it('fails a single call of a batch if the fault is an error', async () => {
    proxy.add(errorInstead(ERROR), { methods: ['eth_chainId'] });
    const response = await post([rpc(1, 'eth_blockNumber'), rpc(2, 'eth_chainId')]);
    expect(await response.json()).toMatchObject([{ result: '0x10' }, { error: ERROR }]);
  });

  it('swallows transactions and returns their hash', async () => {
    proxy.add(swallowSends());
    expect(await ask('eth_sendRawTransaction', RAW)).toEqual({ result: keccak256(RAW) });
    expect(forwarded('eth_sendRawTransaction')).toBe(0);
    expect(await ask('eth_blockNumber')).toEqual({ result: '0x10' });
  });

  it.each(ALREADY_KNOWN)('forwards a transaction but responds with the error "$message"', async (error) => {
    proxy.add(refuseAcceptedSends(error));
    expect(await ask('eth_sendRawTransaction', RAW)).toEqual({ error });
    expect(forwarded('eth_sendRawTransaction')).toBe(1);
  });

  it.each([
    [2, '0x7'],
    [-2, '0x3'],
    [-9, '0x0'],
  ])('shifts nonces by %i', async (by, result) => {
    proxy.add(shiftedNonces(by));
    expect(await ask('eth_getTransactionCount', '0xaa', 'latest')).toEqual({ result });
  });

  it('freezes nonces per account and block until the fault is removed', async () => {
    const rule = proxy.add(stuckNonces());
    await ask('eth_getTransactionCount', '0xaa', 'latest');
    node.respondTo('eth_getTransactionCount', { result: '0x6' });
    expect(await ask('eth_getTransactionCount', '0xaa', 'latest')).toEqual({ result: '0x5' });
    expect(await ask('eth_getTransactionCount', '0xaa', 'pending')).toEqual({ result: '0x6' });
    proxy.remove(rule);
    expect(await ask('eth_getTransactionCount', '0xaa', 'latest')).toEqual({ result: '0x6' });
  });

  it('serves a stale head, as a number and as a block', async () => {
    proxy.add(staleHead(3));
    expect(await ask('eth_blockNumber')).toEqual({ result: '0xd' });
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toEqual({ result: { number: '0xd' } });
    expect(await ask('eth_getBlockByNumber', '0x10', false)).toEqual({ result: { number: '0x10' } });
  });

  it('freezes the head', async () => {
    proxy.add(stuckHead());
    expect(await ask('eth_blockNumber')).toEqual({ result: '0x10' });
    node.respondTo('eth_blockNumber', { result: '0x11' });
    expect(await ask('eth_blockNumber')).toEqual({ result: '0x10' });
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toEqual({ result: { number: '0x10' } });
  });

  it('hides all receipts, or a single one', async () => {
    const rule = proxy.add(hiddenReceipts());
    expect(await ask('eth_getTransactionReceipt', '0x01')).toEqual({ result: null });
    proxy.remove(rule);
    proxy.add(hiddenReceipts('0x01'));
    expect(await ask('eth_getTransactionReceipt', '0x01')).toEqual({ result: null });
    expect(await ask('eth_getTransactionReceipt', '0x02')).toEqual({ result: { status: '0x1' } });
  });

  describe('applies faults', () => {
    const many = async (count: number): Promise<unknown[]> => {
      const results: unknown[] = [];
      for (let index = 0; index < count; index += 1) results.push(await ask('eth_blockNumber'));
      return results;
    };

    it('to a limited number of calls', async () => {
      const rule = proxy.add(httpBefore(502), { times: 2 });
      expect(await many(4)).toEqual(['HTTP 502', 'HTTP 502', { result: '0x10' }, { result: '0x10' }]);
      expect(rule.met).toBe(2);
    });

    it('to calls of given methods', async () => {
      proxy.add(httpBefore(502), { methods: ['eth_chainId'] });
      expect([...(await many(1)), await ask('eth_chainId')]).toEqual([{ result: '0x10' }, 'HTTP 502']);
    });

    it('to calls that meet a condition', async () => {
      proxy.add(httpBefore(502), { where: ({ params }: RpcCall) => params[0] === 1 });
      expect(await ask('eth_chainId', 1)).toBe('HTTP 502');
      expect(await ask('eth_chainId', 2)).toEqual({ result: '0x1' });
    });

    it('at random, to the same calls in each run', async () => {
      const other = await FaultyProxy.start(node.url);
      proxy.add(httpBefore(502), { chance: 0.5 });
      const first = await many(40);
      await proxy.stop();
      proxy = other;
      proxy.add(httpBefore(502), { chance: 0.5 });
      expect(await many(40)).toEqual(first);
      expect(new Set(first).size).toBeGreaterThan(1);
    });

    it('to all calls for a while after the first one', async () => {
      const rule = proxy.add(httpBefore(502), { chance: 0.2, lastsMs: 60_000 });
      while (rule.met === 0) await ask('eth_blockNumber');
      expect(await many(20)).toEqual(Array(20).fill('HTTP 502'));
    });

    it('in the order in which they were added', async () => {
      proxy.add(scripted(() => undefined));
      proxy.add(httpBefore(503));
      proxy.add(httpBefore(502));
      expect(await many(1)).toEqual(['HTTP 503']);
      proxy.clear();
      expect(await many(1)).toEqual([{ result: '0x10' }]);
    });
  });

  it('responds with 502 when the node is unreachable', async () => {
    const gone = await FaultyProxy.start('http://127.0.0.1:9');
    await proxy.stop();
    proxy = gone;
    expect(await ask('eth_blockNumber')).toBe('HTTP 502');
  });

  it('records calls and counts them', async () => {
    await ask('eth_blockNumber');
    proxy.add(refuseAcceptedSends(ERROR));
    await post([rpc(1, 'eth_sendRawTransaction', RAW), rpc(2, 'eth_chainId')]);
    expect(proxy.record.calls).toEqual([
      expect.objectContaining({ method: 'eth_blockNumber', request: 1, forwarded: true, outcome: 'result' }),
      expect.objectContaining({
        ...{ method: 'eth_sendRawTransaction', params: [RAW], request: 2, forwarded: true },
        ...{ fault: 'error after: nonce too low', outcome: 'error', error: ERROR },
      }),
      expect.objectContaining({ method: 'eth_chainId', request: 2, fault: undefined }),
    ]);
    expect([proxy.record.count(), proxy.record.count('eth_chainId')]).toEqual([3, 1]);
    expect(proxy.record.faults()).toEqual({ 'error after: nonce too low': 1 });
    expect(proxy.record.perBlock(2)).toEqual({
      ...{ 'HTTP requests': 1, eth_blockNumber: 0.5, eth_sendRawTransaction: 0.5, eth_chainId: 0.5 },
    });
    proxy.record.clear();
    expect([proxy.record.requests, proxy.record.count(), proxy.record.calls]).toEqual([0, 0, []]);
  });
});
