import { Registry } from 'prom-client';
import { ask, EMPTY_JOURNAL, FakeNodes } from '../../test/support/fake-nodes';
import { NetworkEntity } from './network.entity';
import { RpcMetrics } from './rpc.metrics';
import { RpcPools } from './rpc-pools';

const A = 'https://a.example/v2/k3y';
const B = 'https://b.example';
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

  it.each([
    ['no URL', network(), []],
    ['nothing but weights of 0', network(), of({ [A]: 0, [B]: 0 })],
    ['a chain that is not known', network({ chainId: null }), of({ [A]: 1 })],
    ['a network of Solana', network({ networkType: 'solana', chainId: null }), of({ [A]: 1 })],
    ['a network of Stellar', network({ networkType: 'stellar', chainId: null }), of({ [A]: 1 })],
  ])('have none for %s', (_what, entity, urls) => {
    expect(pools.poolOf(entity, urls, 'network')).toBeUndefined();
    expect(pools.poolOf(entity, urls, 'relayer')).toBeUndefined();
    expect(pools.poolOf(entity, urls, 'private')).toBeUndefined();
  });

  it('are the same for the same endpoints, and others for other endpoints, weights or chains', () => {
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

  it('know once how an endpoint is doing, for its network and for relayers', async () => {
    const shared = pools.poolOf(network(), of({ [A]: 1 }), 'network')!;
    const own = pools.poolOf(network(), of({ [A]: 50, [B]: 50 }), 'relayer')!;
    nodes.set(A, 'timeout');
    await expect(ask(shared, CALL)).rejects.toMatchObject({ failure: 'timeout' });
    nodes.calls.length = 0;
    for (let i = 0; i < 20; i += 1) expect(await ask(own, CALL)).toEqual({ result: B });
    expect(nodes.calls.filter((call) => call.startsWith(A))).toEqual([]);
    expect(own.members[0]!.endpoint).toBe(shared.members[0]!.endpoint);
  });

  it('keep what is known of an endpoint when the list around it changes', async () => {
    await ask(pools.poolOf(network(), of({ [A]: 1 }), 'network')!, CALL);
    const next = pools.poolOf(network(), of({ [A]: 2, [B]: 1 }), 'network')!;
    expect(next.members.map(({ endpoint }) => endpoint.state)).toEqual(['ready', 'unverified']);
  });

  it('take an endpoint of a network for another one when the chain of the network changes', async () => {
    await ask(pools.poolOf(network(), of({ [A]: 1 }), 'network')!, CALL);
    const moved = pools.poolOf(network({ chainId: '2' }), of({ [A]: 1 }), 'network')!;
    await expect(ask(moved, CALL)).rejects.toMatchObject({ failure: 'wrong_chain' });
  });

  it('are bounded: 4096 pools and 8192 endpoints, and those not asked for longest go', () => {
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

  it('show the endpoints of networks, not those of relayers, until there are none', async () => {
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

  it('go on showing a network when there is none for one of its name and another type', async () => {
    pools.poolOf(network(), of({ [A]: 1 }), 'network');
    const solana = { id: 'solana:sepolia', networkType: 'solana', chainId: null } as const;
    pools.poolOf(network(solana), of({ [B]: 1 }), 'network');
    expect(await shown()).toHaveLength(1);
  });

  it('show a network for an hour after it was used last, since another instance may have deleted it', async () => {
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
