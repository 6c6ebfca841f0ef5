import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { approvedBy, KeyHolder } from '../support/key-holders';
import { until } from '../support/private-servers';
import { TestChain } from '../support/test-chain';
import { addSendingRelayer, type SendingRelayer, shownTransaction } from '../support/transactions';

const RECEIVER = '0x3535353535353535353535353535353535353535';
const GWEI = 10n ** 9n;
const CAP = 3n * GWEI;
/** Replacing an attempt at the cap may require as much. */
const HIGHEST = (CAP * 5n) / 4n;
const POLICIES = {
  whitelist_receivers: [RECEIVER],
  gas_price_cap: Number(CAP),
  transactions: { max_fee: '100000000000000', spend_limits: [{ per: '24h', max_fee: '1000000000000000' }] },
};
const SETTINGS = {
  ...{ APPROVALS: 'loosen_policy=1,api_key_scope=1' },
  ...{ TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '2' },
};

interface Attempt {
  kind: string;
  max_fee_per_gas: string;
}

describeWithAnvil('The limits of a relayer that may not sign new transactions', () => {
  describeService('need approval to be removed', { settings: SETTINGS }, ({ service }) => {
    let chain: TestChain;
    let relayer: SendingRelayer;
    let insider: KeyHolder;

    beforeAll(async () => {
      chain = await TestChain.start({ noMining: true, baseFee: Number(GWEI) });
      const approver = await KeyHolder.add(service);
      const client = approvedBy(approver, service);
      relayer = await addSendingRelayer(client, chain, { customUrls: true, policies: POLICIES });
      insider = await KeyHolder.add(service, {
        scopes: ['relayers:write', 'transactions:write', 'transactions:read'],
        relayers: [relayer.id],
      });
    });

    afterAll(() => chain.stop());

    it('so that a canceled transaction is not replaced at any price', async () => {
      const attempts = async (): Promise<Attempt[]> =>
        (await insider.call('GET', `${relayer.path}/transactions/${id}/attempts`)).body.data as Attempt[];
      const patch = async (body: object): Promise<unknown[]> => {
        const { status, body: response } = await insider.call('PATCH', relayer.path, body);
        return [status, response.data.kinds];
      };
      const sent = await insider.call('POST', `${relayer.path}/transactions`, {
        ...{ to: RECEIVER, value: '1', speed: 'fast', gas_limit: 21_000 },
      });
      expect(sent.status).toBe(201);
      const id = sent.body.data.id as string;
      await until(
        'the transaction is submitted',
        async () => (await shownTransaction(service, relayer, id)).status === 'submitted',
      );
      expect(await patch({ policies: { whitelist_receivers: [] } })).toEqual([200, undefined]);
      for (const body of [
        { policies: { gas_price_cap: null, transactions: { max_fee: null, spend_limits: null } } },
        { policies: { gas_price_cap: null } },
        { policies: { transactions: { max_fee: null } } },
        { policies: { transactions: { spend_limits: null } } },
        { policies: { messages: { allow: 'none' }, transactions: null } },
        { custom_rpc_urls: [{ url: `${chain.node.url}/?other`, weight: 100 }] },
      ])
        expect(await patch(body)).toEqual([202, ['loosen_policy']]);
      // What an endpoint of the insider would report.
      await chain.node.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(5000n * GWEI).toString(16)}`]);
      await chain.node.rpc('evm_mine', []);
      expect((await insider.call('DELETE', `${relayer.path}/transactions/${id}`)).status).toBe(200);
      const ended = async (): Promise<boolean> =>
        (await attempts()).some(({ kind }) => kind === 'noop') ||
        (await shownTransaction(service, relayer, id)).status !== 'submitted';
      await until('the transaction is replaced or mined', ended);
      for (const { max_fee_per_gas: price } of await attempts())
        expect(BigInt(price)).toBeLessThanOrEqual(HIGHEST);
    });
  });
});
