import { DataSource } from 'typeorm';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { ScriptedNode } from '../support/scripted-node';

const CHAIN_ID = 424_242;
const RAW = '0x02f86c';
const NOT_ALLOWED = (method: string) => ({ code: -32004, message: `Method not allowed: ${method}` });

describeOnDatabases('Relayers and their chain', (createDatabase) => {
  let database: TestDatabase;
  let service: TestApplication;
  let node: ScriptedNode;
  let made = 0;

  beforeAll(async () => {
    database = await createDatabase();
    service = await TestApplication.start(database);
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  beforeEach(async () => {
    node = await ScriptedNode.start(CHAIN_ID);
    node.say('eth_blockNumber', { result: '0x10d4f' });
  });

  afterEach(() => node.close());

  const makeNetwork = async (rpc_urls: unknown[] = [node.url], more: object = {}): Promise<string> => {
    const name = `net-${(made += 1)}`;
    const body = { name, network_type: 'evm', chain_id: CHAIN_ID, rpc_urls, ...more };
    expect((await service.post('/api/v1/networks', body)).status).toBe(201);
    return name;
  };

  const makeRelayer = async (network?: string): Promise<{ id: string; path: string; network: string }> => {
    const relayer = await addRelayer(service, { network: network ?? (await makeNetwork()) });
    return { ...relayer, path: `/api/v1/relayers/${relayer.id}` };
  };

  const disable = (id: string) =>
    service.app.get(DataSource).query('UPDATE relayers SET system_disabled = 1 WHERE id = ?', [id]);

  describe('status', () => {
    it('shows the account as it is', async () => {
      node
        .say('eth_getBalance', { result: '0xde0b6b3a7640001' })
        .say('eth_getTransactionCount', { result: '0x7' });
      const { path } = await makeRelayer();
      const answer = await service.get(`${path}/status`);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          success: true,
          data: {
            network_type: 'evm',
            balance: '1000000000000000001',
            pending_transactions_count: 0,
            last_confirmed_transaction_timestamp: null,
            system_disabled: false,
            paused: false,
            nonce: '7',
          },
          error: null,
        },
      ]);
    });

    it('answers for relayers that are paused or disabled', async () => {
      node.say('eth_getBalance', { result: '0x0' }).say('eth_getTransactionCount', { result: '0x0' });
      const { id, path } = await makeRelayer();
      await service.patch(path, { paused: true });
      await disable(id);
      const answer = await service.get(`${path}/status`);
      expect(answer.body.data).toMatchObject({
        paused: true,
        system_disabled: true,
        balance: '0',
        nonce: '0',
      });
      expect((await service.get(`${path}/balance`)).body.data).toEqual({ balance: 0, unit: 'wei' });
    });
  });

  it.each([
    ['0x0', '0'],
    ['0x1fffffffffffff', '9007199254740991'],
    ['0x20000000000000', '"9007199254740992"'],
    ['0x20000000000001', '"9007199254740993"'],
    [
      `0x${'f'.repeat(64)}`,
      '"115792089237316195423570985008687907853269984665640564039457584007913129639935"',
    ],
  ])('a balance of %s is %s', async (result, literal) => {
    node.say('eth_getBalance', { result });
    const { path } = await makeRelayer();
    const answer = await service.get(`${path}/balance`);
    expect(answer.text).toBe(`{"success":true,"data":{"balance":${literal},"unit":"wei"},"error":null}`);
  });

  it.each([
    ['10^80', { result: `0x${(10n ** 80n).toString(16)}` }],
    ['a negative number', { result: '-0x1' }],
    ['no number', { result: null }],
    ['HTML', { text: '<html>' }],
    ['an error', { error: { code: -32602, message: 'invalid argument 0' } }],
    ['502', { status: 502 }],
  ])('a balance is not shown when the node answers %s', async (_what, saying) => {
    node.say('eth_getBalance', saying).say('eth_getTransactionCount', { result: '0x0' });
    const { path, network } = await makeRelayer();
    for (const call of ['balance', 'status']) {
      const answer = await service.get(`${path}/${call}`);
      expect([answer.status, answer.body]).toEqual([
        503,
        {
          success: false,
          data: null,
          error: `No RPC endpoint of network ${network} gave an answer`,
          message: 'Service Unavailable',
        },
      ]);
    }
  });

  describe('rpc', () => {
    const rpc = async (path: string, body: unknown) => {
      const answer = await service.post(`${path}/rpc`, body);
      return [answer.status, answer.body] as const;
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
    ])('answers a call with %j under the id %j', async (more, id) => {
      const { path } = await makeRelayer();
      expect(await rpc(path, { method: 'eth_blockNumber', ...more })).toEqual([
        200,
        { jsonrpc: '2.0', id, result: '0x10d4f' },
      ]);
    });

    it('passes parameters on as they are, and a result of any shape back', async () => {
      const block = {
        number: '0x1',
        uncles: [],
        withdrawals: null,
        size: 12,
        extra: { é: '\u2028', a: false },
      };
      node.say('eth_getBlockByNumber', { result: block }).say('eth_call', { result: null });
      const { path } = await makeRelayer();
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
      expect(node.asked).toEqual([
        { method: 'eth_getBlockByNumber', params },
        { method: 'eth_call', params: { to: '0x1' } },
        { method: 'eth_gasPrice', params: [] },
      ]);
    });

    it('answers a batch in its order, each call for itself', async () => {
      node.say('web3_sha3', ({ params }) => ({ result: params }));
      const { path } = await makeRelayer();
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
      ['a batch of 101', Array(101).fill({ method: 'eth_blockNumber' }), 'a batch must have 1 to 100 calls'],
      ['a number', 5, 'a call must be a JSON object'],
      ['null', 'null', 'a call must be a JSON object'],
      ['no method', { id: 1 }, "Missing 'method' field"],
      ['a method that is no text', { method: 5 }, "Missing 'method' field"],
      [
        'an id that is none',
        { id: true, method: 'eth_blockNumber' },
        "Invalid 'id' field: must be a string, integer, or null",
      ],
      [
        'a fraction as id',
        { id: 1.5, method: 'eth_blockNumber' },
        "Invalid 'id' field: must be a string, integer, or null",
      ],
      ['no JSON', '{"method":', 'the request body is not valid JSON'],
      [
        'nesting that no node reads',
        `{"method":"eth_call","params":${'['.repeat(100)}${']'.repeat(100)}}`,
        'the request body nests deeper than 64 levels',
      ],
    ])('refuses %s', async (_what, body, error) => {
      const { path } = await makeRelayer();
      expect(await rpc(path, body)).toEqual([
        400,
        { success: false, data: null, error, message: 'Bad Request' },
      ]);
      expect(node.calls).toEqual([]);
    });

    it('passes on what only reads, and transactions where the network says so', async () => {
      node.say('eth_sendRawTransaction', { result: '0xabc' }).say('debug_traceCall', { result: {} });
      const network = await makeNetwork();
      const { path } = await makeRelayer(network);
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
      expect(node.asked.map(({ method }) => method)).toEqual(['eth_blockNumber']);
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
      [
        'data of any shape',
        { code: -32000, message: 'nonce too low', data: { want: [1, null], have: '0x' } },
      ],
      ['data that is null', { code: -32015, message: 'VM execution error.', data: null }],
      ['an unknown code', { code: 12_345, message: '' }],
      ['what only this node does not know', { code: -32601, message: 'the method does not exist' }],
    ])('passes on %s unaltered, whatever its status', async (_what, error) => {
      const { path } = await makeRelayer();
      for (const status of [200, 400, 500]) {
        node.say('eth_call', { error, status });
        expect(await rpc(path, { method: 'eth_call', id: 9 })).toEqual([
          200,
          { jsonrpc: '2.0', id: 9, error },
        ]);
      }
    });

    it.each([
      ['408', { status: 408 }, { code: -33000, message: 'Request timeout' }],
      ['429', { status: 429 }, { code: -33001, message: 'Rate limited' }],
      ['401', { status: 401 }, { code: -33002, message: 'Bad gateway' }],
      ['502', { status: 502 }, { code: -33002, message: 'Bad gateway' }],
      ['no JSON', { text: 'busy' }, { code: -33002, message: 'Bad gateway' }],
      [
        'that it is rate limited',
        { error: { code: -32005, message: 'limit exceeded' } },
        { code: -33002, message: 'Bad gateway' },
      ],
    ])('tells that no endpoint answered after %s', async (_what, saying, error) => {
      node.say('eth_gasPrice', saying);
      const { path } = await makeRelayer();
      expect(await rpc(path, { method: 'eth_gasPrice', id: 2 })).toEqual([
        200,
        { jsonrpc: '2.0', id: 2, error },
      ]);
      node.say('eth_chainId', saying);
      const batch = [{ method: 'eth_gasPrice' }, { method: 'eth_gasPrice', id: 'b' }];
      expect(await rpc(path, batch)).toEqual([
        200,
        [
          { jsonrpc: '2.0', id: 1, error },
          { jsonrpc: '2.0', id: 'b', error },
        ],
      ]);
    });

    it('takes an answer that nests without end for no answer', async () => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      node.say('eth_gasPrice', { text: `{"jsonrpc":"2.0","id":$id,"result":${deep}}` });
      const { path } = await makeRelayer();
      expect(await rpc(path, { method: 'eth_gasPrice' })).toEqual([
        200,
        { jsonrpc: '2.0', id: 1, error: { code: -33002, message: 'Bad gateway' } },
      ]);
    });

    it('passes on an answer that nests as deep as a trace does', async () => {
      const deep = `${'[{"calls":'.repeat(1240)}[]${'}]'.repeat(1240)}`;
      node.say('eth_simulateV1', { text: `{"jsonrpc":"2.0","id":$id,"result":${deep}}` });
      const { path } = await makeRelayer();
      const answer = await service.post(`${path}/rpc`, { method: 'eth_simulateV1' });
      expect([answer.status, answer.text]).toEqual([200, `{"jsonrpc":"2.0","id":1,"result":${deep}}`]);
    });

    it('goes to the endpoints of the relayer, where it has its own', async () => {
      const own = await ScriptedNode.start(CHAIN_ID);
      own.say('eth_blockNumber', { result: '0x5' });
      const { path } = await makeRelayer();
      await service.patch(path, { custom_rpc_urls: [{ url: own.url }] });
      expect((await rpc(path, { method: 'eth_blockNumber' }))[1].result).toBe('0x5');
      await service.patch(path, { custom_rpc_urls: null });
      expect((await rpc(path, { method: 'eth_blockNumber' }))[1].result).toBe('0x10d4f');
      await own.close();
    });

    it('is refused while the relayer is paused or disabled, paused first', async () => {
      const { id, path } = await makeRelayer();
      const refusal = (text: string) => [403, { success: false, data: null, error: text, message: text }];
      await service.patch(path, { paused: true });
      await disable(id);
      expect(await rpc(path, { method: 'eth_blockNumber' })).toEqual(refusal('Relayer paused'));
      await service.patch(path, { paused: false });
      expect(await rpc(path, { method: 'eth_blockNumber' })).toEqual(refusal('Relayer disabled'));
      expect(node.calls).toEqual([]);
    });
  });

  const everyCall = async (path: string, headers?: Record<string, string | undefined>) => {
    const body = { method: 'eth_blockNumber' };
    const answers = [
      await service.call({ path: `${path}/status`, ...(headers && { headers }) }),
      await service.call({ path: `${path}/balance`, ...(headers && { headers }) }),
      await service.call({ method: 'POST', path: `${path}/rpc`, body, ...(headers && { headers }) }),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    return [answers[0]!.status, answers[0]!.body.error, answers[0]!.body.message];
  };

  it('have none where the network is for signing only, or all weights are 0', async () => {
    for (const urls of [[], [{ url: node.url, weight: 0 }]]) {
      const network = await makeNetwork(urls);
      const { path } = await makeRelayer(network);
      expect(await everyCall(path)).toEqual([400, `Network ${network} has no RPC endpoint`, 'Bad Request']);
    }
    expect(node.calls).toEqual([]);
  });

  it.each(['solana', 'stellar'] as const)('are not asked for on %s', async (networkType) => {
    const { id } = await addRelayer(service, { network: `n-${networkType}`, networkType });
    expect(await everyCall(`/api/v1/relayers/${id}`)).toEqual([
      400,
      `not supported for relayers of network type ${networkType}`,
      'Bad Request',
    ]);
  });

  it('must be there, and asked for with a token', async () => {
    const text = 'Relayer with ID nobody not found';
    expect(await everyCall('/api/v1/relayers/nobody')).toEqual([404, text, text]);
    const { path } = await makeRelayer();
    const [status, , message] = await everyCall(path, { authorization: undefined });
    expect([status, message]).toEqual([401, 'Unauthorized']);
    expect(node.calls).toEqual([]);
  });

  it('leave the keys of endpoints in no answer, log or metric, well or failing', async () => {
    const key = service.keepSecret(`k3y-${made}-e2e`);
    const url = `http://user:${key}@${node.host}/v2/${key}?key=${key}`;
    const network = await makeNetwork([url]);
    const { path } = await makeRelayer(network);
    for (const saying of [{ result: '0x1' }, { status: 401 }, { text: `<html>${key}` }, { result: key }]) {
      node.say('eth_getBalance', saying).say('eth_chainId', { result: `0x${CHAIN_ID.toString(16)}` });
      await service.get(`${path}/balance`);
      await service.patch(`/api/v1/networks/evm:${network}`, { rpc_urls: [`${url}&n=${node.calls.length}`] });
    }
    node.say('eth_chainId', { result: '0x7' });
    expect((await service.get(`${path}/balance`)).status).toBe(503);
    expect(service.logs.some((line) => line.includes(`http://${node.host}/***`))).toBe(true);
    expect((await service.get(`/api/v1/networks/evm:${network}`)).body.data.rpc_urls).toEqual([
      { url: `http://${node.host}/***`, weight: 100 },
    ]);
    const scrape = await service.get('/debug/metrics/scrape');
    expect(scrape.text).toContain(`rpc_endpoints{network="${network}",position="1",state="wrong_chain"} 1`);
  });
});
