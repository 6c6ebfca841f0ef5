import { Wallet, ZeroAddress } from 'ethers';
import { describeWithAnvil } from '../support/anvil';
import { COUNTER } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { hiddenReceipts, shiftedNonces, swallowSends } from '../support/faulty-proxy/chain-faults';
import { errorInstead } from '../support/faulty-proxy/transport-faults';
import { hasNonce, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';
import type { WantedRelayer } from '../support/transactions';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
/** It takes longer than a lane to conclude that the use of a nonce is unknown. */
const OPTIONS = { settings: SETTINGS, transactions: { unknownUseMs: 12_000, laneMs: 8000 } };
const BALANCE = 10n ** 21n;
/** More confirmations than a state needs to be trusted. */
const DEPTH = 16;
/** A node without the state of earlier blocks. */
const NO_HISTORY = errorInstead({ code: -32000, message: 'missing trie node' });

describeWithAnvil('Incidents with nonces:', () => {
  describeService('A transaction', OPTIONS, ({ service }) => {
    let chain: TestChain;
    let counter: string;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      counter = await deploy(chain.node, COUNTER);
    });

    afterAll(() => chain.stop());

    const addAccount = (wanted?: WantedRelayer) => SendingAccount.add(service, chain, wanted);

    const sendElsewhere = async (account: SendingAccount, times: number): Promise<void> => {
      const before = await account.chainNonce();
      for (let i = 0; i < times; i += 1) await account.sendElsewhere();
      await account.until('blocks', async () => (await account.chainNonce()) === before + times);
    };

    /** Sends a transaction, and expects it to be confirmed with the nonce and executed once. */
    const expectExecution = async (account: SendingAccount, nonce: number): Promise<void> => {
      const { body, number } = SendingAccount.execution(counter);
      const { id } = await account.send(body);
      const final = await account.untilFinal(id);
      expect(final).toMatchObject({ status: 'confirmed', nonce });
      expect(await account.timesExecuted(counter, number)).toBe(1);
    };

    together({
      'uses the nonce of the chain if the key was used elsewhere before the first request': async () => {
        const account = await addAccount();
        await sendElsewhere(account, 3);
        await expectExecution(account, 3);
      },

      'uses the nonce of the chain if the key was used elsewhere while the service was idle': async () => {
        const account = await addAccount();
        await expectExecution(account, 0);
        await sendElsewhere(account, 2);
        await expectExecution(account, 3);
        expect(await account.nextNonce()).toBe(4);
        expect(await account.chainNonce()).toBe(4);
      },

      'gets another nonce, unlike later transactions, once the use of its nonce elsewhere is final':
        async () => {
          const account = await addAccount({ network: { required_confirmations: DEPTH } });
          account.proxy.add(swallowSends(), { where: hasNonce(0) });
          const { body, number } = SendingAccount.execution(counter);
          const { id } = await account.send(body);
          const others = [await account.send(), await account.send()];
          const [, taken] = [await account.untilStatus(id, 'submitted'), await account.sendElsewhere()];
          const other = await account.minedBlock(taken);
          const moved = await account.untilShown(id, 'under another nonce', ({ nonce }) => nonce !== 0);
          expect(await chain.node.blockNumber()).toBeGreaterThanOrEqual(other + DEPTH);
          expect(moved.nonce).toBe(3);
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce: 3, status_reason: null });
          expect(final.hashes).toHaveLength(2);
          for (const [i, { id: otherId }] of others.entries())
            expect(await account.untilFinal(otherId)).toMatchObject({ status: 'confirmed', nonce: 1 + i });
          expect(await account.timesExecuted(counter, number)).toBe(1);
        },

      'ends as canceled if its nonce was used elsewhere before its cancellation': async () => {
        const account = await addAccount();
        account.proxy.add(swallowSends());
        const { id } = await account.send();
        await account.untilStatus(id, 'submitted');
        await account.sendElsewhere();
        expect((await account.cancel(id)).status).toBe(200);
        expect(await account.untilFinal(id)).toMatchObject({ status: 'canceled', nonce: 0 });
        account.proxy.clear();
        await expectExecution(account, 1);
      },

      'gets another nonce, and is executed once, if an authorization of the account uses its nonce (EIP-7702)':
        async () => {
          const account = await addAccount();
          account.proxy.add(swallowSends(), { where: hasNonce(1) });
          const given = { address: ZeroAddress, nonce: 1, chainId: chain.node.chainId };
          const { r, s, yParity } = new Wallet(account.relayer.key).authorizeSync(given).signature;
          const authorization = {
            ...{ chain_id: given.chainId, address: ZeroAddress, nonce: 1, r, s, y_parity: yParity },
          };
          const list = { type: 4, authorization_list: [authorization], gas_limit: 100_000 };
          const { body, number } = SendingAccount.execution(counter);
          const [first, second] = [await account.send(list), await account.send(body)];
          expect(await account.untilFinal(first.id)).toMatchObject({ status: 'confirmed', nonce: 0 });
          expect(await account.untilFinal(second.id)).toMatchObject({ status: 'confirmed', nonce: 2 });
          expect(await account.timesExecuted(counter, number)).toBe(1);
          await expectExecution(account, 3);
        },

      'waits with a reason if no node can tell what used its nonce, until a cancellation ends it':
        async () => {
          const account = await addAccount();
          account.proxy.add(swallowSends());
          const { id } = await account.send();
          await account.untilStatus(id, 'submitted');
          await chain.node.rpc('anvil_setNonce', [account.relayer.address, '0x1']);
          const unknown = 'Nonce 0 was used, but no node can tell by which transaction';
          await account.untilShown(
            id,
            'unknown',
            ({ status_reason }) => status_reason === `${unknown}: it ends if it is canceled`,
          );
          expect((await account.cancel(id)).status).toBe(200);
          expect(await account.untilFinal(id)).toMatchObject({ status: 'canceled', status_reason: unknown });
          account.proxy.clear();
          await expectExecution(account, 1);
        },

      'ends as expired if no node can tell what used its nonce, and valid_until has passed': async () => {
        const account = await addAccount();
        account.proxy.add(swallowSends());
        const { id } = await account.send({ valid_until: new Date(Date.now() + 10_000).toISOString() });
        await account.untilStatus(id, 'submitted');
        await chain.node.rpc('anvil_setNonce', [account.relayer.address, '0x1']);
        expect(await account.untilFinal(id)).toMatchObject({
          status: 'expired',
          status_reason: 'Nonce 0 was used, but no node can tell by which transaction',
        });
        account.proxy.clear();
        await expectExecution(account, 1);
      },

      'keeps its nonce while receipts lag behind the nonce of the account': async () => {
        const account = await addAccount();
        const rule = account.proxy.add(hiddenReceipts());
        const { body, number } = SendingAccount.execution(counter);
        const { id } = await account.send(body);
        await account.until('a block', async () => (await account.chainNonce()) === 1);
        const start = await chain.node.blockNumber();
        await account.until(
          'blocks and requests for receipts',
          async () => (await chain.node.blockNumber()) > start + 14 && rule.met > 3,
        );
        expect(await account.shown(id)).toMatchObject({ status: 'submitted', nonce: 0 });
        account.proxy.clear();
        const final = await account.untilFinal(id);
        expect(final).toMatchObject({ status: 'confirmed', nonce: 0 });
        expect(final.hashes).toHaveLength(1);
        expect(await account.timesExecuted(counter, number)).toBe(1);
      },

      'keeps its nonce while receipts lag at a node without history': async () => {
        const account = await addAccount();
        account.proxy.add(hiddenReceipts());
        account.proxy.add(NO_HISTORY, {
          where: ({ method, params }) => method === 'eth_getTransactionCount' && params[1] !== 'latest',
        });
        const { body, number } = SendingAccount.execution(counter);
        const { id } = await account.send(body);
        await account.until('a block', async () => (await account.chainNonce()) === 1);
        const start = await chain.node.blockNumber();
        await account.until('blocks', async () => (await chain.node.blockNumber()) > start + 14);
        expect(await account.shown(id)).toMatchObject({ nonce: 0 });
        account.proxy.clear();
        const final = await account.untilFinal(id);
        expect(final).toMatchObject({ status: 'confirmed', nonce: 0 });
        expect(await account.timesExecuted(counter, number)).toBe(1);
      },

      'leaves no gap if a node once reports a nonce that is too high': async () => {
        const account = await addAccount();
        await expectExecution(account, 0);
        account.proxy.add(shiftedNonces(5), { times: 1 });
        await expectExecution(account, 1);
        account.proxy.clear();
        expect(await account.nextNonce()).toBe(2);
      },

      'gets a lower nonce when a ledger that a node raised far too high is lowered': async () => {
        const account = await addAccount();
        const lie = account.proxy.add(shiftedNonces(1_000_000), { times: 3 });
        const executions = [SendingAccount.execution(counter), SendingAccount.execution(counter)];
        const ids: string[] = [];
        for (const { body } of executions) ids.push((await account.send(body)).id);
        expect(lie.met).toBe(3);
        for (const [i, id] of ids.entries())
          expect(await account.shown(id)).toMatchObject({ status: 'pending', nonce: 1_000_000 + i });
        const { body: report } = await account.call('POST', '/nonce/sync');
        expect(report.data).toEqual({ chain_nonce: 0, ledger_nonce: 2, gaps: [], action: 'lower' });
        expect(await account.audited('relayer.sync_nonce')).toEqual([
          {
            next_nonce: { before: 1_000_002, after: 2 },
            transaction_nonces: {
              before: { [ids[0]!]: 1_000_000, [ids[1]!]: 1_000_001 },
              after: { [ids[0]!]: 0, [ids[1]!]: 1 },
            },
          },
        ]);
        for (const [i, id] of ids.entries())
          expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: i });
        for (const { number } of executions) expect(await account.timesExecuted(counter, number)).toBe(1);
        await expectExecution(account, 2);
      },

      'gets the next nonce of the ledger right after that was lowered': async () => {
        const account = await addAccount();
        const lie = account.proxy.add(shiftedNonces(1_000_000));
        const first = await account.send();
        expect(first.nonce).toBe(1_000_000);
        account.proxy.remove(lie);
        const { body: report } = await account.call('POST', '/nonce/sync');
        expect(report.data).toEqual({ chain_nonce: 0, ledger_nonce: 1, gaps: [], action: 'lower' });
        const second = await account.send();
        expect(second.nonce).toBe(1);
        for (const [nonce, { id }] of [first, second].entries())
          expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce });
      },

      'gets a lower nonce, and no fillers are sent, when a node has raised the ledger far too high':
        async () => {
          const account = await addAccount();
          account.proxy.add(shiftedNonces(101), { times: 3 });
          const { body, number } = SendingAccount.execution(counter);
          const { id } = await account.send(body);
          expect(await account.shown(id)).toMatchObject({ status: 'pending', nonce: 101 });
          await account.untilShown(
            id,
            'a reason',
            ({ status_reason }) =>
              status_reason === 'Waiting: the nonce is far above that of the account, as nodes report it',
          );
          expect(await account.untilFinal(id)).toMatchObject({
            status: 'confirmed',
            nonce: 0,
            status_reason: null,
          });
          expect(await account.timesExecuted(counter, number)).toBe(1);
          expect(await account.audited('relayer.sync_nonce')).toHaveLength(1);
          await expectExecution(account, 1);
        },

      'is not held up by some nonces without transactions, which get fillers': async () => {
        const account = await addAccount();
        account.proxy.add(shiftedNonces(3), { times: 3 });
        const { id } = await account.send();
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: 3 });
      },

      'ignores nonces that are far too high if only one of two nodes reports them': async () => {
        const honest = await chain.addProxy();
        const firstNonce = async (): Promise<number | null> => {
          const account = await SendingAccount.add(service, chain, {}, [honest.url]);
          account.proxy.add(shiftedNonces(1_000_000));
          const { nonce } = await account.send();
          account.proxy.clear();
          return nonce;
        };
        // The node that is called is chosen at random.
        expect(await Promise.all(Array.from({ length: 10 }, firstNonce))).toEqual(Array(10).fill(0));
      },

      'never shares its nonce with an earlier transaction if a node lags behind': async () => {
        const account = await addAccount();
        await expectExecution(account, 0);
        account.proxy.add(shiftedNonces(-1));
        const { id } = await account.send();
        await account.until('a block', async () => (await account.chainNonce()) === 2);
        account.proxy.clear();
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: 1 });
      },
    });
  });

  describeService(
    'A node that restarts with an empty chain',
    { settings: SETTINGS, onlySqlite: true },
    ({ service }) => {
      it('receives earlier final transactions or fillers, and new requests are confirmed', async () => {
        const chain = await TestChain.start({ blockTime: 0.5 });
        try {
          const account = await SendingAccount.add(service, chain);
          const ids = [];
          for (let i = 0; i < 3; i += 1) ids.push((await account.send({ value: `${i + 1}` })).id);
          for (const id of ids) expect((await account.untilFinal(id)).status).toBe('confirmed');
          await chain.node.stop();
          await chain.node.start();
          await chain.node.setBalance(account.relayer.address, BALANCE);
          const { id } = await account.send({ value: '4' });
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce: 3 });
          // Only this transaction and the earlier ones, each at most once.
          const values = await account.minedValues();
          expect(values.filter((value) => value !== 0).sort()).toEqual(
            [...new Set(values)].filter(Boolean).sort(),
          );
          expect(values).toHaveLength(4);
          const next = await account.send();
          expect(await account.untilFinal(next.id)).toMatchObject({ status: 'confirmed', nonce: 4 });
        } finally {
          await chain.stop();
        }
      });

      it('receives a filler for the nonce of a canceled request, and never the request', async () => {
        const chain = await TestChain.start({ blockTime: 0.5 });
        try {
          const account = await SendingAccount.add(service, chain);
          account.proxy.add(swallowSends());
          const { id } = await account.send({ value: '77' });
          await account.untilStatus(id, 'submitted');
          const taken = await account.minedBlock(await account.sendElsewhere());
          // By then the service knows that the nonce was used. It signs no no-op.
          await account.until('blocks', async () => (await chain.node.blockNumber()) >= taken + 4);
          await account.cancel(id);
          expect(await account.untilFinal(id)).toMatchObject({ status: 'canceled', nonce: 0 });
          account.proxy.clear();
          await chain.node.stop();
          await chain.node.start();
          await chain.node.setBalance(account.relayer.address, BALANCE);
          const next = await account.send({ value: '4' });
          expect(await account.untilFinal(next.id)).toMatchObject({ status: 'confirmed', nonce: 1 });
          expect(await account.minedValues()).toEqual([0, 4]);
          expect(await account.shown(id)).toMatchObject({ status: 'canceled', nonce: null });
        } finally {
          await chain.stop();
        }
      });
    },
  );
});
