import { CHAIN_ID, ChainFixture } from '../support/chain-fixture';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { JsonRpcNode } from '../support/json-rpc-node';
import { VaultStandIn } from '../support/key-services/vault.stand-in';
import { TestNotification } from '../support/notifications';
import { until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACE = {
  traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
  tracestate: 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
};
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describeService('The trace of a client, without a collector', ({ service }) => {
  let node: JsonRpcNode;
  let chain: ChainFixture;

  beforeAll(() => {
    chain = new ChainFixture(service, () => node);
  });

  beforeEach(async () => {
    node = await JsonRpcNode.start(CHAIN_ID);
    node.respondTo('eth_blockNumber', { result: '0x1' }).respondTo('eth_estimateGas', { result: '0x5208' });
  });

  afterEach(() => node.close());

  const send = (method: string, path: string, body: unknown, headers = {}): Promise<HttpResponse> =>
    service.call({ method, path, body, headers });

  it.each(['eth_blockNumber', 'eth_estimateGas'])(
    'is forwarded unchanged to nodes with %s',
    async (method) => {
      const { path } = await chain.makeRelayer();
      await send('POST', `${path}/rpc`, { method }, TRACE);
      expect(node.received).toHaveLength(1);
      expect(node.headers.at(-1)).toMatchObject(TRACE);
    },
  );

  it.each([
    undefined,
    '',
    `00-${TRACE_ID}-b7ad6b7169203331`,
    `00-${TRACE_ID}-b7ad6b7169203331-01-more`,
    `ff-${TRACE_ID}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE_ID.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  ])('is not created for the traceparent %p', async (traceparent) => {
    const { path } = await chain.makeRelayer();
    const headers = { tracestate: TRACE.tracestate, ...(traceparent !== undefined && { traceparent }) };
    await send('POST', `${path}/rpc`, { method: 'eth_estimateGas' }, headers);
    expect(node.received).toHaveLength(1);
    for (const received of node.headers) {
      expect(received).not.toHaveProperty('traceparent');
      expect(received).not.toHaveProperty('tracestate');
    }
  });

  it('is forwarded without a malformed tracestate', async () => {
    const { path } = await chain.makeRelayer();
    await send('POST', `${path}/rpc`, { method: 'eth_estimateGas' }, { ...TRACE, tracestate: 'no state' });
    expect(node.headers.at(-1)).toMatchObject({ traceparent: TRACE.traceparent });
    expect(node.headers.at(-1)).not.toHaveProperty('tracestate');
  });

  it('is forwarded to webhooks, which are called later, and to key services', async () => {
    const receiver = await Receiver.start();
    const vault = new VaultStandIn();
    await vault.start();
    try {
      vault.put('secret', 'main', { value: service.keepSecret(KEY) });
      await TestNotification.add(service, receiver.url);
      const relayer = await addRelayer(service, { notificationId: 'hook' });
      await send('PATCH', `/api/v1/relayers/${relayer.id}`, { paused: true }, TRACE);
      await until('the event', () => receiver.received.length > 0);
      expect(receiver.received[0]?.headers).toMatchObject(TRACE);
      const config = {
        ...{ address: vault.address, role_id: vault.roleId, key_name: 'main' },
        secret_id: service.keepSecret(vault.secretId),
      };
      const { status } = await send('POST', '/api/v1/signers', { id: 'v', type: 'vault', config }, TRACE);
      expect(status).toBe(201);
      expect(vault.headers.length).toBeGreaterThan(0);
      for (const headers of vault.headers) expect(headers).toMatchObject(TRACE);
    } finally {
      await vault.stop();
      await receiver.close();
    }
  });

  it('is included in the log lines of the request', async () => {
    await addRelayer(service, { id: 'cow' });
    const id = 'traced-request';
    await send('POST', '/api/v1/relayers/cow/sign-typed-data', HASHES, { ...TRACE, 'x-request-id': id });
    await send('POST', '/api/v1/relayers/cow/sign-typed-data', HASHES, { 'x-request-id': 'untraced' });
    const linesOf = (wanted: string) =>
      service.logs
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ request_id }) => request_id === wanted);
    expect(linesOf(id).length).toBeGreaterThan(0);
    for (const line of linesOf(id)) expect(line.trace_id).toBe(TRACE_ID);
    expect(linesOf('untraced').length).toBeGreaterThan(0);
    for (const line of linesOf('untraced')) expect(line).not.toHaveProperty('trace_id');
  });
});
