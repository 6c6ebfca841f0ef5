import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { describeWithPublishedClient, type PublishedApi, publishedApi } from '../support/published-client';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const TRANSFER = { to: RECEIVER, value: 5, speed: 'fast', gas_limit: 21_000 };

/** The unmodified published client of the API with which this API is compatible. */
describeWithAnvil('With a chain', () => {
  describeWithPublishedClient('The published client', () => {
    describeService('of the API', { onlySqlite: true }, ({ service }) => {
      let chain: TestChain;
      let account: SendingAccount;
      let api: PublishedApi;

      beforeAll(async () => {
        chain = await TestChain.start({ blockTime: 0.5 });
        account = await SendingAccount.add(service, chain);
        api = await publishedApi(service.url, service.config.apiKeys[0].reveal());
      });

      afterAll(() => chain.stop());

      const id = (): string => account.relayer.id;

      it('sends, gets, lists, and finds by nonce', async () => {
        const sent = await api.sendTransaction(id(), TRANSFER);
        expect(sent.status).toBe(201);
        const transaction = sent.data.data as { id: string; nonce: number };
        await account.untilFinal(transaction.id);
        const [one, byNonce, all] = [
          await api.getTransactionById(id(), transaction.id),
          await api.getTransactionByNonce(id(), transaction.nonce),
          await api.listTransactions(id(), 1, 10),
        ];
        expect(one.data.data).toMatchObject({ id: transaction.id, status: 'confirmed', to: RECEIVER });
        expect(byNonce.data.data).toEqual(one.data.data);
        expect(all.data.data).toEqual([one.data.data]);
        expect(all.data.pagination).toMatchObject({ current_page: 1, per_page: 10, total_items: 1 });
      });

      it('replaces and cancels', async () => {
        const rule = account.proxy.add(swallowSends());
        const ids: string[] = [];
        for (let i = 0; i < 2; i += 1)
          ids.push(((await api.sendTransaction(id(), TRANSFER)).data.data as { id: string }).id);
        const [first, second] = ids as [string, string];
        for (const each of ids) await account.untilStatus(each, 'submitted');
        expect(
          (await api.replaceTransaction(id(), first, { ...TRANSFER, value: 6 })).data.data,
        ).toMatchObject({
          id: first,
        });
        expect((await api.cancelTransaction(id(), second)).data.data).toMatchObject({ id: second });
        for (const each of ids)
          await account.untilShown(each, 'replaced', ({ hashes }) => hashes.length === 2);
        account.proxy.remove(rule);
        expect(await account.untilFinal(first)).toMatchObject({ status: 'confirmed', value: '0x6' });
        expect(await account.untilFinal(second)).toMatchObject({ status: 'canceled' });
      });

      it('receives failures in the format that it expects', async () => {
        const failure = api.sendTransaction(id(), { ...TRANSFER, to: '0x12' });
        await expect(failure).rejects.toMatchObject({
          response: { status: 400, data: { success: false, data: null, error: expect.any(String) } },
        });
      });
    });
  });
});
