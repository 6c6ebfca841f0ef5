import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bearer, createApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { CHAIN_ID } from '../support/chain-fixture';
import { describeService } from '../support/describe-service';
import { apiKey } from '../support/keys';
import { until } from '../support/private-servers';
import { RawClient, type RawResponse } from '../support/raw-client';

const ROOT = apiKey('request-shares');
const LIST = 'GET /api/v1/relayers';

const OPTIONS = {
  settings: { API_KEY: ROOT, HTTP_MAX_CONNECTIONS: '20' },
  startFor: 'test' as const,
  onlySqlite: true,
};

describeService('Requests in progress of one API key', OPTIONS, ({ service }) => {
  let node: Server;
  let calls: number;
  let key: string;
  let otherKey: string;
  let clients: RawClient[];

  beforeEach(async () => {
    [calls, clients] = [0, []];
    node = createServer((request, response) => {
      request.on('data', (data: Buffer) => {
        const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
        if (method === 'eth_chainId')
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${CHAIN_ID.toString(16)}` }));
        // It never responds to any other call.
        else calls += 1;
      });
    });
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    const rpc_urls = [`http://127.0.0.1:${(node.address() as AddressInfo).port}`];
    const network = { name: 'hanging', network_type: 'evm', chain_id: CHAIN_ID, rpc_urls };
    expect((await service.post('/api/v1/networks', network)).status).toBe(201);
    await addRelayer(service, { id: 'slow', network: 'hanging' });
    const grant = { scopes: ['rpc', 'relayers:read'], relayers: ['slow'] };
    key = (await createApiKey(service, grant)).key;
    otherKey = (await createApiKey(service, grant)).key;
  });

  afterEach(async () => {
    for (const client of clients) client.destroy();
    node.closeAllConnections();
    node.close();
    await once(node, 'close');
  });

  const open = async (): Promise<RawClient> => {
    const client = await RawClient.open(service.url);
    clients.push(client);
    return client;
  };

  /** Sends a call to which the node does not respond, and waits until the node has it. */
  const hang = async (token: string): Promise<RawClient> => {
    const client = await open();
    const before = calls;
    // Equal reads would share one call.
    const body = JSON.stringify({
      id: 1,
      method: 'eth_getBalance',
      params: [`0x${clients.length}`, 'latest'],
    });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    client.request('POST /api/v1/relayers/slow/rpc', { ...bearer(token), ...headers }, body);
    await until('the call', () => calls > before || client.responses.length > 0);
    return client;
  };

  const list = async (token: string): Promise<RawResponse> => {
    const client = await open();
    client.request(LIST, bearer(token));
    return client.response();
  };

  it('leave half of the connections to others, however long they take', async () => {
    for (let i = 0; i < 10; i += 1) expect((await hang(key)).responses).toEqual([]);
    const refused = await list(key);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(JSON.parse(refused.body)).toEqual({
      success: false,
      data: null,
      error: 'too many requests of this API key are in progress; see Retry-After',
      message: 'Too Many Requests',
    });
    expect((await list(otherKey)).status).toBe(200);
    for (let i = 0; i < 5; i += 1) expect((await hang(otherKey)).responses).toEqual([]);
    expect((await list(otherKey)).status).toBe(429);
    expect((await list(ROOT)).status).toBe(200);
  });

  it('no longer count once their clients have disconnected', async () => {
    for (let i = 0; i < 10; i += 1) await hang(key);
    expect((await list(key)).status).toBe(429);
    clients[0]!.destroy();
    await until('room', async () => (await list(key)).status === 200);
    expect((await list(key)).status).toBe(200);
  });

  it('count one at a time if they are pipelined', async () => {
    const client = await open();
    for (let i = 0; i < 30; i += 1) client.request(LIST, bearer(key));
    await client.response(30);
    expect(new Set(client.responses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('do not limit the root key', async () => {
    for (let i = 0; i < 15; i += 1) expect((await hang(ROOT)).responses).toEqual([]);
    expect((await list(ROOT)).status).toBe(200);
    expect((await list(key)).status).toBe(200);
  });
});

describeService('Slow calls to a node', { ...OPTIONS, settings: { API_KEY: ROOT } }, ({ service }) => {
  let node: Server;
  let hangs: boolean;
  let waiting: number;

  beforeEach(async () => {
    [hangs, waiting] = [true, 0];
    node = createServer((request, response) => {
      request.on('data', (data: Buffer) => {
        const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
        if (hangs && method === 'eth_getBalance') {
          waiting += 1;
          return;
        }
        const result = `0x${CHAIN_ID.toString(16)}`;
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    node.listen(0, '127.0.0.1');
    await once(node, 'listening');
    const rpc_urls = [`http://127.0.0.1:${(node.address() as AddressInfo).port}`];
    const network = { name: 'slow', network_type: 'evm', chain_id: CHAIN_ID, rpc_urls };
    expect((await service.post('/api/v1/networks', network)).status).toBe(201);
    for (const id of ['one', 'other']) await addRelayer(service, { id, network: 'slow' });
  });

  afterEach(async () => {
    node.closeAllConnections();
    node.close();
    await once(node, 'close');
  });

  const rpcOf = async (relayer: string) => {
    const { key } = await createApiKey(service, { scopes: ['rpc'], relayers: [relayer] });
    return (body: unknown) =>
      service.call({
        method: 'POST',
        path: `/api/v1/relayers/${relayer}/rpc`,
        body,
        headers: bearer(key),
      });
  };

  it('of one API key do not delay those of another', async () => {
    const [slow, quick] = [await rpcOf('one'), await rpcOf('other')];
    const batch = (from: number) =>
      Array.from({ length: 10 }, (_, i) => ({
        id: i,
        method: 'eth_getBalance',
        params: [`0x${from + i}`, 'latest'],
      }));
    const calls = Array.from({ length: 30 }, (_, i) => slow(batch(100 + 10 * i)));
    await until('calls at the node', () => waiting >= 64);
    expect(await quick({ id: 1, method: 'eth_blockNumber', params: [] })).toMatchObject({
      status: 200,
      body: { id: 1, result: expect.any(String) },
    });
    expect(waiting).toBe(64);
    hangs = false;
    node.closeAllConnections();
    await Promise.all(calls);
  });
});
