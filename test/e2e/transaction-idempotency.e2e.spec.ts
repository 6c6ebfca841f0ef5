import { randomBytes } from 'node:crypto';
import { TransactionRows } from '../../src/transactions/transaction-rows';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const BODY = {
  to: RECEIVER,
  value: '7',
  speed: 'fast',
  gas_limit: 21_000,
  metadata: { order: '1', by: 'a' },
};
/** The same JSON in another order. */
const REORDERED = {
  ...{ metadata: { by: 'a', order: '1' }, gas_limit: 21_000, speed: 'fast', value: '7' },
  to: RECEIVER,
};
const CONFLICT =
  'Idempotency-Key was used for a request with another body: send a new key for a new transaction';

describeWithAnvil('Repeated requests', () => {
  describeService('A client that repeats a POST', ({ service }) => {
    let chain: TestChain;
    let account: SendingAccount;
    let keys = 0;

    beforeAll(async () => {
      chain = await TestChain.start();
      account = await SendingAccount.add(service, chain);
    });

    afterAll(() => chain.stop());

    const newKey = (): string => `key-${(keys += 1)}`;

    const sendBatch = async (
      sender: SendingAccount,
      key: string,
      transactions: object[],
      atomic: boolean,
    ) => {
      const headers = { 'idempotency-key': key };
      const path = `${sender.relayer.path}/transactions/batch`;
      const body = { transactions, atomic };
      const response = await service.call({ method: 'POST', path, headers, body });
      const items = response.body.data as { transaction?: { id: string }; error?: string }[] | null;
      return { status: response.status, items: items?.map((item) => item.transaction?.id ?? item.error) };
    };

    const createOk = async (path: string, body: object): Promise<void> => {
      const { status } = await service.call({ method: 'POST', path: `/api/v1/${path}`, body });
      expect(status).toBe(201);
    };

    /** Deletes the relayer of an account, and creates it under its id with another signer. */
    const recreate = async (sender: SendingAccount): Promise<void> => {
      const { id, network } = sender.relayer;
      expect((await sender.call('DELETE', '')).status).toBe(200);
      const signer = `again-${id}`;
      await createOk('signers', {
        ...{ id: signer, type: 'plain' },
        config: { key: service.keepSecret(randomBytes(32).toString('hex')) },
      });
      const named = { id, name: id, network, network_type: 'evm', signer_id: signer, paused: false };
      await createOk('relayers', named);
    };

    it('finds transactions by an exact match of their metadata', async () => {
      const orders = ['42', '42 ', ' 42', 'a', 'A'];
      for (const order of orders) await account.send({ ...BODY, metadata: { exact: order } });
      for (const order of orders) {
        const query = `metadata.exact=${encodeURIComponent(order)}`;
        const { body } = await account.call('GET', `/transactions?${query}`);
        expect(body.data.map((each: { metadata: object }) => each.metadata)).toEqual([{ exact: order }]);
      }
    });

    it('finds transactions by any name that metadata may have', async () => {
      const names = ['-', '-x', '--', '-1', '-.', '-a-b', 'a-b', '1.5', '..', '_', '0'];
      for (const name of names) await account.send({ ...BODY, metadata: { all: 'names', [name]: 'é"' } });
      for (const name of names) {
        const query = `metadata.${name}=${encodeURIComponent('é"')}&metadata.all=names`;
        const { body } = await account.call('GET', `/transactions?${query}`);
        expect([name, body.data.map((each: { metadata: object }) => each.metadata)]).toEqual([
          name,
          [{ all: 'names', [name]: 'é"' }],
        ]);
      }
    });

    it('gets the first record, also if the fields are in another order', async () => {
      const key = newKey();
      const first = await account.request(BODY, key);
      const again = [await account.request(BODY, key), await account.request(REORDERED, key)];
      expect([first, ...again].map(({ status }) => status)).toEqual([201, 200, 200]);
      const ids = [first, ...again].map(({ body }) => body.data.id);
      expect(new Set(ids).size).toBe(1);
      expect(await account.nextNonce()).toBe(1 + Number(first.body.data.nonce));
    });

    it('gets one record for 20 concurrent requests', async () => {
      const key = newKey();
      const next = await account.nextNonce();
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => account.request(i % 2 ? BODY : REORDERED, key)),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
      expect(await account.nextNonce()).toBe(next + 1);
    });

    it('gets a record for each of 20 keys that are used concurrently', async () => {
      const next = await account.nextNonce();
      const sent = await Promise.all(Array.from({ length: 20 }, () => account.send(BODY, newKey())));
      const nonces = sent.map(({ nonce }) => nonce!).sort((a, b) => a - b);
      expect(nonces).toEqual(Array.from({ length: 20 }, (_, i) => next + i));
      for (const { id } of sent) await account.untilShown(id, 'mined', ({ sent_at }) => sent_at !== null);
    });

    it('gets 409 for another body, and nothing changes', async () => {
      const key = newKey();
      const { id } = await account.send(BODY, key);
      const next = await account.nextNonce();
      const other = await account.request({ ...BODY, value: '8' }, key);
      expect([other.status, other.body.message]).toEqual([409, 'Idempotency-Key already used']);
      expect(await account.nextNonce()).toBe(next);
      expect(await account.shown(id)).toMatchObject({ value: '0x7' });
      expect((await account.request(BODY, key)).body.data.id).toBe(id);
    });

    it('may reuse the key of a rejected request', async () => {
      const key = newKey();
      expect((await account.request({ ...BODY, gas_limit: 1 }, key)).status).toBe(400);
      expect((await account.request(BODY, key)).status).toBe(201);
    });

    it('shares no keys with other relayers', async () => {
      const key = newKey();
      const other = await SendingAccount.add(service, chain);
      const [one, two] = [await account.send(BODY, key), await other.send(BODY, key)];
      expect(one.id).not.toBe(two.id);
    });

    it('gets the record of a relayer that was paused in the meantime', async () => {
      const key = newKey();
      const other = await SendingAccount.add(service, chain);
      const { id } = await other.send(BODY, key);
      await other.call('PATCH', '', { paused: true });
      const again = await other.request(BODY, key);
      expect([again.status, again.body.data.id]).toEqual([200, id]);
      expect((await other.request(BODY, newKey())).status).toBe(403);
    });

    it('gets 409 for a key that an earlier relayer with this id used, which had another account', async () => {
      const [key, ofBatch] = [newKey(), newKey()];
      const other = await SendingAccount.add(service, chain);
      await other.send(BODY, key);
      await sendBatch(other, ofBatch, [BODY], false);
      await other.until('final', async () => {
        await chain.node.mine();
        const { body } = await other.call('GET', '/transactions');
        return body.data.every(({ status }: { status: string }) => status === 'confirmed');
      });
      await recreate(other);
      const refused = async (): Promise<void> => {
        const { status, body } = await other.request(BODY, key);
        expect([status, body.error]).toEqual([
          409,
          'Idempotency-Key was used by an earlier relayer with this id, which had another account: send a new key for a new transaction',
        ]);
        for (const atomic of [false, true]) {
          const { items } = await sendBatch(other, ofBatch, [BODY], atomic);
          expect(items).toEqual([body.error]);
        }
      };
      await refused();
      expect((await other.request(BODY, newKey())).status).toBe(201);
      await other.call('PATCH', '', { paused: true });
      await refused();
    });

    describe.each([false, true])('with a batch (atomic: %s)', (atomic) => {
      it('gets its records, also of an item that has expired in the meantime', async () => {
        const key = newKey();
        const valid_until = new Date(Date.now() + 2000).toISOString();
        const transactions = [BODY, { ...BODY, valid_until }];
        const first = await sendBatch(account, key, transactions, atomic);
        const next = await account.nextNonce();
        await account.until('too late', () => Date.parse(valid_until) < Date.now());
        expect(await sendBatch(account, key, transactions, atomic)).toEqual(first);
        expect(await account.nextNonce()).toBe(next);
      });

      it('shares no keys with single requests', async () => {
        const [before, after] = [newKey(), newKey()];
        const first = await account.send(BODY, `${before}#0`);
        const batches = [
          await sendBatch(account, before, [BODY], atomic),
          await sendBatch(account, after, [BODY], atomic),
        ];
        expect(batches.map(({ status }) => status)).toEqual([201, 201]);
        const last = await account.request(BODY, `${after}#0`);
        expect(last.status).toBe(201);
        const ids = [first.id, last.body.data.id, ...batches.flatMap(({ items }) => items)];
        expect(new Set(ids).size).toBe(4);
        expect((await account.request(BODY, `${after}#0`)).body.data.id).toBe(last.body.data.id);
        expect(await sendBatch(account, before, [BODY], atomic)).toEqual(batches[0]);
      });

      it('gets records that an earlier version stored with another form of the key', async () => {
        const [ofBatch, single] = [newKey(), `${newKey()}#7`];
        const first = await sendBatch(account, ofBatch, [BODY, BODY], atomic);
        const { id } = await account.send(BODY, single);
        const { repository } = service.app.get(TransactionRows);
        for (const [i, item] of first.items!.entries())
          await repository.update({ id: item! }, { idempotencyKey: `${ofBatch}#${i}` });
        await repository.update({ id }, { idempotencyKey: single });
        const next = await account.nextNonce();
        expect(await sendBatch(account, ofBatch, [BODY, BODY], atomic)).toEqual(first);
        expect((await account.request(BODY, single)).body.data.id).toBe(id);
        expect((await account.request({ ...BODY, value: '8' }, single)).status).toBe(409);
        expect(await account.nextNonce()).toBe(next);
      });

      it('gets its records with a key of maximum length', async () => {
        const key = newKey().padEnd(255, 'k');
        const first = await sendBatch(account, key, [BODY, BODY], atomic);
        const next = await account.nextNonce();
        expect(first.status).toBe(201);
        expect(await sendBatch(account, key, [BODY, BODY], atomic)).toEqual(first);
        const other = await sendBatch(account, key.replace(/.$/, 'x'), [BODY], atomic);
        expect(first.items).not.toContain(other.items![0]);
        expect(await account.nextNonce()).toBe(next + 1);
      });

      it('gets its records of a relayer that was paused in the meantime, but no new records', async () => {
        const key = newKey();
        const other = await SendingAccount.add(service, chain);
        const first = await sendBatch(other, key, [BODY, BODY], atomic);
        await other.call('PATCH', '', { paused: true });
        expect(await sendBatch(other, key, [BODY, BODY], atomic)).toEqual(first);
        expect((await sendBatch(other, newKey(), [BODY, BODY], atomic)).status).toBe(403);
        const next = await other.nextNonce();
        const { status, items } = await sendBatch(other, key, [BODY, BODY, BODY], atomic);
        if (atomic) expect(status).toBe(403);
        else expect(items).toEqual([CONFLICT, CONFLICT, 'Relayer paused']);
        expect(await other.nextNonce()).toBe(next);
      });

      it.each([
        ['a longer one', [BODY, BODY, BODY]],
        ['a shorter one', [BODY]],
        ['one with another item', [BODY, { ...BODY, value: '8' }]],
        ['one with an item that is now invalid', [BODY, { ...BODY, gas_limit: 1 }]],
      ])('gets a conflict for %s with the same key, and nothing changes', async (_, transactions) => {
        const key = newKey();
        const first = await sendBatch(account, key, [BODY, BODY], atomic);
        const next = await account.nextNonce();
        const { items } = await sendBatch(account, key, transactions, atomic);
        expect(items).toContain(CONFLICT);
        for (const id of first.items!) expect(items).not.toContain(id);
        expect(await account.nextNonce()).toBe(next);
        expect(await sendBatch(account, key, [BODY, BODY], atomic)).toEqual(first);
      });
    });

    it('gets the records of a batch that was accepted in part, from a relayer that is now paused', async () => {
      const key = newKey();
      const other = await SendingAccount.add(service, chain);
      const transactions = [BODY, { ...BODY, gas_limit: 1 }];
      const [id] = (await sendBatch(other, key, transactions, false)).items!;
      await other.call('PATCH', '', { paused: true });
      expect((await sendBatch(other, key, transactions, false)).items).toEqual([id, 'Relayer paused']);
    });

    it.each([
      ['empty', ''],
      ['of 256 characters', 'k'.repeat(256)],
      ['with a blank', 'a b'],
      ['with a non-ASCII character', 'ké'],
    ])('may not use a key that is %s', async (_, key) => {
      const next = await account.nextNonce();
      const response = await account.request(BODY, key);
      expect(response.status).toBe(400);
      expect(await account.nextNonce()).toBe(next);
    });

    it.each([
      ['of one character', '!'],
      ['of 255 characters', '~'.repeat(255)],
    ])('may use a key that is %s', async (_, key) => {
      const { id } = await account.send(BODY, key);
      expect((await account.request(BODY, key)).body.data.id).toBe(id);
    });
  });
});
