import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { TestChain } from '../support/test-chain';
import {
  addSendingRelayer,
  requestTransaction,
  type SendingRelayer,
  untilStatus,
} from '../support/transactions';

const RECEIVER = '0x3535353535353535353535353535353535353535';
const BODY = { to: RECEIVER, value: '1000', speed: 'fast' };

describeWithAnvil('Transaction routes', () => {
  describeService('with a node', ({ service }) => {
    let chain: TestChain;
    let relayer: SendingRelayer;

    beforeAll(async () => {
      chain = await TestChain.start();
    });

    beforeEach(async () => {
      await chain.node.setAutomine(true);
      relayer = await addSendingRelayer(service, chain, { network: { required_confirmations: 0 } });
    });

    afterAll(() => chain.stop());

    const request = async (body: object = BODY, key?: string): Promise<HttpResponse['body']> => {
      const { status, body: response } = await requestTransaction(service, relayer, body, key);
      expect([status, response.error]).toEqual([201, null]);
      return response.data;
    };
    const get = (path: string): Promise<HttpResponse> => service.get(`${relayer.path}${path}`);
    const data = async (path: string): Promise<HttpResponse['body']> => {
      const { status, body } = await get(path);
      expect([status, body.error]).toEqual([200, null]);
      return body.data;
    };
    const cancel = (id: string): Promise<HttpResponse> =>
      service.call({ method: 'DELETE', path: `${relayer.path}/transactions/${id}` });
    const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id);

    it('accept, send and confirm a transaction', async () => {
      const accepted = await request({ ...BODY, metadata: { order: '42' } });
      expect(accepted).toMatchObject({
        ...{ status: 'pending', nonce: 0, hash: null, hashes: [], status_reason: null, sent_at: null },
        ...{ to: RECEIVER, value: '0x3e8', data: null, from: relayer.address, speed: 'fast' },
        ...{ gas_limit: 21_000, is_canceled: false, signature: null, metadata: { order: '42' } },
      });
      const final = await untilStatus(service, relayer, accepted.id);
      const receipt = await chain.node.rpc<{ status: string }>('eth_getTransactionReceipt', [final.hash]);
      expect(receipt.status).toBe('0x1');
      expect(final).toMatchObject({ status: 'confirmed', status_reason: null, hashes: [final.hash] });
    });

    it('return a transaction by its nonce, and its attempts', async () => {
      const { id } = await request();
      await untilStatus(service, relayer, id);
      expect(await data('/transactions/by-nonce/0')).toEqual(await data(`/transactions/${id}`));
      expect(await data(`/transactions/${id}/attempts`)).toEqual([
        expect.objectContaining({ kind: 'request', nonce: 0, gas_limit: 21_000 }),
      ]);
      expect((await get('/transactions/by-nonce/1')).status).toBe(404);
      expect((await get('/transactions/by-nonce/x')).status).toBe(400);
      expect((await get('/transactions/none')).body.message).toBe('Transaction with ID none not found');
    });

    it('wait until a transaction has a status', async () => {
      const { id } = await request();
      expect(await data(`/transactions/${id}?wait=CONFIRMED&timeout=20`)).toMatchObject({
        status: 'confirmed',
      });
      expect((await get(`/transactions/${id}?wait=soon`)).status).toBe(400);
      expect((await get(`/transactions/${id}?wait=mined&timeout=x`)).status).toBe(400);
    });

    it('list transactions by page, cursor, status, time and metadata', async () => {
      await chain.node.setAutomine(false);
      const made = [
        await request({ ...BODY, metadata: { order: 'A', 'a.b': '1' } }),
        await request({ ...BODY, metadata: { order: 'a' } }),
        await request(),
      ];
      const all = ids(made);
      const list = async (query: string): Promise<string[]> => ids(await data(`/transactions?${query}`));
      expect((await list('per_page=10')).sort()).toEqual([...all].sort());
      expect((await get('/transactions?per_page=2')).body.pagination).toEqual({
        ...{ current_page: 1, per_page: 2, total_items: 3 },
      });
      const first = (await get('/transactions?cursor=&per_page=2')).body;
      const rest = await list(`per_page=2&cursor=${first.pagination.next_cursor}`);
      expect([...ids(first.data), ...rest]).toEqual(await list(''));
      expect(await list('metadata.order=A')).toEqual([made[0].id]);
      expect(await list('metadata.order=a&metadata.a.b=1')).toEqual([]);
      expect(await list('status=CONFIRMED')).toEqual([]);
      expect(await list(`created_before=${made[0].created_at}`)).toEqual([]);
      expect(await list(`created_after=${made[0].created_at}`)).toHaveLength(3);
      for (const query of ['status=new', 'created_after=now', 'metadata.%22=1', 'per_page=1001'])
        expect((await get(`/transactions?${query}`)).status).toBe(400);
    });

    it('replace a transaction that is not mined', async () => {
      await chain.node.setAutomine(false);
      const { id } = await request();
      await untilStatus(service, relayer, id, 'submitted');
      const path = `${relayer.path}/transactions/${id}`;
      const replaced = await service.call({ method: 'PUT', path, body: { ...BODY, value: '7' } });
      expect([replaced.status, replaced.body.data.id]).toEqual([200, id]);
      await chain.node.setAutomine(true);
      await chain.node.mine(1);
      const final = await untilStatus(service, relayer, id);
      const sent = await chain.node.rpc<{ value: string }>('eth_getTransactionByHash', [final.hash]);
      expect(await data(`/transactions/${id}`)).toMatchObject({ status: 'confirmed', value: sent.value });
      const late = await service.call({ method: 'PUT', path, body: BODY });
      expect([late.status, late.body.error]).toEqual([
        400,
        'Invalid transaction state for replace_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]',
      ]);
    });

    it('cancel one transaction, and all transactions that are not mined', async () => {
      await chain.node.setAutomine(false);
      const [one, two, three] = [await request(), await request(), await request()];
      await untilStatus(service, relayer, three.id, 'submitted');
      const canceled = await cancel(two.id);
      expect(canceled.body.data).toMatchObject({ is_canceled: true, status: 'submitted' });
      const all = await cancel('pending');
      expect(all.body.data).toEqual({
        queued_for_cancellation_transaction_ids: [one.id, three.id],
        failed_to_queue_transaction_ids: [],
        total_processed: 2,
      });
      for (const { id } of [one, two, three])
        await service.get(`${relayer.path}/transactions/${id}?wait=mined&timeout=1`);
      await chain.node.setAutomine(true);
      await chain.node.mine(1);
      for (const { id } of [one, two, three])
        expect(await untilStatus(service, relayer, id)).toMatchObject({ status: 'canceled' });
    });

    it('accept each item of a batch separately, in order', async () => {
      const transactions = [BODY, { ...BODY, to: 'nobody' }, { ...BODY, value: '2' }];
      const send = (body: object): Promise<HttpResponse> =>
        service.post(`${relayer.path}/transactions/batch`, body);
      const { status, body } = await send({ transactions });
      expect(status).toBe(201);
      expect(body.data).toEqual([
        { transaction: expect.objectContaining({ nonce: 0 }) },
        { error: expect.stringContaining('to must be an address') },
        { transaction: expect.objectContaining({ nonce: 1, value: '0x2' }) },
      ]);
      const none = await send({ transactions, atomic: true });
      expect(none.body.data.map(({ transaction }: { transaction?: unknown }) => transaction)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect((await data('/transactions')).length).toBe(2);
      for (const wrong of [{}, { transactions: [] }, { transactions, atomic: 1 }, { transactions, x: 1 }])
        expect((await send(wrong)).status).toBe(400);
    });

    it('list the items of a batch in its order', async () => {
      await chain.node.setAutomine(false);
      const transactions = Array<object>(30).fill(BODY);
      const { body } = await service.post(`${relayer.path}/transactions/batch`, { transactions });
      const all = ids((body.data as { transaction: { id: string } }[]).map(({ transaction }) => transaction));
      expect(ids(await data('/transactions?per_page=1000'))).toEqual(all);
      const listed: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: HttpResponse['body'] = (await get(`/transactions?per_page=7&cursor=${cursor}`)).body;
        listed.push(...ids(page.data));
        cursor = page.pagination.next_cursor as string | null;
      }
      expect(listed).toEqual(all);
    });

    it('write an audit row for each refused item of a batch, as for a single request', async () => {
      const policies = { transactions: { max_value: '10' } };
      const limited = await addSendingRelayer(service, chain, { policies });
      const [few, many] = [
        { ...BODY, value: '10' },
        { ...BODY, value: '11' },
      ];
      const send = (body: object): Promise<HttpResponse> =>
        service.post(`${limited.path}/transactions/batch`, body);
      const recorded = async (): Promise<string[]> => {
        const { body } = await service.get(
          `/api/v1/audit-events?action=transaction.submit&relayer_id=${limited.path.split('/').at(-1)}&per_page=1000`,
        );
        return (body.data as { outcome: string; code: string | null; key_id: string }[])
          .map(({ outcome, code, key_id }) => `${key_id} ${code ?? outcome}`)
          .reverse();
      };
      // Malformed items are not recorded.
      await send({ transactions: [many, few, { ...BODY, to: 'nobody' }, many] });
      const refused = 'root transaction_not_allowed';
      const first = ['root success', refused, refused];
      expect(await recorded()).toEqual(first);
      await requestTransaction(service, limited, many);
      expect(await recorded()).toEqual([...first, refused]);
      // No item is accepted. Each is recorded as refused.
      await send({ transactions: [few, many], atomic: true });
      const second = [...first, refused, refused, refused];
      expect(await recorded()).toEqual(second);
      await service.patch(limited.path, { paused: true });
      expect((await send({ transactions: [few, few] })).status).toBe(403);
      expect(await recorded()).toEqual([...second, 'root relayer_paused']);
    });

    it('write an audit row for each refused replacement', async () => {
      const policies = { transactions: { max_value: '10', spend_limits: [{ per: '24h', max_value: '9' }] } };
      const limited = await addSendingRelayer(service, chain, { policies });
      await chain.node.setAutomine(false);
      const sent = await requestTransaction(service, limited, { ...BODY, value: '1' });
      const { id } = sent.body.data as { id: string };
      const replace = async (changes: object, path = id): Promise<number> => {
        const body = { ...BODY, ...changes };
        const call = { method: 'PUT', path: `${limited.path}/transactions/${path}`, body };
        return (await service.call(call)).status;
      };
      expect(await replace({ value: '11' })).toBe(403);
      // Above the spending limit only, which is decided when the replacement is stored.
      expect(await replace({ value: '10' })).toBe(403);
      // Neither what is malformed nor what does not exist is recorded, and no policy decides about it.
      expect(await replace({ to: 'nobody' })).toBe(400);
      expect(await replace({ value: '11' }, 'none')).toBe(404);
      expect(await replace({ value: '2' })).toBe(200);
      await service.patch(limited.path, { paused: true });
      expect(await replace({ value: '3' })).toBe(403);
      await chain.node.setAutomine(true);
      const { body } = await service.get(
        `/api/v1/audit-events?action=transaction.replace&relayer_id=${limited.id}`,
      );
      const row = { key_id: 'root', changes: { id: { before: id, after: id } } };
      const failure = { ...row, form: 'transaction', outcome: 'failure' };
      expect((body.data as object[]).toReversed()).toMatchObject([
        { ...failure, code: 'transaction_not_allowed' },
        { ...failure, code: 'transaction_not_allowed' },
        { ...row, outcome: 'success', code: null },
        { ...failure, code: 'relayer_paused' },
      ]);
    });

    it('return the nonces of ledger and chain, and compare them', async () => {
      const { id } = await request();
      await untilStatus(service, relayer, id);
      expect(await data('/status')).toMatchObject({
        ...{ nonce: '1', chain_nonce: '1', pending_transactions_count: 0, nonce_gaps: [] },
        ...{ oldest_open_nonce: null, last_confirmed_transaction_timestamp: expect.any(String) },
      });
      const sync = await service.post(`${relayer.path}/nonce/sync`, {});
      expect([sync.status, sync.body.data]).toEqual([
        200,
        { chain_nonce: 1, ledger_nonce: 1, gaps: [], action: 'none' },
      ]);
      const events = `/api/v1/audit-events?action=relayer.sync_nonce&relayer_id=${relayer.id}`;
      expect((await service.get(events)).body.data).toMatchObject([
        { key_id: 'root', signer_id: expect.any(String), changes: { next_nonce: { before: 1, after: 1 } } },
      ]);
    });
  });
});
