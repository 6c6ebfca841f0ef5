import { Controller, Injectable, Module, Param, Post } from '@nestjs/common';
import {
  type CanceledTransactions,
  DomainError,
  Lifecycle,
  RelayerPlugin,
  RequireScope,
  type SubmittedTransaction,
  TransactionsApi,
} from '../../src/public';
import { describeWithAnvil } from '../support/anvil';
import { bearer, createApiKey } from '../support/api-keys';
import { describeService } from '../support/describe-service';
import { TestChain } from '../support/test-chain';
import { addSendingRelayer, type SendingRelayer, untilStatus } from '../support/transactions';

const RECEIVER = '0x3535353535353535353535353535353535353535';
const BODY = { to: RECEIVER, value: '1000', speed: 'fast' };

const refuse = (): Promise<never> =>
  Promise.reject(new DomainError('forbidden', 'Forbidden', 'Acme sends nothing'));

/** Replaces the port of the service, and refuses every call. */
@Injectable()
class RefusedTransactions extends TransactionsApi {
  submit = refuse;
  submitBatch = refuse;
  list = refuse;
  get = refuse;
  getByNonce = refuse;
  listAttempts = refuse;
  waitFor = refuse;
  replace = refuse;
  cancel = refuse;
  cancelPending = refuse;
}

@RelayerPlugin({
  name: 'acme-closed',
  compatibility: '^1',
  overrides: [{ port: TransactionsApi, useClass: RefusedTransactions }],
})
@Module({})
class ClosedModule {}

@Controller('api/v1/acme-stop')
class StopController {
  constructor(private readonly transactions: TransactionsApi) {}

  @Post(':relayer_id')
  @RequireScope('acme-stop.all:write')
  stop(@Param('relayer_id') relayerId: string): Promise<CanceledTransactions> {
    return this.transactions.cancelPending(relayerId);
  }
}

@RelayerPlugin({ name: 'acme-stop', compatibility: '^1', scopes: ['acme-stop.all:write'] })
@Module({ controllers: [StopController] })
class StopModule {}

describeService(
  'A port for transactions that a plugin overrides',
  { modules: [ClosedModule], onlySqlite: true },
  ({ service }) => {
    const transactions = '/api/v1/relayers/any/transactions';

    it.each([
      ['POST', '', BODY],
      ['POST', '/batch', { transactions: [BODY] }],
      ['GET', '', undefined],
      ['GET', '/some', undefined],
      ['GET', '/some?wait=mined', undefined],
      ['GET', '/by-nonce/0', undefined],
      ['GET', '/some/attempts', undefined],
      ['PUT', '/some', BODY],
      ['DELETE', '/some', undefined],
      ['DELETE', '/pending', undefined],
    ])('is called by %s /transactions%s', async (method, path, body) => {
      const response = await service.call({ method, path: transactions + path, ...(body && { body }) });
      expect([response.status, response.body.error]).toEqual([403, 'Acme sends nothing']);
    });
  },
);

describeWithAnvil('The port for transactions', () => {
  describeService('In the same process', { modules: [StopModule] }, ({ service }) => {
    let chain: TestChain;
    let relayer: SendingRelayer;
    let port: TransactionsApi;

    beforeAll(async () => {
      chain = await TestChain.start();
      port = service.app.get(TransactionsApi, { strict: false });
    });

    afterAll(() => chain.stop());

    beforeEach(async () => {
      await chain.node.setAutomine(true);
      relayer = await addSendingRelayer(service, chain, { network: { required_confirmations: 0 } });
    });

    it('accepts a batch only once, waits for its transactions, and returns their attempts', async () => {
      const batch = { transactions: [BODY, { ...BODY, value: '2' }], atomic: true };
      const items = await port.submitBatch(relayer.id, batch, 'payout-1');
      expect(items.map(({ transaction }) => transaction?.value)).toEqual(['0x3e8', '0x2']);
      expect(await port.submitBatch(relayer.id, batch, 'payout-1')).toEqual([
        { transaction: expect.objectContaining({ id: items[0]?.transaction?.id }) },
        { transaction: expect.objectContaining({ id: items[1]?.transaction?.id }) },
      ]);
      const { id } = await port.getByNonce(relayer.id, 1);
      expect(id).toBe(items[1]?.transaction?.id);
      const final = await port.waitFor(relayer.id, id, 'confirmed', 120_000);
      expect(final.status).toBe('confirmed');
      expect(await port.listAttempts(relayer.id, id)).toEqual([
        expect.objectContaining({ kind: 'request', nonce: 1, hash: final.hash }),
      ]);
    });

    it('audits a refusal by a listener, and still returns requests that were accepted before', async () => {
      let isOpen = true;
      service.app.get(Lifecycle, { strict: false }).on('transaction.before', () => {
        if (!isOpen) throw new DomainError('forbidden', 'Forbidden', 'Acme is closed');
      });
      const { transaction: first } = (await port.submit(relayer.id, BODY, 'one')) as SubmittedTransaction;
      const batch = { transactions: [BODY] };
      const [item] = await port.submitBatch(relayer.id, batch, 'many');
      isOpen = false;
      const again = await port.submit(relayer.id, BODY, 'one');
      expect(again).toMatchObject({ transaction: { id: first.id }, isReplay: true });
      expect(await port.submitBatch(relayer.id, batch, 'many')).toMatchObject([
        { transaction: { id: item?.transaction?.id } },
      ]);
      await expect(port.submit(relayer.id, BODY, 'two')).rejects.toMatchObject({ detail: 'Acme is closed' });
      isOpen = true;
      const recorded = await service.get(
        `/api/v1/audit-events?action=transaction.submit&relayer_id=${relayer.id}`,
      );
      expect(recorded.body.data.map(({ code }: { code: string | null }) => code)).toEqual([
        'forbidden',
        null,
        null,
      ]);
    });

    it('rejects an atomic batch with an invalid item, and a batch that is too long', async () => {
      const batch = { transactions: [BODY, { ...BODY, to: 'nobody' }], atomic: true };
      expect(await port.submitBatch(relayer.id, batch)).toEqual([
        { error: expect.stringMatching(/^transactions\[1\]: to must be an address/) },
        { error: expect.stringMatching(/^to must be an address/) },
      ]);
      expect((await service.get(`${relayer.path}/transactions`)).body.data).toEqual([]);
      const tooLong = { transactions: Array.from({ length: 101 }, () => BODY) };
      await expect(port.submitBatch(relayer.id, tooLong)).rejects.toMatchObject({ code: 'invalid_request' });
    });

    it('waits no longer than the timeout', async () => {
      await chain.node.setAutomine(false);
      const { data } = (await service.post(`${relayer.path}/transactions`, BODY)).body;
      const start = performance.now();
      const { status } = await port.waitFor(relayer.id, data.id as string, 'mined', 300);
      expect(performance.now() - start).toBeGreaterThanOrEqual(299);
      expect(['pending', 'sent', 'submitted']).toContain(status);
    });

    it('cancels all transactions that are not mined, and requires the same scope as the route', async () => {
      await chain.node.setAutomine(false);
      const { data } = (await service.post(`${relayer.path}/transactions`, BODY)).body;
      await untilStatus(service, relayer, data.id as string, 'submitted');
      const { key } = await createApiKey(service, { scopes: ['acme-stop.all:write'] });
      const path = `/api/v1/acme-stop/${relayer.id}`;
      const refused = await service.call({ method: 'POST', path, body: {}, headers: bearer(key) });
      expect([refused.status, refused.body.error]).toEqual([
        403,
        'this API key lacks the scope transactions:write',
      ]);
      expect((await service.post(path, {})).body.data).toEqual({
        queued_for_cancellation_transaction_ids: [data.id],
        failed_to_queue_transaction_ids: [],
        total_processed: 1,
      });
    });
  });
});
