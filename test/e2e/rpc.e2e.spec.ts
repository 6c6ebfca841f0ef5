import { DataSource } from 'typeorm';
import { CHAIN_ID, ChainFixture } from '../support/chain-fixture';
import { describeService } from '../support/describe-service';
import { JsonRpcNode } from '../support/json-rpc-node';

const RAW = '0x02f86c';
const NOT_ALLOWED = (method: string) => ({ code: -32004, message: `Method not allowed: ${method}` });

describeService('JSON-RPC through a relayer', ({ service }) => {
  let node: JsonRpcNode;
  let chain: ChainFixture;

  beforeAll(() => {
    chain = new ChainFixture(service, () => node);
  });

  beforeEach(async () => {
    node = await JsonRpcNode.start(CHAIN_ID);
    node.respondTo('eth_blockNumber', { result: '0x10d4f' });
  });

  afterEach(() => node.close());

  const rpc = async (path: string, body: unknown) => {
    const response = await service.post(`${path}/rpc`, body);
    return [response.status, response.body] as const;
  };

  it.each([
    [{}, 1],
    [{ id: 7 }, 7],
    [{ id: 0 }, 0],
    [{ id: -3 }, -3],
    [{ id: 'seven' }, 'seven'],
    [{ id: '' }, ''],
    [{ id: null }, null],
    [{ id: 5, jsonrpc: '2.0', params: [] }, 5],
  ])('responds to a call with %j with the id %j', async (more, id) => {
    const { path } = await chain.makeRelayer();
    expect(await rpc(path, { method: 'eth_blockNumber', ...more })).toEqual([
      200,
      { jsonrpc: '2.0', id, result: '0x10d4f' },
    ]);
  });

  it('sends no further calls of a batch once the relayer is paused', async () => {
    const { path } = await chain.makeRelayer();
    let paused: Promise<unknown> | undefined;
    node.respondTo('eth_blockNumber', () => {
      paused ??= service.patch(path, { paused: true });
      return { result: '0x1' };
    });
    const batch = Array.from({ length: 100 }, (_, id) => ({ id, method: 'eth_blockNumber', params: [id] }));
    const [status, body] = await rpc(path, batch);
    await paused;
    const responses = body as unknown as { id: number; result?: string; error?: { message: string } }[];
    expect([status, responses.map(({ id }) => id)]).toEqual([200, batch.map(({ id }) => id)]);
    expect(responses[0]).toMatchObject({ result: '0x1' });
    expect(responses.at(-1)).toMatchObject({ error: { code: -32002, message: 'Relayer paused' } });
    expect(node.received.length).toBeLessThan(100);
  });

  it('forwards parameters unchanged, and returns results of any type', async () => {
    const block = {
      number: '0x1',
      uncles: [],
      withdrawals: null,
      size: 12,
      extra: { é: '\u2028', a: false },
    };
    node.respondTo('eth_getBlockByNumber', { result: block }).respondTo('eth_call', { result: null });
    const { path } = await chain.makeRelayer();
    const params = ['0x1', false];
    expect(await rpc(path, { method: 'eth_getBlockByNumber', params })).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, result: block },
    ]);
    expect(await rpc(path, { method: 'eth_call', params: { to: '0x1' } })).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, result: null },
    ]);
    await rpc(path, { method: 'eth_gasPrice', params: null });
    expect(node.received).toEqual([
      { method: 'eth_getBlockByNumber', params },
      { method: 'eth_call', params: { to: '0x1' } },
      { method: 'eth_gasPrice', params: [] },
    ]);
  });

  it('responds to each call of a batch separately, in order', async () => {
    node.respondTo('web3_sha3', ({ params }) => ({ result: params }));
    const { path } = await chain.makeRelayer();
    const calls = Array.from({ length: 91 }, (_, i) => ({ method: 'web3_sha3', params: [i], id: i }));
    const [status, body] = await rpc(path, [
      { method: 'eth_blockNumber' },
      { method: 'eth_blockNumber', id: 'x' },
      { method: 'eth_blockNumber', id: null },
      { method: 'eth_sign', id: 4 },
      5,
      null,
      [],
      { id: 'no method' },
      { id: {}, method: 'eth_blockNumber' },
      ...calls,
    ]);
    const invalid = (id: unknown, message: string) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32600, message },
    });
    const noObject = invalid(null, 'a call must be a JSON object');
    expect(status).toBe(200);
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0x10d4f' },
      { jsonrpc: '2.0', id: 'x', result: '0x10d4f' },
      { jsonrpc: '2.0', id: null, result: '0x10d4f' },
      { jsonrpc: '2.0', id: 4, error: NOT_ALLOWED('eth_sign') },
      noObject,
      noObject,
      noObject,
      invalid('no method', "Missing 'method' field"),
      invalid(null, "Invalid 'id' field: must be a string, integer, or null"),
      ...calls.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params })),
    ]);
  });

  it.each([
    ['an empty batch', [], 'a batch must have 1 to 100 calls'],
    [
      'a batch of 101 calls',
      Array(101).fill({ method: 'eth_blockNumber' }),
      'a batch must have 1 to 100 calls',
    ],
    ['a number', 5, 'a call must be a JSON object'],
    ['null', 'null', 'a call must be a JSON object'],
    ['no method', { id: 1 }, "Missing 'method' field"],
    ['a method that is not a string', { method: 5 }, "Missing 'method' field"],
    [
      'a method of 65 characters',
      { method: 'x'.repeat(65) },
      "Invalid 'method' field: must have at most 64 characters",
    ],
    [
      'an invalid id',
      { id: true, method: 'eth_blockNumber' },
      "Invalid 'id' field: must be a string, integer, or null",
    ],
    [
      'a fraction as the id',
      { id: 1.5, method: 'eth_blockNumber' },
      "Invalid 'id' field: must be a string, integer, or null",
    ],
    ['no JSON', '{"method":', 'the request body is not valid JSON'],
    [
      'nesting too deep for nodes',
      `{"method":"eth_call","params":${'['.repeat(100)}${']'.repeat(100)}}`,
      'the request body nests deeper than 64 levels',
    ],
  ])('refuses %s', async (_what, body, error) => {
    const { path } = await chain.makeRelayer();
    expect(await rpc(path, body)).toEqual([
      400,
      { success: false, data: null, error, message: 'Bad Request' },
    ]);
    expect(node.calls).toEqual([]);
  });

  it('forwards read methods by default, and other methods if the network allows them', async () => {
    node
      .respondTo('eth_sendRawTransaction', { result: '0xabc' })
      .respondTo('debug_traceCall', { result: {} });
    const network = await chain.makeNetwork();
    const { path } = await chain.makeRelayer(network);
    const send = { id: 's', method: 'eth_sendRawTransaction', params: [RAW] };
    const outcomes = async (...methods: string[]) =>
      (
        await rpc(
          path,
          methods.map((method) => ({ ...send, method })),
        )
      )[1].map((item: object) => 'result' in item);
    const allow = async (rpc_methods: unknown) => {
      const patched = await service.patch(`/api/v1/networks/evm:${network}`, { rpc_methods });
      expect(patched.status).toBe(200);
    };
    expect(await rpc(path, send)).toEqual([
      200,
      { jsonrpc: '2.0', id: 's', error: NOT_ALLOWED('eth_sendRawTransaction') },
    ]);
    const ALL = ['eth_blockNumber', 'eth_sendRawTransaction', 'debug_traceCall'];
    expect(await outcomes(...ALL)).toEqual([true, false, false]);
    expect(node.received.map(({ method }) => method)).toEqual(['eth_blockNumber']);
    await allow(['read', 'eth_sendRawTransaction']);
    expect(await outcomes(...ALL)).toEqual([true, true, false]);
    await allow(['debug_traceCall']);
    expect(await outcomes(...ALL)).toEqual([false, false, true]);
    await allow([]);
    expect(await outcomes(...ALL)).toEqual([false, false, false]);
    await allow(null);
    expect(await outcomes(...ALL)).toEqual([true, false, false]);
  });

  it.each([
    [
      'a revert',
      { code: 3, message: 'execution reverted: no', data: '0x08C379a000000000000000000000000000000001' },
    ],
    ['data of any shape', { code: -32000, message: 'nonce too low', data: { want: [1, null], have: '0x' } }],
    ['null data', { code: -32015, message: 'VM execution error.', data: null }],
    ['an unknown code', { code: 12_345, message: '' }],
    ['an error that other nodes may not return', { code: -32601, message: 'the method does not exist' }],
  ])('returns %s unchanged, whatever the status code of the node', async (_what, error) => {
    const { path } = await chain.makeRelayer();
    for (const status of [200, 400, 500]) {
      node.respondTo('eth_call', { error, status });
      expect(await rpc(path, { method: 'eth_call', id: 9 })).toEqual([200, { jsonrpc: '2.0', id: 9, error }]);
    }
  });

  it.each([
    ['408', { status: 408 }, { code: -33000, message: 'Request timeout' }],
    ['429', { status: 429 }, { code: -33001, message: 'Rate limited' }],
    ['401', { status: 401 }, { code: -33002, message: 'Bad gateway' }],
    ['502', { status: 502 }, { code: -33002, message: 'Bad gateway' }],
    ['no JSON', { text: 'busy' }, { code: -33002, message: 'Bad gateway' }],
    [
      'a rate limit error',
      { error: { code: -32005, message: 'limit exceeded' } },
      { code: -33002, message: 'Bad gateway' },
    ],
  ])('reports that no endpoint responded after %s', async (_what, nodeResponse, error) => {
    node.respondTo('eth_gasPrice', nodeResponse);
    const { path } = await chain.makeRelayer();
    expect(await rpc(path, { method: 'eth_gasPrice', id: 2 })).toEqual([
      200,
      { jsonrpc: '2.0', id: 2, error },
    ]);
    node.respondTo('eth_chainId', nodeResponse);
    const batch = [{ method: 'eth_gasPrice' }, { method: 'eth_gasPrice', id: 'b' }];
    expect(await rpc(path, batch)).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 1, error },
        { jsonrpc: '2.0', id: 'b', error },
      ],
    ]);
  });

  it('limits the responses of a batch to 8 MiB, and fails only the calls beyond that', async () => {
    const result = 'x'.repeat(3.5 * 1024 * 1024);
    node.respondTo('eth_getLogs', { result });
    const { path } = await chain.makeRelayer();
    const large = Array.from({ length: 3 }, (_, i) => ({ method: 'eth_getLogs', params: [i], id: i }));
    const small = Array.from({ length: 20 }, (_, i) => ({ method: 'eth_blockNumber', id: 3 + i }));
    const [status, body] = await rpc(path, [...large, ...small]);
    expect(status).toBe(200);
    const items = body as { id: number; result?: string; error?: unknown }[];
    expect(items.map(({ id }) => id)).toEqual([...large, ...small].map(({ id }) => id));
    const good = items.filter((item) => item.result === result || item.result === '0x10d4f');
    const failed = items.filter((item) => item.error !== undefined);
    expect([good.length, failed.length]).toEqual([22, 1]);
    expect(failed[0]!.error).toEqual({
      code: -32005,
      message: 'The responses of the batch exceed 8388608 bytes: request less at once',
    });
    expect([0, 1, 2]).toContain(failed[0]!.id);
  });

  it.each([
    ['an integer beyond 2^53', '9007199254740993'],
    ['a fraction as written', '1.10e+01'],
    ['an object as written', '{ "b":1,"a" : [ ],"b":2,"\\u0041":"\\u00e9"}'],
    ['a string of 1 MiB', `"${'é'.repeat(524_288)}"`],
    ['100 000 objects', `[${'{},'.repeat(100_000)}{}]`],
  ])('returns %s byte for byte, also in a batch', async (_what, result) => {
    node.respondTo('eth_getLogs', { text: `{"jsonrpc":"2.0","id":$id,"result":${result}}` });
    const { path } = await chain.makeRelayer();
    const call = { method: 'eth_getLogs', id: 'x' };
    const response = `{"jsonrpc":"2.0","id":"x","result":${result}}`;
    const single = await service.post(`${path}/rpc`, call);
    expect([single.status, single.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(single.text === response).toBe(true);
    const batch = await service.post(`${path}/rpc`, [call, call]);
    expect(batch.text === `[${response},${response}]`).toBe(true);
  });

  it('returns an error byte for byte', async () => {
    const error = '{"code":3, "message":"reverted","data":{"gas":9007199254740993},"stack":"at"}';
    node.respondTo('eth_call', { text: `{"jsonrpc":"2.0","id":$id,"error":${error}}` });
    const { path } = await chain.makeRelayer();
    const response = await service.post(`${path}/rpc`, { method: 'eth_call', id: 1 });
    expect(response.text).toBe(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
  });

  it.each([
    ['a second result', '{"jsonrpc":"2.0","id":$id,"result":"0x1","result":"0x2"}'],
    ['something after it', '{"jsonrpc":"2.0","id":$id,"result":"0x1"},'],
    ['an unpaired surrogate', '{"jsonrpc":"2.0","id":$id,"result":"\\ud800"}'],
    ['NaN', '{"jsonrpc":"2.0","id":$id,"result":NaN}'],
    ['9 MiB', `{"jsonrpc":"2.0","id":$id,"result":"${'x'.repeat(9 * 1024 * 1024)}"}`],
  ])('tries the next endpoint after a response with %s', async (_what, text) => {
    const bad = await JsonRpcNode.start(CHAIN_ID);
    bad.respondTo('eth_blockNumber', { text });
    const { path } = await chain.makeRelayer(await chain.makeNetwork([bad.url, node.url]));
    for (let i = 0; i < 20 && bad.received.length === 0; i += 1)
      expect((await rpc(path, { method: 'eth_blockNumber' }))[1].result).toBe('0x10d4f');
    expect(bad.received).toHaveLength(1);
    await bad.close();
  });

  it('sends no further calls of a batch when no endpoint responds', async () => {
    const { path } = await chain.makeRelayer();
    await rpc(path, { method: 'eth_blockNumber' });
    node.calls.length = 0;
    node.respondTo('eth_chainId', { result: '0x1' }).respondTo('web3_sha3', { status: 401 });
    const calls = Array.from({ length: 99 }, (_, i) => ({ method: 'web3_sha3', params: [i], id: i }));
    const error = { code: -33002, message: 'Bad gateway' };
    const refused = { method: 'eth_sign', id: 'not allowed' };
    expect(await rpc(path, [...calls, refused])).toEqual([
      200,
      [
        ...calls.map(({ id }) => ({ jsonrpc: '2.0', id, error })),
        { jsonrpc: '2.0', id: 'not allowed', error: NOT_ALLOWED('eth_sign') },
      ],
    ]);
    // The calls that were in flight together, and for each at most one more that finds another chain id.
    expect(node.calls.length).toBeLessThanOrEqual(16);
  });

  it('treats an excessively nested response as no response', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    node.respondTo('eth_gasPrice', { text: `{"jsonrpc":"2.0","id":$id,"result":${deep}}` });
    const { path } = await chain.makeRelayer();
    expect(await rpc(path, { method: 'eth_gasPrice' })).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, error: { code: -33002, message: 'Bad gateway' } },
    ]);
  });

  it('returns a response that is nested as deeply as a trace', async () => {
    const deep = `${'[{"calls":'.repeat(1240)}[]${'}]'.repeat(1240)}`;
    node.respondTo('eth_simulateV1', { text: `{"jsonrpc":"2.0","id":$id,"result":${deep}}` });
    const { path } = await chain.makeRelayer();
    const response = await service.post(`${path}/rpc`, { method: 'eth_simulateV1' });
    expect([response.status, response.text]).toEqual([200, `{"jsonrpc":"2.0","id":1,"result":${deep}}`]);
  });

  it('calls the custom endpoints of the relayer if it has any', async () => {
    const own = await JsonRpcNode.start(CHAIN_ID);
    own.respondTo('eth_blockNumber', { result: '0x5' });
    const { path } = await chain.makeRelayer();
    await service.patch(path, { custom_rpc_urls: [{ url: own.url }] });
    expect((await rpc(path, { method: 'eth_blockNumber' }))[1].result).toBe('0x5');
    await service.patch(path, { custom_rpc_urls: null });
    expect((await rpc(path, { method: 'eth_blockNumber' }))[1].result).toBe('0x10d4f');
    await own.close();
  });

  it('is refused while the relayer is paused or disabled, and reports paused first', async () => {
    const { id, path } = await chain.makeRelayer();
    const refusal = (message: string, error = message) => [
      403,
      { success: false, data: null, error, message },
    ];
    await service.patch(path, { paused: true });
    await chain.disable(id);
    expect(await rpc(path, { method: 'eth_blockNumber' })).toEqual(refusal('Relayer paused'));
    await service.patch(path, { paused: false });
    expect(await rpc(path, { method: 'eth_blockNumber' })).toEqual(refusal('Relayer disabled'));
    await chain.disable(id, { type: 'BalanceCheckFailed', details: 'Insufficient balance' });
    expect(await rpc(path, { method: 'eth_blockNumber' })).toEqual(
      refusal('Relayer disabled', 'the relayer is disabled by the system: Insufficient balance'),
    );
    expect(node.calls).toEqual([]);
  });

  it('is refused with the reason, even if the relayer is enabled before the response', async () => {
    const { id, path } = await chain.makeRelayer();
    const database = service.app.get(DataSource);
    const query = database.query.bind(database) as (...call: unknown[]) => Promise<unknown>;
    const enable = `UPDATE relayers SET system_disabled = 0, disabled_reason = NULL WHERE id = '${id}'`;
    for (const [route, body] of Object.entries({ rpc: { method: 'eth_blockNumber' }, transactions: {} })) {
      await chain.disable(id, { type: 'BalanceCheckFailed', details: 'Insufficient balance' });
      const spy = jest.spyOn(database, 'query').mockImplementation(async (...call: unknown[]) => {
        const found = await query(...call);
        if (/FROM .relayers./.test(call[0] as string)) await query(enable);
        return found;
      });
      const response = await service.post(`${path}/${route}`, body);
      spy.mockRestore();
      expect([route, response.status, response.body.error]).toEqual([
        ...[route, 403],
        'the relayer is disabled by the system: Insufficient balance',
      ]);
    }
  });
});
