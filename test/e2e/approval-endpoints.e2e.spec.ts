import { describeWithAnvil } from '../support/anvil';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { approvedBy, KeyHolder } from '../support/key-holders';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const LIMITS = { transactions: { spend_limits: [{ per: '24h' as const, max_value: '100' }] } };
const LOWER = { transactions: { spend_limits: [{ per: '24h', max_value: '50' }] } };
const APPROVALS = 'loosen_policy=1,api_key_scope=1';

const PORTS: Record<string, number> = { a: 9, b: 11, c: 13 };

/** Endpoints with these weights. Responses show their ports, but not paths. */
const urls = (weights: Record<string, number>): { url: string; weight: number }[] =>
  Object.entries(weights).map(([name, weight]) => ({ url: `http://127.0.0.1:${PORTS[name]}`, weight }));

describeService('Endpoints of a relayer with spending limits', { settings: { APPROVALS } }, ({ service }) => {
  let requester: KeyHolder;
  let approver: KeyHolder;

  beforeAll(async () => {
    requester = await KeyHolder.add(service, { scopes: ['relayers:write'] });
    approver = await KeyHolder.add(service, { scopes: ['approve'] });
  });

  const add = async (policies: object, customRpcUrls: ReturnType<typeof urls> | null): Promise<string> =>
    `/api/v1/relayers/${(await addRelayer(service, { policies: { ...policies }, customRpcUrls })).id}`;
  const patch = (path: string, body: object): Promise<HttpResponse> => requester.call('PATCH', path, body);
  const shown = async (path: string) => (await service.get(path)).body.data.custom_rpc_urls;

  it.each<[string, ReturnType<typeof urls> | null, object]>([
    ['own ones', null, { custom_rpc_urls: urls({ a: 100 }) }],
    ['others', urls({ a: 100 }), { custom_rpc_urls: urls({ b: 100 }) }],
    ['one more', urls({ a: 100, b: 100 }), { custom_rpc_urls: urls({ a: 100, b: 100, c: 1 }) }],
    ['one less', urls({ a: 100, b: 100 }), { custom_rpc_urls: urls({ a: 100 }) }],
    ['those of the network', urls({ a: 100 }), { custom_rpc_urls: null }],
    ['one that was not used', urls({ a: 1, b: 0 }), { custom_rpc_urls: urls({ a: 1, b: 1 }) }],
    ['others, with lower limits', urls({ a: 1 }), { custom_rpc_urls: urls({ b: 1 }), policies: LOWER }],
  ])('are changed to %s once others approve', async (_what, before, body) => {
    const path = await add(LIMITS, before);
    const old = await shown(path);
    const response = await patch(path, body);
    expect([response.status, response.body.data.kinds]).toEqual([202, ['loosen_policy']]);
    expect(await shown(path)).toEqual(old);
    const approved = await approver.approve(response.body.data.id as string);
    expect(approved.body.data.status).toBe('applied');
    expect(await shown(path)).not.toEqual(old);
  });

  it('are changed at once if no other endpoint gains influence, or there is no limit yet', async () => {
    const path = await add(LIMITS, urls({ a: 100, b: 100 }));
    for (const body of [
      { custom_rpc_urls: urls({ a: 100, b: 100 }) },
      { custom_rpc_urls: urls({ b: 1, a: 99 }), policies: LOWER },
      { custom_rpc_urls: urls({ b: 1, a: 99, c: 0 }) },
    ])
      expect((await patch(path, body)).status).toBe(200);
    const open = await add({}, null);
    expect((await patch(open, { custom_rpc_urls: urls({ a: 1 }) })).status).toBe(200);
    expect((await patch(open, { custom_rpc_urls: urls({ b: 1 }), policies: LIMITS })).status).toBe(200);
    expect((await patch(open, { custom_rpc_urls: urls({ c: 1 }) })).status).toBe(202);
  });
});

describeWithAnvil('An endpoint that reports that transactions failed', () => {
  describeService('cannot be given to a relayer', { settings: { APPROVALS } }, ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
    });

    afterAll(() => chain.stop());

    it('so that its spending limits hold', async () => {
      const approver = await KeyHolder.add(service);
      const client = approvedBy(approver, service);
      const account = await SendingAccount.add(client, chain, { policies: LIMITS });
      const { path } = account.relayer;
      const holder = await KeyHolder.add(service, {
        scopes: ['relayers:write', 'transactions:write'],
        relayers: [account.relayer.id],
      });
      const lying = await chain.addProxy();
      lying.add({
        name: 'receipts of failed transactions',
        methods: ['eth_getTransactionReceipt'],
        apply: async (_call, forward) => {
          const response = await forward();
          if (!('result' in response) || response.result === null) return response;
          return { result: { ...(response.result as object), status: '0x0', logs: [] } };
        },
      });
      expect((await holder.call('PATCH', path, { custom_rpc_urls: [{ url: lying.url }] })).status).toBe(202);
      const send = (): Promise<HttpResponse> =>
        holder.call('POST', `${path}/transactions`, {
          ...{ to: RECEIVER, value: '100', speed: 'fast', gas_limit: 21_000 },
        });
      const first = await send();
      expect(first.status).toBe(201);
      expect((await account.untilFinal(first.body.data.id as string)).status).toBe('confirmed');
      expect((await send()).status).toBe(403);
    });
  });
});
