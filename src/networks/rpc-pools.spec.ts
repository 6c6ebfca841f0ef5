import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ask, EMPTY_JOURNAL, FakeNodes } from '../../test/support/fake-nodes';
import type { RpcTransport } from '../chains/rpc/rpc-transport';
import { NetworkEntity } from './network.entity';
import { RpcMetrics } from './rpc.metrics';
import { RpcPools } from './rpc-pools';

const A = 'https://a.example/v2/k3y';
const B = 'https://b.example';
const INTERNAL_CALL = { method: 'eth_blockNumber', params: [], maxBytes: 1000 };
const CALL = { method: 'eth_gasPrice', params: [] };

const network = (fields: Partial<NetworkEntity> = {}): NetworkEntity =>
  Object.assign(new NetworkEntity(), {
    id: 'evm:sepolia',
    name: 'sepolia',
    networkType: 'evm',
    chainId: '1',
    ...fields,
  });

const of = (weights: Record<string, number>) =>
  Object.entries(weights).map(([url, weight]) => ({ url, weight }));

describe('RpcPools', () => {
  let nodes: FakeNodes;
  let registry: Registry;
  let pools: RpcPools;

  beforeEach(() => {
    nodes = new FakeNodes().well(A).well(B);
    registry = new Registry();
    pools = new RpcPools(nodes.transport, new RpcMetrics(registry), EMPTY_JOURNAL);
  });

  const shown = async (): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('rpc_endpoints{'));

  it('never use an endpoint of weight 0', async () => {
    const pool = pools.poolOf(network(), of({ [A]: 0, [B]: 1 }), 'network')!;
    for (let i = 0; i < 50; i += 1) expect(await ask(pool, CALL)).toEqual({ result: B });
    nodes.set(B, 'connection');
    await expect(ask(pool, CALL)).rejects.toMatchObject({ failure: 'connection' });
    expect(nodes.calls.filter((call) => call.startsWith(A))).toEqual([]);
  });

  it('log that an endpoint failed, and that it is in use again', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    try {
      const pool = pools.poolOf(network(), of({ [A]: 1 }), 'network')!;
      await ask(pool, CALL);
      nodes.set(A, 'connection');
      await expect(ask(pool, CALL)).rejects.toMatchObject({ failure: 'connection' });
      nodes.well(A);
      jest.advanceTimersByTime(60_000);
      await ask(pool, CALL);
      const fields = { network: 'sepolia', endpoint: 'https://a.example/***' };
      expect(warn.mock.calls).toEqual([
        [
          'RPC endpoint failed and is not used for a while',
          expect.objectContaining({ ...fields, failure: 'connection' }),
        ],
      ]);
      expect(log.mock.calls).toEqual([
        ['RPC endpoint is in use', fields],
        ['RPC endpoint is in use again', fields],
      ]);
    } finally {
      jest.useRealTimers();
      log.mockRestore();
      warn.mockRestore();
    }
  });

  it('log at most 100 changes of endpoints of the relayers of a network in an hour', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const failing = async (name: string, owner: 'network' | 'relayer', place = network()) => {
      const pool = pools.poolOf(place, of({ [`https://${name}.dead.example`]: 1 }), owner)!;
      await pool.verify(Infinity);
    };
    const logged = () => warn.mock.calls.splice(0).map(([message]) => String(message));
    const failed = 'RPC endpoint failed and is not used for a while';
    const omitted = 'Further changes of custom_rpc_urls of relayers are not logged for up to an hour';
    try {
      for (let i = 0; i < 150; i += 1) await failing(`a${i}`, 'relayer');
      expect(logged()).toEqual([...Array<string>(100).fill(failed), omitted]);
      await failing('b', 'network');
      await failing('c', 'relayer', network({ id: 'evm:base', name: 'base' }));
      expect(logged()).toEqual([failed, failed]);
      jest.advanceTimersByTime(3_600_000);
      for (let i = 0; i < 150; i += 1) await failing(`d${i}`, 'relayer');
      expect(logged()).toEqual([...Array<string>(100).fill(failed), omitted]);
    } finally {
      jest.useRealTimers();
      warn.mockRestore();
    }
  });

  it.each([
    ['no URL', network(), []],
    ['only weights of 0', network(), of({ [A]: 0, [B]: 0 })],
    ['an unknown chain', network({ chainId: null }), of({ [A]: 1 })],
    ['a Solana network', network({ networkType: 'solana', chainId: null }), of({ [A]: 1 })],
    ['a Stellar network', network({ networkType: 'stellar', chainId: null }), of({ [A]: 1 })],
  ])('return no pool for %s', (_what, entity, urls) => {
    expect(pools.poolOf(entity, urls, 'network')).toBeUndefined();
    expect(pools.poolOf(entity, urls, 'relayer')).toBeUndefined();
    expect(pools.poolOf(entity, urls, 'private')).toBeUndefined();
  });

  it('return the same pool for the same endpoints, and another for other endpoints, weights, chains or networks', () => {
    const first = pools.poolOf(network(), of({ [A]: 1, [B]: 2 }), 'network');
    expect(pools.poolOf(network(), of({ [A]: 1, [B]: 2 }), 'relayer')).toBe(first);
    const others = [
      pools.poolOf(network(), of({ [A]: 1, [B]: 3 }), 'network'),
      pools.poolOf(network(), of({ [A]: 1 }), 'network'),
      pools.poolOf(network({ chainId: '2' }), of({ [A]: 1, [B]: 2 }), 'network'),
      pools.poolOf(network({ id: 'evm:base' }), of({ [A]: 1, [B]: 2 }), 'network'),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });

  it('share the state of an endpoint between its network and relayers', async () => {
    const shared = pools.poolOf(network(), of({ [A]: 1 }), 'network')!;
    const own = pools.poolOf(network(), of({ [A]: 50, [B]: 50 }), 'relayer')!;
    nodes.set(A, 'timeout');
    await expect(ask(shared, CALL)).rejects.toMatchObject({ failure: 'timeout' });
    nodes.calls.length = 0;
    for (let i = 0; i < 20; i += 1) expect(await ask(own, CALL)).toEqual({ result: B });
    expect(nodes.calls.filter((call) => call.startsWith(A))).toEqual([]);
    expect(own.members[0]!.endpoint).toBe(shared.members[0]!.endpoint);
  });

  it('tell endpoints that only relayers have from those of networks', async () => {
    const calls: unknown[] = [];
    const { transport } = nodes;
    const recording: RpcTransport = {
      call: (url, call, maxBytes, isForwarded, isCustom) => {
        calls.push([url, call.method, isForwarded, isCustom]);
        return transport.call(url, call, maxBytes);
      },
      callAll: (url, batch, maxBytes, isCustom) => {
        calls.push([url, 'batch', isCustom]);
        return transport.callAll(url, batch, maxBytes);
      },
    };
    pools = new RpcPools(recording, new RpcMetrics(new Registry()), EMPTY_JOURNAL);
    const own = pools.poolOf(network(), of({ [A]: 1 }), 'relayer')!;
    await ask(own, CALL);
    await own.readAll([INTERNAL_CALL, INTERNAL_CALL], String);
    pools.poolOf(network(), of({ [A]: 1, [B]: 1 }), 'network');
    await ask(own, CALL);
    await own.readAll([INTERNAL_CALL, INTERNAL_CALL], String);
    const hidden = pools.poolOf(network(), of({ [B]: 1 }), 'private')!;
    await ask(hidden, CALL);
    expect(calls).toEqual([
      [A, 'eth_chainId', false, true],
      [A, 'eth_gasPrice', true, true],
      [A, 'batch', true],
      [A, 'eth_gasPrice', true, false],
      [A, 'batch', false],
      [B, 'eth_chainId', false, false],
      [B, 'eth_gasPrice', true, false],
    ]);
  });

  it('retain the state of an endpoint when the list of endpoints changes', async () => {
    await ask(pools.poolOf(network(), of({ [A]: 1 }), 'network')!, CALL);
    const next = pools.poolOf(network(), of({ [A]: 2, [B]: 1 }), 'network')!;
    expect(next.members.map(({ endpoint }) => endpoint.state)).toEqual(['ready', 'unverified']);
  });

  it('verify an endpoint again when the chain of its network changes', async () => {
    await ask(pools.poolOf(network(), of({ [A]: 1 }), 'network')!, CALL);
    const moved = pools.poolOf(network({ chainId: '2' }), of({ [A]: 1 }), 'network')!;
    await expect(ask(moved, CALL)).rejects.toMatchObject({ failure: 'wrong_chain' });
  });

  it('hold at most 4096 pools and 8192 endpoints, and evict the least recently used', () => {
    const one = (i: number) => pools.poolOf(network(), of({ [`https://n${i}.example`]: 1 }), 'relayer')!;
    const [first, second] = [one(0), one(1)];
    for (let i = 2; i < 4096; i += 1) one(i);
    expect(one(0)).toBe(first);
    one(4096);
    expect(one(0)).toBe(first);
    expect(one(1)).not.toBe(second);
    // The pool was evicted, but not the state of its endpoint.
    expect(one(1).members[0]!.endpoint).toBe(second.members[0]!.endpoint);
    for (let i = 5000; i < 5000 + 8192; i += 1) one(i);
    expect(one(1).members[0]!.endpoint).not.toBe(second.members[0]!.endpoint);
  });

  it('expose the endpoints of networks, but not those of relayers, until there are none', async () => {
    pools.poolOf(network(), of({ [A]: 1, [B]: 1 }), 'network');
    pools.poolOf(network({ id: 'evm:base', name: 'base' }), of({ [A]: 1 }), 'relayer');
    expect(await shown()).toEqual([
      'rpc_endpoints{network="sepolia",position="1",state="unverified"} 1',
      'rpc_endpoints{network="sepolia",position="2",state="unverified"} 1',
    ]);
    pools.poolOf(network(), [], 'relayer');
    expect(await shown()).toHaveLength(2);
    pools.poolOf(network(), [], 'network');
    expect(await shown()).toEqual([]);
  });

  it('keep exposing a network when a network of the same name but another type has no pool', async () => {
    pools.poolOf(network(), of({ [A]: 1 }), 'network');
    const solana = { id: 'solana:sepolia', networkType: 'solana', chainId: null } as const;
    pools.poolOf(network(solana), of({ [B]: 1 }), 'network');
    expect(await shown()).toHaveLength(1);
  });

  it('expose a network for an hour after its last use, since another instance may have deleted it', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    pools.poolOf(network(), of({ [A]: 1 }), 'network');
    now.mockReturnValue(1_800_000);
    pools.poolOf(network(), of({ [A]: 1 }), 'network');
    now.mockReturnValue(1_800_000 + 3_600_000);
    expect(await shown()).toHaveLength(1);
    now.mockReturnValue(1_800_000 + 3_600_001);
    expect(await shown()).toEqual([]);
    now.mockRestore();
  });

  it('count calls and fail-overs', async () => {
    nodes.set(A, 'http');
    const pool = pools.poolOf(network(), of({ [A]: 1, [B]: 1 }), 'network')!;
    await ask(pool, CALL);
    nodes.set(B, 'http').well(A);
    await expect(ask(pool, CALL)).resolves.toEqual({ result: A });
    const text = await registry.metrics();
    expect(text).toContain('rpc_failovers_total{network="sepolia"} 1');
    expect(text).toContain('method_class="read",outcome="http"');
  });
});
