import { keccak256 } from 'ethers';
import { TransactionRows } from '../../src/transactions/transaction-rows';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { errorInstead } from '../support/faulty-proxy/transport-faults';
import { mineAt, OwnChains } from '../support/own-chains';
import { SendingAccount } from '../support/sending-account';
import { together } from '../support/together';
import type { ShownTransaction, WantedRelayer } from '../support/transactions';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '2' };
const GWEI = 10n ** 9n;
const CAP = 3n * GWEI;
const CAPPED = { policies: { gas_price_cap: Number(CAP) } };

describeWithAnvil('Incidents with fees:', () => {
  describeService('A transaction', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    const chains = new OwnChains(service);

    afterAll(() => chains.stop());

    const add = (wanted?: WantedRelayer): Promise<SendingAccount> => chains.add(wanted);

    const mineUntilFinal = (account: SendingAccount, id: string): Promise<ShownTransaction> =>
      account.untilShown(id, 'final', async ({ status }) => {
        await account.node.mine();
        return ['confirmed', 'failed', 'canceled'].includes(status);
      });

    const untilRefusedOften = (account: SendingAccount): Promise<void> =>
      account.until('refused', () => account.arrived.filter(({ outcome }) => outcome === 'error').length > 1);

    together({
      'waits while the base fee is above the cap, and is mined when it falls': async () => {
        const account = await add(CAPPED);
        await mineAt(account, 10n * GWEI);
        const { id } = await account.send();
        await untilRefusedOften(account);
        const waiting = await account.shown(id);
        expect(waiting).toMatchObject({ status: 'sent', max_fee_per_gas: `${CAP}` });
        expect(waiting.status_reason).toMatch(/^Waiting: the fees are/);
        await mineAt(account, GWEI);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', max_fee_per_gas: `${CAP}`, status_reason: null });
        expect(final.hashes).toHaveLength(1);
      },

      'stays submitted and is sent again when the base fee rises above the cap, and is mined when it falls':
        async () => {
          const account = await add(CAPPED);
          account.proxy.add(swallowSends());
          const { id } = await account.send();
          await account.untilStatus(id, 'submitted');
          await mineAt(account, 10n * GWEI);
          const sends = account.arrived.length;
          await account.until('sent again', () => account.arrived.length > sends + 2);
          expect(await account.shown(id)).toMatchObject({ status: 'submitted', max_fee_per_gas: `${CAP}` });
          account.proxy.clear();
          await mineAt(account, GWEI);
          expect(await mineUntilFinal(account, id)).toMatchObject({ status: 'confirmed', nonce: 0 });
        },

      'can be canceled while the base fee is above the cap, and the no-op is mined when it falls':
        async () => {
          const account = await add(CAPPED);
          await mineAt(account, 10n * GWEI);
          const { id } = await account.send({ value: '5' });
          await untilRefusedOften(account);
          expect((await account.cancel(id)).status).toBe(200);
          await account.untilShown(id, 'replaced', ({ hashes }) => hashes.length > 1);
          await mineAt(account, GWEI);
          expect(await mineUntilFinal(account, id)).toMatchObject({ status: 'canceled' });
          expect(await account.minedValues()).toEqual([0]);
        },

      'keeps the exact fees of the client below the base fee, and is mined when it falls': async () => {
        const account = await add();
        await mineAt(account, 10n * GWEI);
        const fees = { max_fee_per_gas: `${2n * GWEI}`, max_priority_fee_per_gas: '1' };
        const { id } = await account.send({ ...fees, speed: null });
        await untilRefusedOften(account);
        expect(await account.shown(id)).toMatchObject({ status: 'sent', ...fees });
        await mineAt(account, GWEI);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', ...fees });
        expect(final.hashes).toHaveLength(1);
      },

      'keeps its attempt if it is replaced by the same content and fees': async () => {
        const account = await add();
        account.proxy.add(swallowSends());
        const body = { ...{ gas_price: `${4n * GWEI}`, speed: null }, gas_limit: 21_000 };
        const { id } = await account.send(body);
        await account.untilStatus(id, 'submitted');
        expect((await account.replace(id, body)).status).toBe(200);
        const sends = account.arrived.length;
        await account.until('sent again', () => account.arrived.length > sends + 1);
        account.proxy.clear();
        expect((await mineUntilFinal(account, id)).hashes).toHaveLength(1);
        const { data } = (await account.call('GET', `/transactions/${id}/attempts`)).body;
        expect(data).toHaveLength(1);
      },

      'has its original content again if its original attempt is mined after a replacement': async () => {
        const account = await add();
        const before = { data: '0xaaaa', value: '1', gas_limit: 50_000 };
        const { id } = await account.send(before);
        await account.untilStatus(id, 'submitted');
        account.proxy.add(swallowSends());
        const after = { data: '0xbbbb', value: '2', gas_limit: 60_000 };
        const response = await account.replace(id, after);
        expect(response.status).toBe(200);
        // The old content, until the new content is signed.
        expect(response.body.data).toMatchObject({ data: '0xaaaa', value: '0x1', gas_limit: 50_000 });
        const replaced = await account.untilShown(id, 'replaced', ({ hashes }) => hashes.length > 1);
        expect(replaced).toMatchObject({ data: '0xbbbb', value: '0x2', gas_limit: 60_000 });
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', hash: final.hashes[0] });
        expect(final).toMatchObject({ data: '0xaaaa', value: '0x1', gas_limit: 50_000 });
      },

      'gets higher fees if it is not mined for a while': async () => {
        const account = await add({ policies: { gas_price_cap: Number(10n * GWEI) } });
        account.proxy.add(swallowSends());
        const { id } = await account.send();
        const first = await account.untilStatus(id, 'submitted');
        const second = await account.untilShown(id, 'bumped', async ({ hashes }) => {
          await account.node.mine();
          return hashes.length === 2;
        });
        for (const name of ['max_fee_per_gas', 'max_priority_fee_per_gas'] as const)
          expect(BigInt(second[name]!)).toBeGreaterThanOrEqual((BigInt(first[name]!) * 9n) / 8n + 1n);
        account.proxy.clear();
        const final = await mineUntilFinal(account, id);
        expect(final.status).toBe('confirmed');
        expect(final.hashes).toContain(final.hash);
      },

      'is sent again and confirmed while no node reports fees': async () => {
        const account = await add();
        const lost = account.proxy.add(swallowSends());
        const { id } = await account.send();
        const { hash } = await account.untilStatus(id, 'submitted');
        account.proxy.add(errorInstead({ code: -32603, message: 'Internal error' }), {
          methods: ['eth_feeHistory', 'eth_gasPrice'],
        });
        // The fee market is read again for each block.
        await account.node.mine();
        account.proxy.remove(lost);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', hash, hashes: [hash] });
      },

      'can be canceled if the balance cannot cover its fees': async () => {
        const account = await add();
        const { id } = await account.send({ gas_price: `${10n ** 18n}`, speed: null });
        await untilRefusedOften(account);
        expect((await account.cancel(id)).status).toBe(200);
        await account.untilStatus(id, 'submitted');
        expect(await mineUntilFinal(account, id)).toMatchObject({ status: 'canceled' });
      },

      'can be replaced without fixed fees if the balance cannot cover its fees': async () => {
        const account = await add();
        const { id } = await account.send({ gas_price: `${10n ** 18n}`, speed: null });
        await untilRefusedOften(account);
        expect((await account.replace(id, { gas_limit: 21_000 })).status).toBe(200);
        await account.untilStatus(id, 'submitted');
        expect(await mineUntilFinal(account, id)).toMatchObject({ status: 'confirmed' });
      },

      'cannot be replaced after 100 attempts, but can be canceled': async () => {
        const account = await add();
        account.proxy.add(swallowSends());
        const { id } = await account.send();
        await account.untilStatus(id, 'submitted');
        const hashes = Array.from({ length: 100 }, (_, i) => keccak256(Buffer.from([i])));
        await service.app.get(TransactionRows).repository.update({ id }, { hashes });
        const { status, body } = await account.replace(id, { gas_limit: 21_000 });
        expect([status, body.error]).toEqual([
          400,
          'the transaction has 100 attempts, and cannot be replaced any more: cancel it, or wait until it is mined',
        ]);
        expect((await account.cancel(id)).status).toBe(200);
        await account.untilShown(id, 'canceled', (shown) => shown.hashes.length > 100);
        account.proxy.clear();
        expect(await mineUntilFinal(account, id)).toMatchObject({ status: 'canceled' });
      },

      'can be canceled if the base fee has fallen and no pool has it': async () => {
        const account = await add();
        await mineAt(account, 500n * GWEI);
        const rule = account.proxy.add(swallowSends());
        const { id } = await account.send({ value: '5' });
        await account.untilStatus(id, 'submitted');
        await mineAt(account, GWEI);
        const polls = account.proxy.record.count('eth_getBlockByNumber');
        await account.until('polls', () => account.proxy.record.count('eth_getBlockByNumber') > polls + 2);
        expect((await account.cancel(id)).status).toBe(200);
        await account.until('sends', () => rule.met > 4);
        account.proxy.clear();
        expect(await mineUntilFinal(account, id)).toMatchObject({ status: 'canceled' });
      },
    });
  });
});
