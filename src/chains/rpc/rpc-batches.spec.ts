import { JsonRpcNode } from '../../../test/support/json-rpc-node';
import { outboundHttp } from '../../../test/support/outbound';
import { evmCall } from '../evm/evm-call';
import { evmChain } from '../evm/evm-chain';
import type { JsonRpcResponse } from './json-rpc';
import { RpcEndpoint } from './rpc-endpoint';
import { RpcPool } from './rpc-pool';
import { httpTransport } from './rpc-transport';

const calls = (count: number) =>
  Array.from({ length: count }, (_, i) => evmCall('eth_getBalance', [`0x${i}`, 'latest']));
const resultOf = (response: JsonRpcResponse): unknown =>
  'error' in response ? response.error : response.result;

describe('Batches over HTTP', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let first: JsonRpcNode;
  let second: JsonRpcNode;
  let pool: RpcPool;

  beforeEach(async () => {
    [first, second] = [await JsonRpcNode.start(1), await JsonRpcNode.start(1)];
    for (const node of [first, second])
      node.respondTo('eth_getBalance', ({ params }) => ({ result: `of ${(params as string[])[0]}` }));
    pool = new RpcPool(
      [first, second].map(({ url }) => ({
        endpoint: new RpcEndpoint(url, evmChain(1n), httpTransport(http), () => performance.now()),
        weight: 1,
      })),
      {},
      () => 0,
    );
    await pool.verify(0);
    first.requests = 0;
  });

  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
  });
  afterAll(() => http.onApplicationShutdown());

  it('are sent as one request each', async () => {
    expect(await pool.readAll(calls(150), resultOf)).toEqual(
      Array.from({ length: 150 }, (_, i) => `of 0x${i}`),
    );
    expect(first.requests).toBe(2);
  });

  it.each([
    ['one error', { error: { code: -32600, message: 'Batch requests are not allowed' } }],
    ['400', { status: 400 }],
    ['404', { status: 404 }],
    ['413', { status: 413 }],
    ['415', { status: 415 }],
    ['501', { status: 501 }],
    ['one error with 400', { status: 400, error: { code: -32700, message: 'parse error' } }],
    ['one error with 500', { status: 500, error: { code: 31, message: 'Batch of more than 3 requests' } }],
    ['an HTML page', { text: '<!doctype html>' }],
    ['an empty body', { text: '' }],
    ['null', { text: 'null' }],
  ])('are replaced by single calls from then on after a response of %s', async (_what, response) => {
    first.batches = response;
    for (let i = 0; i < 2; i += 1) expect(await pool.readAll(calls(20), resultOf)).toHaveLength(20);
    expect(first.requests).toBe(1 + 20 + 20);
    expect(pool.members.map(({ endpoint }) => endpoint.state)).toEqual(['ready', 'ready']);
  });

  it.each([
    ['an empty list', '[]'],
    ['a list of other values', '[1,2]'],
    ['errors without an id', '[{"id":null,"error":{"code":1,"message":"m"}}]'],
    ['unknown ids', '[{"id":0,"result":"0x1"},{"id":-1,"result":"0x1"}]'],
    ['half a list', '[{"id":1,"result":"0x1"'],
  ])('are sent to another endpoint after %s', async (_what, text) => {
    first.batches = { text };
    expect(await pool.readAll(calls(2), resultOf)).toEqual(['of 0x0', 'of 0x1']);
    expect(pool.members.map(({ endpoint }) => endpoint.state)).toEqual(['resting', 'ready']);
    expect(second.received).toHaveLength(2);
  });

  it.each([401, 429, 500, 503])('are sent to another endpoint after %d', async (status) => {
    first.batches = { status };
    expect(await pool.readAll(calls(2), resultOf)).toEqual(['of 0x0', 'of 0x1']);
    expect(pool.members.map(({ endpoint }) => endpoint.state)).toEqual(['resting', 'ready']);
  });

  it.each([
    ['one error in a list', { text: '[{"id":null,"error":{"code":-32600,"message":"batch too large"}}]' }],
    ['half of the responses', { text: '[{"id":1,"result":"0x1"}]' }],
    ['a status alone', { status: 500 }],
  ])('are sent one call at a time if the only endpoint responds with %s', async (_what, response) => {
    const only = new RpcPool(pool.members.slice(0, 1));
    first.batches = response;
    for (let i = 0; i < 2; i += 1) expect(await only.readAll(calls(20), resultOf)).toHaveLength(20);
    expect(first.received).toHaveLength(40);
  });

  it('are sent to another endpoint after a response above the sum of the limits of the calls', async () => {
    first.respondTo('eth_getBalance', { result: 'x'.repeat(10_000) });
    expect(await pool.readAll(calls(2), resultOf)).toEqual(['of 0x0', 'of 0x1']);
  });

  it('may have a response larger than a buffer', async () => {
    const blocks = Array.from({ length: 40 }, () => evmCall('eth_getBlockByNumber', ['latest', false]));
    const result = { data: 'x'.repeat(150_000) };
    first.respondTo('eth_getBlockByNumber', { result });
    expect(await pool.readAll(blocks, resultOf)).toEqual(Array(40).fill(result));
    expect(first.requests).toBe(1);
  });

  it('are sent one call at a time if the response exceeds 8 MiB', async () => {
    const blocks = Array.from({ length: 40 }, () => evmCall('eth_getBlockByNumber', ['latest', false]));
    const result = { data: 'x'.repeat(250_000) };
    first.respondTo('eth_getBlockByNumber', { result });
    expect(await pool.readAll(blocks, resultOf)).toHaveLength(40);
    expect(first.requests).toBe(41);
    expect(pool.members.map(({ endpoint }) => endpoint.state)).toEqual(['ready', 'ready']);
  });
});
