import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { outboundHttp } from '../../../test/support/outbound';
import type { OutboundHttp } from '../../outbound/outbound-http';
import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import { readAgreedNonce } from '../evm/sending/agreement';
import { RpcUnavailableError } from './endpoint-error';
import type { JsonRpcCall } from './json-rpc';
import { RpcEndpoint } from './rpc-endpoint';
import { RpcPool } from './rpc-pool';
import { httpTransport } from './rpc-transport';

const ALICE = '0x00000000000000000000000000000000000000A1';
const TIMEOUT_MS = 300;
const MAX_BYTES = 10_000;
const [NONCE, LIE] = [5, 99];
const EXPENSIVE: JsonRpcCall = { method: 'eth_getLogs', params: [{ fromBlock: '0x0' }] };

/** What an honest node does with an expensive call. */
type Way = (response: ServerResponse, id: number) => void;

const json = (response: ServerResponse, content: object): unknown =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', ...content }));
const page =
  (status: number): Way =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<html>${status}</html>`);

describe('A client whose calls fail at honest endpoints', () => {
  let http: OutboundHttp;
  let servers: Server[];

  beforeEach(() => {
    http = outboundHttp({ allow: '127.0.0.1' });
    servers = [];
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => once(server.close(), 'close')));
  });

  /** A node that reports a nonce. */
  async function node(nonce: number, expensive?: Way, isUp = () => true): Promise<RpcEndpoint> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as { id: number; method: string };
        const result = method === 'eth_chainId' ? '0x1' : `0x${nonce.toString(16)}`;
        if (!isUp()) request.socket.destroy();
        else if (method === EXPENSIVE.method && expensive) expensive(response, id);
        else json(response, { id, result });
      });
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = httpTransport(http, { timeoutMs: TIMEOUT_MS });
    return new RpcEndpoint(url, evmChain(1n), transport, () => performance.now());
  }

  async function poolOf(endpoints: RpcEndpoint[]): Promise<RpcPool> {
    // Those that come first are called first.
    const pool = new RpcPool(
      endpoints.map((endpoint) => ({ endpoint, weight: 1 })),
      {},
      () => 0,
    );
    await Promise.all(endpoints.map((endpoint) => endpoint.verify()));
    return pool;
  }

  it.each<[string, Way]>([
    ['time out', () => undefined],
    ['get a page with 413', page(413)],
    ['get a page with 403', page(403)],
    ['get a page with 504', page(504)],
    ['get a page with 200', page(200)],
    ['close the connection', (response) => response.socket?.destroy()],
    ['have results that are too large', (response, id) => json(response, { id, result: 'x'.repeat(20_000) })],
    [
      'get an internal error',
      (response, id) => json(response, { id, error: { code: -32603, message: 'Internal error' } }),
    ],
  ])('does not let another endpoint decide alone if they %s', async (_what, way) => {
    const honest = [await node(NONCE, way), await node(NONCE, way)];
    const pool = await poolOf([...honest, await node(LIE)]);
    for (let i = 0; i < 3; i += 1) {
      await pool.forward({ ...EXPENSIVE, params: [i] }, MAX_BYTES);
      expect(await readAgreedNonce(pool, ALICE)).toBe(NONCE);
    }
    await sleep(50);
    expect(honest.map(({ state }) => state)).toEqual(['ready', 'ready']);
  });

  it('makes other forwarded calls prefer other endpoints, but no calls of the service', async () => {
    const calls: string[] = [];
    const refusing: Way = (response, id) => {
      calls.push('forwarded');
      page(504)(response, id);
    };
    const endpoints = [await node(NONCE, refusing), await node(LIE)];
    const pool = await poolOf(endpoints);
    for (let i = 0; i < 5; i += 1) await pool.forward({ ...EXPENSIVE, params: [i] }, MAX_BYTES);
    expect(calls).toHaveLength(1);
    const balance = evmCall('eth_getBalance', [ALICE, 'latest']);
    for (const each of [pool, pool.forClients])
      expect(await each.read(balance, (response) => response)).toEqual({ result: `0x${NONCE}` });
  });

  it('takes them out of service if they are down', async () => {
    let isUp = true;
    const honest = [await node(NONCE, undefined, () => isUp), await node(NONCE, undefined, () => isUp)];
    const pool = await poolOf([...honest, await node(LIE)]);
    isUp = false;
    await pool.forward(EXPENSIVE, MAX_BYTES);
    await sleep(50);
    expect(honest.map(({ state }) => state)).toEqual(['resting', 'resting']);
    await expect(readAgreedNonce(pool, ALICE)).rejects.toBeInstanceOf(RpcUnavailableError);
    // Long before their rest ends.
    isUp = true;
    await sleep(2100);
    expect(await readAgreedNonce(pool, ALICE)).toBe(NONCE);
  });
});
