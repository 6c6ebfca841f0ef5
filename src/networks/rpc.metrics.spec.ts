import { evmChain } from '../chains/evm/evm-chain';
import { Registry } from 'prom-client';
import { asReceived, FakeNodes, valuesOf } from '../../test/support/fake-nodes';
import { NetworkEntity } from './network.entity';
import { ENDPOINT_FAILURES, EndpointError } from '../chains/rpc/endpoint-error';
import type { JsonRpcResponse } from '../chains/rpc/json-rpc';
import { RpcEndpoint } from '../chains/rpc/rpc-endpoint';
import { RpcMetrics } from './rpc.metrics';
import { RpcPool } from '../chains/rpc/rpc-pool';

describe('RpcMetrics', () => {
  let registry: Registry;
  let metrics: RpcMetrics;

  beforeEach(() => {
    registry = new Registry();
    metrics = new RpcMetrics(registry);
  });

  const lines = async (start: string): Promise<string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(start));

  const countOf = (methodClass: string, outcome: string): string =>
    `rpc_call_duration_seconds_count{network="sepolia",method_class="${methodClass}",outcome="${outcome}"} 1`;

  it('counts responses and errors of nodes by class of method, never by method name', async () => {
    const observe = (method: string, response: JsonRpcResponse) =>
      metrics.observe('sepolia', method, () => Promise.resolve(asReceived(response)));
    expect(valuesOf(await observe('eth_call', { result: 1 }))).toEqual({ result: 1 });
    await observe('eth_sendRawTransaction', { error: { code: 3, message: 'reverted' } });
    await observe('made_up_by_a_caller', { result: 1 });
    expect(await lines('rpc_call_duration_seconds_count')).toEqual([
      countOf('call', 'ok'),
      countOf('send', 'node_error'),
      countOf('other', 'ok'),
    ]);
    expect(await registry.metrics()).not.toContain('made_up');
  });

  it('counts a batch once, for its first call', async () => {
    const calls = [{ method: 'eth_getLogs' }, { method: 'eth_call' }];
    const batch = { contents: [], release: () => undefined };
    expect(await metrics.observeBatch('sepolia', calls, () => Promise.resolve(batch))).toBe(batch);
    await metrics.observeBatch('sepolia', calls, () => Promise.resolve(undefined));
    expect(await lines('rpc_call_duration_seconds_count')).toEqual([
      countOf('logs', 'ok'),
      countOf('logs', 'node_error'),
    ]);
  });

  it.each(ENDPOINT_FAILURES)('counts %s and rethrows it', async (failure) => {
    const error = new EndpointError(failure, 'fails');
    await expect(metrics.observe('sepolia', 'eth_getLogs', () => Promise.reject(error))).rejects.toBe(error);
    expect(await lines('rpc_call_duration_seconds_count')).toEqual([countOf('logs', failure)]);
  });

  it('counts fail-overs by network', async () => {
    metrics.countFailOver('sepolia');
    metrics.countFailOver('sepolia');
    metrics.countFailOver('base');
    expect(await lines('rpc_failovers_total')).toEqual([
      'rpc_failovers_total{network="sepolia"} 2',
      'rpc_failovers_total{network="base"} 1',
    ]);
  });

  it('exposes the state of each endpoint by position, as of the scrape', async () => {
    const nodes = new FakeNodes().well('https://a.example/k3y').set('https://b.example', 'dns');
    const members = ['https://a.example/k3y', 'https://b.example'].map((url) => ({
      endpoint: new RpcEndpoint(url, evmChain(1n), nodes.transport, () => 0),
      weight: 1,
    }));
    const pool = new RpcPool(members);
    metrics.show(Object.assign(new NetworkEntity(), { id: 'evm:sepolia', name: 'sepolia' }), pool);
    const line = (position: number, state: string) =>
      `rpc_endpoints{network="sepolia",position="${position}",state="${state}"} 1`;
    expect(await lines('rpc_endpoints')).toEqual([line(1, 'unverified'), line(2, 'unverified')]);
    await pool.verify(0);
    expect(await lines('rpc_endpoints')).toEqual([line(1, 'ready'), line(2, 'resting')]);
    expect(await registry.metrics()).not.toMatch(/k3y|example/);
    metrics.forget('evm:sepolia');
    expect(await lines('rpc_endpoints')).toEqual([]);
  });
});
