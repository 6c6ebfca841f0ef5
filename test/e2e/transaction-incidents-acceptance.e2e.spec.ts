import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { describeWithAnvil } from '../support/anvil';
import { bearer } from '../support/api-keys';
import { RevertData, revertingWith } from '../support/contracts/calls';
import { COUNTER, REVERTER, REVERTS_WHEN_ARMED } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { refuseSends, swallowSends } from '../support/faulty-proxy/chain-faults';
import { delay, dropBefore } from '../support/faulty-proxy/transport-faults';
import { apiKey, storageKey } from '../support/keys';
import { until } from '../support/private-servers';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';
import type { ShownTransaction, WantedRelayer } from '../support/transactions';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const BLOCK_GAS = 30_000_000;
const REPLACED_BY_NOOP = { to: expect.stringMatching(/^0x/), value: '0x0', data: '0x' };

describeWithAnvil('Incidents around the acceptance of transactions:', () => {
  describeService('A transaction', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    let chain: TestChain;
    let counter: string;
    let reverter: string;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5, gasLimit: BLOCK_GAS });
      counter = await deploy(chain.node, COUNTER);
      reverter = await deploy(chain.node, REVERTER);
    });

    afterAll(() => chain.stop());

    const addAccount = (wanted?: WantedRelayer) => SendingAccount.add(service, chain, wanted);

    const disable = (account: SendingAccount): Promise<unknown> =>
      service.app
        .get(DataSource)
        .query('UPDATE relayers SET system_disabled = 1 WHERE id = ?', [account.relayer.id]);

    /** Expects both fees to be at least an eighth and 1 wei above the old fees. */
    const expectHigherFees = (
      { max_fee_per_gas: fee, max_priority_fee_per_gas: tip }: ShownTransaction,
      old: ShownTransaction,
    ): void => {
      const least = (wei: string | null): bigint => (BigInt(wei!) * 9n) / 8n + 1n;
      expect(BigInt(fee!)).toBeGreaterThanOrEqual(least(old.max_fee_per_gas));
      expect(BigInt(tip!)).toBeGreaterThanOrEqual(least(old.max_priority_fee_per_gas));
    };

    /** Expects that only a no-op was mined. */
    const expectNoop = async (account: SendingAccount, status: string, id: string): Promise<void> => {
      const final = await account.untilFinal(id);
      expect(final).toMatchObject({ ...REPLACED_BY_NOOP, status, nonce: 0, to: account.relayer.address });
      expect(await account.minedValues()).toEqual([0]);
    };

    together({
      'is refused with the reason if it would revert, and uses no nonce': async () => {
        const account = await addAccount();
        const reasons = [
          [RevertData.error('no more'), 'no more'],
          [RevertData.panic(0x11), 'Panic(0x11): arithmetic overflow or underflow'],
          [RevertData.custom(1, 2), 'custom error 0xcf479181'],
        ] as const;
        for (const [data, reason] of reasons) {
          const response = await account.request({
            ...{ to: reverter, gas_limit: null },
            data: revertingWith(data),
          });
          expect([response.status, response.body.error]).toEqual([
            400,
            `Transaction would revert: ${reason}`,
          ]);
        }
        expect(await account.nextNonce()).toBe(0);
      },

      'is accepted if it would revert while no node is reachable, and a no-op takes its nonce later':
        async () => {
          const account = await addAccount();
          const rule = account.proxy.add(dropBefore());
          const data = revertingWith(RevertData.error('no more'));
          const { id } = await account.send({ to: reverter, gas_limit: null, value: '0', data });
          expect(await account.shown(id)).toMatchObject({ status: 'pending', nonce: 0 });
          await until('the explanation', async () => (await account.shown(id)).status_reason !== null);
          expect((await account.shown(id)).status_reason).toBe('Waiting: no node responds');
          account.proxy.remove(rule);
          await expectNoop(account, 'failed', id);
          expect(await account.shown(id)).toMatchObject({
            status_reason: 'Transaction would revert: no more',
            revert_reason: 'no more',
            revert_data: RevertData.error('no more'),
          });
        },

      'is refused if it can never be valid, and uses no nonce': async () => {
        const account = await addAccount();
        // After this, the block gas limit is known, even if the first calls are slow.
        await account.untilFinal((await account.send()).id);
        const { status, body } = await account.request({ gas_limit: BLOCK_GAS + 1 });
        expect([status, body.error]).toEqual([
          400,
          `Transaction gas limit (${BLOCK_GAS + 1}) exceeds block gas limit (${BLOCK_GAS})`,
        ]);
        const oversized = await account.request({
          gas_limit: BLOCK_GAS,
          // The rest is too small for the other members and the signature.
          data: `0x${'11'.repeat(128 * 1024 - 150)}`,
        });
        expect([oversized.status, oversized.body.error]).toEqual([
          400,
          'the transaction must not exceed 131072 bytes',
        ]);
        expect(await account.nextNonce()).toBe(1);
      },

      'fails if a node reports only later that it can never be valid, and a no-op takes its nonce':
        async () => {
          const account = await addAccount();
          account.proxy.add(refuseSends({ code: -32000, message: 'exceeds block gas limit' }), { times: 1 });
          const { id } = await account.send();
          await expectNoop(account, 'failed', id);
        },

      'is canceled by a no-op with its nonce and higher fees than all its attempts': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(swallowSends());
        const { id } = await account.send({ value: '5' });
        const old = await account.untilStatus(id, 'submitted');
        const response = await account.cancel(id);
        expect(response.status).toBe(200);
        expect(response.body.data).toMatchObject({ is_canceled: true, status: 'submitted' });
        const noop = await account.untilShown(id, 'replaced', ({ hashes }) => hashes.length === 2);
        expectHigherFees(noop, old);
        account.proxy.remove(rule);
        await expectNoop(account, 'canceled', id);
      },

      'is confirmed if it is mined before its cancellation': async () => {
        const account = await addAccount();
        const { body, number } = SendingAccount.execution(counter);
        const { id } = await account.send(body);
        await account.untilStatus(id, 'submitted');
        account.proxy.add(refuseSends({ code: -32000, message: 'txpool is full' }));
        const canceled = await account.cancel(id);
        const final = await account.untilFinal(id);
        expect(final).toMatchObject({ status: 'confirmed', is_canceled: canceled.status === 200 });
        expect(final.status_reason).toBeNull();
        expect(await account.timesExecuted(counter, number)).toBe(1);
      },

      'is canceled by a no-op even if it was never signed': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(dropBefore());
        const { id } = await account.send({ value: '5' });
        expect((await account.shown(id)).hashes).toEqual([]);
        expect((await account.cancel(id)).status).toBe(200);
        account.proxy.remove(rule);
        await expectNoop(account, 'canceled', id);
        expect((await account.shown(id)).hashes).toHaveLength(1);
      },

      'is changed by concurrent PUT and DELETE requests one after the other': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(swallowSends());
        const { id } = await account.send({ value: '5' });
        await account.untilStatus(id, 'submitted');
        const responses = await Promise.all([
          ...[6, 7, 8, 9].map((value) => account.replace(id, { value: `${value}`, gas_limit: 21_000 })),
          account.cancel(id),
          ...[10, 11, 12].map((value) => account.replace(id, { value: `${value}`, gas_limit: 21_000 })),
        ]);
        expect(responses[4]!.status).toBe(200);
        for (const { status } of responses) expect([200, 400]).toContain(status);
        await account.untilShown(id, 'a no-op', ({ to }) => to === account.relayer.address);
        account.proxy.remove(rule);
        await expectNoop(account, 'canceled', id);
        expect((await account.replace(id, { gas_limit: 21_000 })).body.error).toBe(
          'Invalid transaction state for replace_transaction. Current: Canceled, ' +
            'Expected one of: [Pending, Sent, Submitted]',
        );
      },

      'is mined with its new content and the same nonce after it was replaced': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(swallowSends());
        const { id } = await account.send({ value: '5' });
        const old = await account.untilStatus(id, 'submitted');
        expect((await account.replace(id, { value: '6', gas_limit: 21_000 })).status).toBe(200);
        const renewed = await account.untilShown(id, 'replaced', ({ hashes }) => hashes.length === 2);
        expectHigherFees(renewed, old);
        account.proxy.remove(rule);
        const final = await account.untilFinal(id);
        expect(final).toMatchObject({ status: 'confirmed', nonce: 0, value: '0x6', hash: final.hashes[1] });
        expect(await account.minedValues()).toEqual([6]);
      },

      'is refused if the relayer is paused during the simulation': async () => {
        const account = await addAccount();
        account.proxy.add(swallowSends());
        const { id } = await account.send();
        await account.untilStatus(id, 'submitted');
        const rule = account.proxy.add(delay(1500), { methods: ['eth_estimateGas'] });
        const body = { gas_limit: null, data: '0x01' };
        const requests = Promise.all([
          account.request(body),
          account.replace(id, body),
          account.call('POST', '/transactions/batch', {
            transactions: [{ to: counter, value: '0', speed: 'fast' }],
          }),
        ]);
        await account.until('simulated', () => rule.met >= 3);
        expect((await account.call('PATCH', '', { paused: true })).status).toBe(200);
        const responses = await requests;
        expect(responses.map(({ status, body: { message } }) => [status, message])).toEqual(
          Array(3).fill([403, 'Relayer paused']),
        );
        expect(await account.nextNonce()).toBe(1);
      },

      'is not accepted once its client has given up, and may have repeated it': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(delay(1000), { methods: ['eth_estimateGas'] });
        const headers = { ...bearer(service.config.apiKeys[0].reveal()), 'content-type': 'application/json' };
        const body = { to: counter, value: '0', speed: 'fast' };
        const post = (path: string, content: object): Promise<unknown> => {
          const signal = AbortSignal.timeout(500);
          const url = `${service.url}${account.relayer.path}${path}`;
          return fetch(url, { method: 'POST', headers, body: JSON.stringify(content), signal });
        };
        const lost = [post('/transactions', body), post('/transactions/batch', { transactions: [body] })];
        for (const request of lost) await expect(request).rejects.toThrow('aborted');
        await account.until('simulated', () => rule.met >= 2);
        expect(await account.send({ gas_limit: 21_000 })).toMatchObject({ nonce: 0 });
        await sleep(1500);
        expect(await account.nextNonce()).toBe(1);
      },

      'is refused while the relayer is paused or disabled, but processed if it was accepted before':
        async () => {
          const all = [
            (account: SendingAccount) => account.call('PATCH', '', { paused: true }),
            (account: SendingAccount) => disable(account),
          ].map(async (stop) => {
            const account = await addAccount();
            const rule = account.proxy.add(dropBefore());
            const [first, second] = [await account.send(), await account.send()];
            await stop(account);
            expect((await account.request()).status).toBe(403);
            expect((await account.replace(first.id, { gas_limit: 21_000 })).status).toBe(403);
            expect((await account.cancel(second.id)).status).toBe(200);
            account.proxy.remove(rule);
            expect(await account.untilFinal(first.id)).toMatchObject({ status: 'confirmed' });
            expect(await account.untilFinal(second.id)).toMatchObject({ status: 'canceled' });
          });
          await Promise.all(all);
        },

      'expires if it is not mined in time, and a no-op takes its nonce': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(swallowSends());
        const valid_until = new Date(Date.now() + 3000).toISOString();
        const { id } = await account.send({ value: '5', valid_until });
        await account.untilStatus(id, 'submitted');
        const { hashes } = await account.untilShown(
          id,
          'a no-op',
          ({ to }) => to === account.relayer.address,
        );
        expect((await account.cancel(id)).body.data).toMatchObject({ is_canceled: true, hashes });
        expect((await account.call('DELETE', '/transactions/pending')).status).toBe(200);
        account.proxy.remove(rule);
        await expectNoop(account, 'expired', id);
        expect((await account.shown(id)).hashes).toEqual(hashes);
      },

      'is confirmed or expires, depending on what is mined, if its time ends during the broadcast':
        async () => {
          const account = await addAccount();
          account.proxy.add(delay(2500), { methods: ['eth_sendRawTransaction'], times: 1 });
          const { body, number } = SendingAccount.execution(counter);
          const valid_until = new Date(Date.now() + 1500).toISOString();
          const { id } = await account.send({ ...body, valid_until });
          const { status } = await account.untilFinal(id);
          expect(['confirmed', 'expired']).toContain(status);
          expect(await account.timesExecuted(counter, number)).toBe(status === 'confirmed' ? 1 : 0);
          expect(await account.minedValues()).toHaveLength(1);
        },

      'fails with the reason if it reverts only on-chain': async () => {
        const contract = await deploy(chain.node, REVERTS_WHEN_ARMED);
        const account = await addAccount();
        const rule = account.proxy.add(swallowSends());
        const data = revertingWith(RevertData.custom(1, 2));
        const { id } = await account.send({ to: contract, gas_limit: null, data });
        await account.untilStatus(id, 'submitted');
        await chain.node.setStorage(contract, 0n, 1n);
        account.proxy.remove(rule);
        expect(await account.untilFinal(id)).toMatchObject({
          ...{ status: 'failed', nonce: 0 },
          revert_reason: 'custom error 0xcf479181',
          revert_data: RevertData.custom(1, 2),
        });
      },
    });
  });

  describeService('A transaction that was sent', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5, gasLimit: BLOCK_GAS });
    });

    afterAll(() => chain.stop());

    it('fails if the block gas limit stays below its own, and a no-op takes its nonce', async () => {
      const account = await SendingAccount.add(service, chain);
      const rule = account.proxy.add(swallowSends());
      // Their fees are not raised, so they are never priced again.
      const fees = { speed: null, max_fee_per_gas: '20000000000', max_priority_fee_per_gas: '2000000000' };
      const { id } = await account.send({ value: '5', gas_limit: BLOCK_GAS, ...fees });
      const next = await account.send({ value: '6' });
      await account.untilStatus(id, 'submitted');
      await account.untilStatus(next.id, 'submitted');
      await chain.node.rpc('evm_setBlockGasLimit', ['0xf42400']);
      await chain.node.mine(2);
      account.proxy.remove(rule);
      const arrived = account.arrived.length;
      await account.until('sent again', () => account.arrived.length > arrived + 4);
      expect(await account.shown(id)).toMatchObject({ status: 'submitted', to: RECEIVER });
      // Ten minutes of blocks.
      await chain.node.mine(600);
      expect(await account.untilFinal(id)).toMatchObject({
        ...{ ...REPLACED_BY_NOOP, status: 'failed', nonce: 0, to: account.relayer.address },
        status_reason: `Transaction gas limit (${BLOCK_GAS}) exceeds block gas limit (16000000)`,
      });
      expect(await account.untilFinal(next.id)).toMatchObject({ status: 'confirmed', nonce: 1 });
    });
  });

  describeService(
    'A service that was restarted',
    { settings: SETTINGS, startFor: 'none', onlySqlite: true },
    (suite) => {
      it('first sends the bytes that it stored before the restart', async () => {
        const { service, database } = suite;
        const chain = await TestChain.start({ blockTime: 0.5 });
        const keys = { STORAGE_ENCRYPTION_KEY: storageKey(3), API_KEY: apiKey('incidents') };
        try {
          await service.start(database, { ...SETTINGS, ...keys });
          const account = await SendingAccount.add(service, chain);
          const rule = account.proxy.add(dropBefore(), { methods: ['eth_sendRawTransaction'] });
          const { id } = await account.send({ value: '5' });
          await account.untilShown(id, 'signed', ({ hashes }) => hashes.length === 1 && rule.met > 0);
          await service.close();
          const before = account.arrived;
          account.proxy.clear();
          await service.start(database, { ...SETTINGS, ...keys });
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce: 0, hash: before[0]!.hash });
          expect(new Set(account.arrived.map(({ raw }) => raw))).toEqual(new Set([before[0]!.raw]));
          expect(account.arrived.length).toBeGreaterThan(before.length);
        } finally {
          await chain.stop();
        }
      });
    },
  );
});
