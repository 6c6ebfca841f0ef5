import { outboundHttp } from '../../../test/support/outbound';
import { until } from '../../../test/support/private-servers';
import { rawResponse, RawServer } from '../../../test/support/raw-server';
import type { OutboundHttp } from '../../outbound/outbound-http';
import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { noop } from '../evm/sending/attempt-form';
import { EvmTransactionChain } from '../evm/sending/evm-transaction-chain';
import { AbandonedCallError, RpcUnavailableError } from './endpoint-error';
import { RpcEndpoint } from './rpc-endpoint';
import { RpcPool } from './rpc-pool';
import { httpTransport } from './rpc-transport';

interface Sent {
  id: number;
  method: string;
}

describe('Calls forwarded for clients', () => {
  let http: OutboundHttp;
  let node: RawServer;
  let pool: RpcPool;

  /** A node that responds neither to eth_getLogs nor to eth_estimateGas. */
  beforeEach(async () => {
    http = outboundHttp({ allow: '127.0.0.1' });
    node = await RawServer.start((socket, request) => {
      const { id, method } = JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as Sent;
      if (method !== 'eth_getLogs' && method !== 'eth_estimateGas')
        socket.write(rawResponse(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' })));
    });
    const endpoint = new RpcEndpoint(node.url, evmChain(1n), httpTransport(http), () => performance.now());
    pool = new RpcPool([{ endpoint, weight: 1 }]);
    await pool.verify(0);
  });

  afterEach(() => node.close());

  it('do not delay calls of the service, however many and slow they are', async () => {
    const slow = Array.from({ length: 1024 }, (_, i) =>
      pool.forward({ method: 'eth_getLogs', params: [i] }, 1000).catch(() => undefined),
    );
    const balance = pool.read(evmCall('eth_getBalance', ['0x01', 'latest']), () => 'read');
    const late = new Promise((resolve) => setTimeout(resolve, 3000, 'late').unref());
    expect(await Promise.race([balance, late])).toBe('read');
    await http.onApplicationShutdown();
    await Promise.all(slow);
  });

  it('are aborted once nobody waits for them, and then share nothing with equal later calls', async () => {
    const call = { method: 'eth_getLogs', params: ['x'.repeat(10_000)] };
    const forwarded = () =>
      node.requests.filter((request) => request.includes('"method":"eth_getLogs"')).length;
    const first = new AbortController();
    const abandoned = pool.forward(call, 1000, first.signal);
    await until('the call', () => forwarded() === 1);
    first.abort();
    const second = new AbortController();
    const later = pool.forward(call, 1000, second.signal);
    await expect(abandoned).rejects.toThrow(AbandonedCallError);
    await until('the later call', () => forwarded() === 2);
    const joined = pool.forward(call, 1000);
    second.abort();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(forwarded()).toBe(2);
    expect(pool.members[0]?.endpoint.state).toBe('ready');
    await http.onApplicationShutdown();
    await expect(later).rejects.toThrow(RpcUnavailableError);
    await expect(joined).rejects.toThrow(RpcUnavailableError);
  });

  it('do not delay calls of the service if they are simulations of requests', async () => {
    const network = { chainId: '1', requiredConfirmations: 1, averageBlocktimeMs: null, fees: null };
    const chain = new EvmTransactionChain(
      { public: pool, private: undefined },
      { ...network, features: [], tags: [], privateFallbackBlocks: null },
    );
    const request = { ...noop('0x0000000000000000000000000000000000000001'), data: '0x01' };
    const slow = Array.from({ length: 1200 }, () => chain.complete(request.to!, { ...request }));
    await new Promise((resolve) => setTimeout(resolve, 1700));
    const balance = pool.read(evmCall('eth_getBalance', ['0x01', 'latest']), () => 'read');
    const late = new Promise((resolve) => setTimeout(resolve, 1000, 'late').unref());
    expect(await Promise.race([balance, late])).toBe('read');
    await http.onApplicationShutdown();
    // They are simulated later, because no node responds.
    for (const completed of await Promise.all(slow)) expect(completed).toEqual(request);
  });
});
