import { bearer, createApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { CHAIN_ID } from '../support/chain-fixture';
import { describeService } from '../support/describe-service';
import { apiKey } from '../support/keys';
import { until } from '../support/private-servers';
import { RawClient } from '../support/raw-client';
import { rawResponse, RawServer } from '../support/raw-server';

const MEBIBYTE = 1024 * 1024;
const KEY = apiKey('rpc memory');

interface Sent {
  id: number;
  method: string;
  params: unknown[];
}

const OPTIONS = { settings: { API_KEY: KEY }, http: { maxBodyBytes: 3 * MEBIBYTE }, onlySqlite: true };

describeService('The memory of JSON-RPC through a relayer', OPTIONS, ({ service }) => {
  let node: RawServer;
  let path: string;
  let name = 0;
  /** Answers the calls that the node has left unanswered so far. */
  let unanswered: (() => void)[];

  beforeEach(async () => {
    unanswered = [];
    node = await RawServer.start((socket, request) => {
      const { id, method, params } = JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as Sent;
      const answer = (result: string): void => {
        socket.write(rawResponse(JSON.stringify({ jsonrpc: '2.0', id, result })));
      };
      if (method === 'eth_chainId') answer(`0x${CHAIN_ID.toString(16)}`);
      else if (method === 'eth_getCode') answer('x'.repeat(Number(params[0])));
      else
        unanswered.push(() => {
          answer('0x1');
        });
    });
    const network = `net-${(name += 1)}`;
    const rpc_methods = ['read', 'eth_newFilter'];
    const body = {
      name: network,
      network_type: 'evm',
      chain_id: CHAIN_ID,
      rpc_urls: [node.url],
      rpc_methods,
    };
    expect((await service.post('/api/v1/networks', body)).status).toBe(201);
    const relayer = await addRelayer(service, { network });
    path = `/api/v1/relayers/${relayer.id}/rpc`;
  });

  afterEach(() => node.close());

  const call = async (method: string, params: unknown[], key = KEY): Promise<RawClient> => {
    const client = await RawClient.open(service.url);
    const body = JSON.stringify({ method, params });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    client.request(`POST ${path}`, { ...bearer(key), ...headers }, body);
    return client;
  };

  const large = (method: string, first: number): Promise<RawClient> =>
    call(method, [first, 'x'.repeat(MEBIBYTE - 100)]);

  const heldBytes = async (): Promise<number> => {
    const { text } = await service.get('/metrics/http_request_bodies_bytes');
    return Number(/^http_request_bodies_bytes (\d+)$/m.exec(text)?.[1]);
  };

  const sent = (method: string): number =>
    node.requests.filter((request) => request.includes(`"method":"${method}"`)).length;

  it('aborts reads whose clients have disconnected, and releases their bodies', async () => {
    for (let i = 0; i < 6; i += 1) {
      const client = await large('eth_call', i);
      await until('the call', () => sent('eth_call') === i + 1);
      client.destroy();
      await until('the end of the call', () => node.sockets.at(-1)?.destroyed === true);
    }
    await until('the end of the bodies', async () => (await heldBytes()) === 0);
    const { body } = await service.post(path, { method: 'eth_getCode', params: [4] });
    // The endpoint does not rest for that reason.
    expect(body).toMatchObject({ result: 'xxxx' });
    expect(sent('eth_chainId')).toBeLessThan(6);
  });

  it('does not abort a read for which another client still waits', async () => {
    const first = await large('eth_call', 1);
    await until('the call', () => sent('eth_call') === 1);
    const second = await large('eth_call', 1);
    await until('the second body', async () => (await heldBytes()) > 2 * MEBIBYTE - 1000);
    first.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    unanswered[0]?.();
    expect((await second.response()).body).toContain('"result":"0x1"');
    expect(sent('eth_call')).toBe(1);
    second.destroy();
  });

  it('counts the bodies of other calls until the node has responded', async () => {
    for (let i = 0; i < 3; i += 1) {
      const client = await large('eth_newFilter', i);
      await until('the call', () => sent('eth_newFilter') === i + 1);
      client.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await heldBytes()).toBeGreaterThan(2.9 * MEBIBYTE);
    const refused = await large('eth_newFilter', 3);
    expect((await refused.response()).status).toBe(503);
    for (const answer of unanswered) answer();
    await until('the end of the bodies', async () => (await heldBytes()) === 0);
    const accepted = await large('eth_newFilter', 4);
    await until('the call', () => sent('eth_newFilter') === 4);
    unanswered.at(-1)?.();
    expect((await accepted.response()).status).toBe(200);
    accepted.destroy();
  });

  it('forwards large responses while another client does not read its own', async () => {
    const { key } = await createApiKey(service, { scopes: ['rpc'] });
    const slow: RawClient[] = [];
    for (const bytes of [8_380_000, 4_180_000]) {
      const client = await call('eth_getCode', [bytes]);
      slow.push(client);
      client.pause();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    for (const bytes of [100_000, 8_380_000]) {
      const client = await call('eth_getCode', [bytes], key);
      expect((await client.response()).body.length).toBeGreaterThan(bytes);
      client.destroy();
    }
    for (const client of slow) {
      client.resume();
      expect((await client.response()).body.length).toBeGreaterThan(4_180_000);
      client.destroy();
    }
  });

  it('limits the small responses that batches hold until their last call ends', async () => {
    const responses = Array.from({ length: 3 }, async (_, i) => {
      const small = Array.from({ length: 99 }, (__, id) => ({
        id,
        method: 'eth_getCode',
        params: [60_000, i, id],
      }));
      const { body } = await service.post(path, [...small, { method: 'eth_newFilter', params: [i] }]);
      return body as { result?: string; error?: { code: number } }[];
    });
    await until('the last calls', () => unanswered.length === 3);
    for (const answer of unanswered) answer();
    const all = (await Promise.all(responses)).flat();
    const held = all.filter(({ result }) => result !== undefined && result.length > 4096);
    // 16 MiB have room for 279 of them, and for a few more once the first batch has ended.
    expect(held.length).toBeGreaterThanOrEqual(279);
    expect(held.length).toBeLessThan(297);
    expect(all.filter(({ error }) => error?.code === -33001)).toHaveLength(297 - held.length);
    expect(all.filter(({ result }) => result === '0x1')).toHaveLength(3);
    const { body } = await service.post(path, [{ method: 'eth_getCode', params: [60_000] }]);
    expect((body as { result: string }[])[0]?.result).toHaveLength(60_000);
  });
});
