import { addRelayer } from '../support/builders';
import { CHAIN_ID, ChainFixture } from '../support/chain-fixture';
import { describeService } from '../support/describe-service';
import { JsonRpcNode } from '../support/json-rpc-node';

describeService('Chain routes of relayers', ({ service }) => {
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

  describe('GET /api/v1/relayers/{relayer_id}/status', () => {
    it('returns the current state of the account', async () => {
      node
        .respondTo('eth_getBalance', { result: '0xde0b6b3a7640001' })
        .respondTo('eth_getTransactionCount', { result: '0x7' });
      const { path } = await chain.makeRelayer();
      const response = await service.get(`${path}/status`);
      expect([response.status, response.body]).toEqual([
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
            chain_nonce: '7',
            oldest_open_nonce: null,
            nonce_gaps: [],
          },
          error: null,
        },
      ]);
    });

    it('responds for paused and disabled relayers', async () => {
      node
        .respondTo('eth_getBalance', { result: '0x0' })
        .respondTo('eth_getTransactionCount', { result: '0x0' });
      const { id, path } = await chain.makeRelayer();
      await service.patch(path, { paused: true });
      await chain.disable(id);
      const response = await service.get(`${path}/status`);
      expect(response.body.data).toMatchObject({
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
  ])('return a balance of %s as %s', async (result, literal) => {
    node.respondTo('eth_getBalance', { result });
    const { path } = await chain.makeRelayer();
    const response = await service.get(`${path}/balance`);
    expect(response.text).toBe(`{"success":true,"data":{"balance":${literal},"unit":"wei"},"error":null}`);
  });

  it.each([
    ['10^80', { result: `0x${(10n ** 80n).toString(16)}` }],
    ['a negative number', { result: '-0x1' }],
    ['no number', { result: null }],
    ['HTML', { text: '<html>' }],
    ['an error', { error: { code: -32602, message: 'invalid argument 0' } }],
    ['502', { status: 502 }],
  ])('return 503 when the node responds to eth_getBalance with %s', async (_what, nodeResponse) => {
    node.respondTo('eth_getBalance', nodeResponse).respondTo('eth_getTransactionCount', { result: '0x0' });
    const { path, network } = await chain.makeRelayer();
    for (const call of ['balance', 'status']) {
      const response = await service.get(`${path}/${call}`);
      expect([response.status, response.body]).toEqual([
        503,
        {
          success: false,
          data: null,
          error: `No RPC endpoint of network ${network} responded`,
          message: 'Service Unavailable',
        },
      ]);
    }
  });

  const everyCall = async (path: string, headers?: Record<string, string | undefined>) => {
    const body = { method: 'eth_blockNumber' };
    const responses = [
      await service.call({ path: `${path}/status`, ...(headers && { headers }) }),
      await service.call({ path: `${path}/balance`, ...(headers && { headers }) }),
      await service.call({ method: 'POST', path: `${path}/rpc`, body, ...(headers && { headers }) }),
    ];
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    return [responses[0]!.status, responses[0]!.body.error, responses[0]!.body.message];
  };

  it('return 400 if the network has no endpoint, or only endpoints of weight 0', async () => {
    for (const urls of [[], [{ url: node.url, weight: 0 }]]) {
      const network = await chain.makeNetwork(urls);
      const { path } = await chain.makeRelayer(network);
      expect(await everyCall(path)).toEqual([400, `Network ${network} has no RPC endpoint`, 'Bad Request']);
    }
    expect(node.calls).toEqual([]);
  });

  it('return 400 if the custom endpoints of the relayer have weight 0', async () => {
    const { path } = await chain.makeRelayer();
    await service.patch(path, { custom_rpc_urls: [{ url: node.url, weight: 0 }] });
    expect(await everyCall(path)).toEqual([
      400,
      'no endpoint in custom_rpc_urls of the relayer has a weight above 0',
      'Bad Request',
    ]);
    expect(node.calls).toEqual([]);
  });

  it.each(['solana', 'stellar'] as const)(
    'return 400 for relayers of network type %s',
    async (networkType) => {
      const { id } = await addRelayer(service, { network: `n-${networkType}`, networkType });
      expect(await everyCall(`/api/v1/relayers/${id}`)).toEqual([
        400,
        `not supported for relayers of network type ${networkType}`,
        'Bad Request',
      ]);
    },
  );

  it('return 404 for an unknown relayer, and 401 without a token', async () => {
    const text = 'Relayer with ID nobody not found';
    expect(await everyCall('/api/v1/relayers/nobody')).toEqual([404, text, text]);
    const { path } = await chain.makeRelayer();
    const [status, , message] = await everyCall(path, { authorization: undefined });
    expect([status, message]).toEqual([401, 'Unauthorized']);
    expect(node.calls).toEqual([]);
  });

  it('keep endpoint keys out of responses, logs and metrics, for successful and failed calls', async () => {
    const key = service.keepSecret('k3y-of-an-endpoint');
    const url = `http://user:${key}@${node.host}/v2/${key}?key=${key}`;
    const network = await chain.makeNetwork([url]);
    const { path } = await chain.makeRelayer(network);
    for (const nodeResponse of [
      { result: '0x1' },
      { status: 401 },
      { text: `<html>${key}` },
      { result: key },
    ]) {
      node
        .respondTo('eth_getBalance', nodeResponse)
        .respondTo('eth_chainId', { result: `0x${CHAIN_ID.toString(16)}` });
      await service.get(`${path}/balance`);
      await service.patch(`/api/v1/networks/evm:${network}`, { rpc_urls: [`${url}&n=${node.calls.length}`] });
    }
    node.respondTo('eth_chainId', { result: '0x7' });
    expect((await service.get(`${path}/balance`)).status).toBe(503);
    expect(service.logs.some((line) => line.includes(`http://${node.host}/***`))).toBe(true);
    expect((await service.get(`/api/v1/networks/evm:${network}`)).body.data.rpc_urls).toEqual([
      { url: `http://${node.host}/***`, weight: 100 },
    ]);
    const scrape = await service.get('/debug/metrics/scrape');
    expect(scrape.text).toContain(`rpc_endpoints{network="${network}",position="1",state="wrong_chain"} 1`);
  });

  it('no longer report endpoints in metrics after they were changed or the network was deleted', async () => {
    const { path, network } = await chain.makeRelayer(await chain.makeNetwork([node.url, `${node.url}/2`]));
    const shown = async () =>
      (await service.get('/debug/metrics/scrape')).text
        .split('\n')
        .filter((line) => line.startsWith(`rpc_endpoints{network="${network}"`));
    await service.get(`${path}/balance`);
    expect(await shown()).toHaveLength(2);
    await service.patch(`/api/v1/networks/evm:${network}`, { rpc_urls: [node.url] });
    expect(await shown()).toEqual([]);
    await service.get(`${path}/balance`);
    expect(await shown()).toHaveLength(1);
    for (const gone of [path, `/api/v1/networks/evm:${network}`])
      expect((await service.call({ method: 'DELETE', path: gone })).status).toBe(200);
    expect(await shown()).toEqual([]);
  });
});
