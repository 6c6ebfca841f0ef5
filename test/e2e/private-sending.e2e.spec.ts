import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { refuseSends, swallowSends } from '../support/faulty-proxy/chain-faults';
import type { FaultyProxy } from '../support/faulty-proxy/faulty-proxy';
import { REPLACEMENT_UNDERPRICED } from '../support/faulty-proxy/node-wordings';
import { dropBefore } from '../support/faulty-proxy/transport-faults';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const SEND = { methods: ['eth_sendRawTransaction'] };
const POLICIES = { private_transactions: true };
const BODY = { to: RECEIVER, value: '1', speed: 'fast', gas_limit: 21_000 };
const NO_ENDPOINT = 'has no private RPC endpoint';

const sendsTo = ({ record }: FaultyProxy): number => record.count('eth_sendRawTransaction');

describeWithAnvil('Private sending:', () => {
  describeService('A relayer with policies.private_transactions', { settings: SETTINGS }, ({ service }) => {
    let chain: TestChain;
    /** Mines a block only when a test requests one. */
    let still: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      still = await TestChain.start({ chainId: 424_243, noMining: true });
    });

    afterAll(() => Promise.all([chain.stop(), still.stop()]));

    /** An account whose network has `count` private endpoints. Its own proxy is the public endpoint. */
    const addAccount = async (count: number, fallback: number | null = null, on = chain) => {
      const hidden: FaultyProxy[] = [];
      for (let i = 0; i < count; i += 1) hidden.push(await on.addProxy());
      const network = {
        private_rpc_urls: hidden.map(({ url }) => url),
        private_fallback_blocks: fallback,
      };
      return { account: await SendingAccount.add(service, on, { policies: POLICIES, network }), hidden };
    };

    const patchNetwork = async ({ relayer }: SendingAccount, body: object): Promise<void> => {
      expect((await service.patch(`/api/v1/networks/evm:${relayer.network}`, body)).status).toBe(200);
    };

    together({
      'sends to the private endpoint only, and reads from the public one': async () => {
        const { account, hidden } = await addAccount(1);
        const { id } = await account.send();
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', status_reason: null });
        expect(sendsTo(account.proxy)).toBe(0);
        const methods = new Set(hidden[0]!.record.calls.map(({ method }) => method));
        expect([...methods].sort()).toEqual(['eth_chainId', 'eth_sendRawTransaction']);
      },

      'uses the next private endpoint if one fails': async () => {
        const { account, hidden } = await addAccount(2);
        const rule = hidden[0]!.add(dropBefore(), SEND);
        await account.until('a send to the endpoint that fails', async () => {
          const { id } = await account.send();
          expect((await account.untilFinal(id)).status).toBe('confirmed');
          return rule.met > 0;
        });
        expect(sendsTo(hidden[1]!)).toBeGreaterThan(0);
        expect(sendsTo(account.proxy)).toBe(0);
      },

      'does not outbid its own transaction, which public nodes do not know': async () => {
        const { account, hidden } = await addAccount(1);
        hidden[0]!.add(swallowSends(), { times: 1 });
        const refusals = hidden[0]!.add(refuseSends(REPLACEMENT_UNDERPRICED[0]!), { times: 3 });
        const { id } = await account.send();
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed' });
        expect(refusals.met).toBe(3);
        expect((await account.shown(id)).hashes).toHaveLength(1);
        expect(account.proxy.record.count('eth_getTransactionByHash')).toBe(0);
      },

      'accepts no transactions while its network has no private endpoint': async () => {
        const account = await SendingAccount.add(service, chain, { policies: POLICIES });
        const error = `policies.private_transactions is true, and network ${account.relayer.network} ${NO_ENDPOINT}`;
        expect((await account.request()).body).toMatchObject({ success: false, error });
        expect((await account.request()).status).toBe(400);
        const batch = await account.call('POST', '/transactions/batch', { transactions: [BODY] });
        expect(JSON.stringify(batch.body)).toContain(NO_ENDPOINT);
        const private_rpc_urls = [{ url: account.proxy.url, weight: 0 }];
        await patchNetwork(account, { private_rpc_urls });
        expect((await account.request()).status).toBe(400);
        expect(await account.nextNonce()).toBe(0);
        await patchNetwork(account, { private_rpc_urls: [account.proxy.url] });
        expect((await account.request()).status).toBe(201);
      },

      'keeps accepted transactions while its network has no private endpoint': async () => {
        const { account, hidden } = await addAccount(1);
        hidden[0]!.add(dropBefore(), SEND);
        const { id } = await account.send();
        await account.untilStatus(id, 'sent');
        await patchNetwork(account, { private_rpc_urls: null });
        await account.untilShown(
          id,
          'waiting',
          ({ status_reason }) => status_reason === `Waiting: the network ${NO_ENDPOINT}`,
        );
        const { status, body } = await account.replace(id, { gas_limit: 21_000 });
        expect([status, body.error]).toEqual([400, expect.stringContaining(NO_ENDPOINT)]);
        hidden[0]!.clear();
        await patchNetwork(account, { private_rpc_urls: [hidden[0]!.url] });
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', status_reason: null });
        expect(sendsTo(account.proxy)).toBe(0);
      },

      'causes a warning in metadata.logs if its network has no private endpoint': async () => {
        const { account } = await addAccount(1);
        const patch = (): ReturnType<typeof service.patch> =>
          service.patch(account.relayer.path, { policies: POLICIES });
        expect((await patch()).body.metadata).toBeUndefined();
        await patchNetwork(account, { private_rpc_urls: [] });
        expect((await patch()).body.metadata.logs).toEqual([
          { level: 'warn', message: expect.stringContaining(`${account.relayer.network} ${NO_ENDPOINT}`) },
        ]);
        expect((await service.patch(account.relayer.path, { name: 'x' })).body.metadata).toBeUndefined();
      },
    });

    describe('while blocks are mined', () => {
      /** An account with a transaction that was sent privately and lost. */
      const addLost = async (fallback: number | null, fault = swallowSends()) => {
        const { account, hidden } = await addAccount(1, fallback, still);
        const [proxy] = hidden as [FaultyProxy];
        proxy.add(fault, SEND);
        const { id } = await account.send();
        await account.until('sent', () => sendsTo(proxy) > 0);
        return { account, proxy, id };
      };

      /** Mines blocks, and expects only private sends after the service has seen the last of them. */
      const stayPrivate = async (account: SendingAccount, proxy: FaultyProxy, blocks: number) => {
        await still.node.mine(blocks);
        const heads = (): number => account.proxy.record.count('eth_getBlockByNumber');
        const seen = heads();
        await account.until('the block was seen', () => heads() >= seen + 2);
        const sent = sendsTo(proxy);
        await account.until('sent again', () => sendsTo(proxy) >= sent + 2);
        expect(sendsTo(account.proxy)).toBe(0);
      };

      const becomePublic = async (account: SendingAccount, id: string): Promise<string> => {
        await still.node.mine();
        await account.until('sent publicly', () => sendsTo(account.proxy) > 0);
        await still.node.mine(2);
        const { hash } = await account.untilFinal(id);
        return hash!;
      };

      it('never sends publicly without a fallback', async () => {
        const { account, proxy, id } = await addLost(null);
        await stayPrivate(account, proxy, 50);
        proxy.clear();
        const sent = sendsTo(proxy);
        await account.until('sent again', () => sendsTo(proxy) > sent);
        await still.node.mine(2);
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed' });
        expect(sendsTo(account.proxy)).toBe(0);
      });

      it.each([
        ['accepts and loses', swallowSends],
        ['does not accept', dropBefore],
      ])(
        'sends publicly, after private_fallback_blocks, a transaction that a private endpoint %s',
        async (_what, fault) => {
          const { account, proxy, id } = await addLost(4, fault());
          await stayPrivate(account, proxy, 3);
          const hash = await becomePublic(account, id);
          expect(await account.shown(id)).toMatchObject({ status: 'confirmed', hashes: [hash] });
        },
      );

      it('restarts the block count when a transaction is replaced', async () => {
        const { account, proxy, id } = await addLost(4);
        await account.untilStatus(id, 'submitted');
        await stayPrivate(account, proxy, 3);
        expect((await account.replace(id, { value: '7', gas_limit: 21_000 })).status).toBe(200);
        await account.untilShown(id, 'signed anew', ({ hashes }) => hashes.length === 2);
        await stayPrivate(account, proxy, 3);
        const hash = await becomePublic(account, id);
        expect(await account.shown(id)).toMatchObject({ status: 'confirmed', value: '0x7' });
        expect(account.hashesSent(0)).toEqual([hash]);
      });
    });
  });
});
