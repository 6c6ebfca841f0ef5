import { describeWithAnvil } from '../support/anvil';
import { RevertData, revertingWith } from '../support/contracts/calls';
import { COUNTER, REVERTS_WHEN_ARMED } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import {
  hiddenReceipts,
  loweredReceipts,
  staleHead,
  swallowSends,
} from '../support/faulty-proxy/chain-faults';
import { SendingAccount } from '../support/sending-account';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const NETWORK = { required_confirmations: 6 };
const DEPTHS = [1, 2, 3, 4, 5];
const ARMED = 0n;
const SUCCESSES = '0x1';
/** Blocks that no reorg reaches. */
const BLOCKS_BEFORE = 10;

const underEach = (
  title: string,
  test: (depth: number) => Promise<void>,
): Record<string, () => Promise<void>> =>
  Object.fromEntries(DEPTHS.map((depth) => [`${title}, ${depth} blocks deep`, () => test(depth)]));

describeWithAnvil('Reorgs:', () => {
  describeService('A transaction', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    const chains: TestChain[] = [];

    afterAll(() => Promise.all(chains.map((chain) => chain.stop())));

    /**
     * An account on a separate chain, whose blocks are mined only by the test.
     *
     * @param others the number of further endpoints, without faults
     */
    const add = async (
      runtime: string,
      others = 0,
    ): Promise<{ account: SendingAccount; contract: string }> => {
      const chain = await TestChain.start({ noMining: true });
      chains.push(chain);
      const contract = await deploy(chain.node, runtime);
      const honest = await Promise.all(Array.from({ length: others }, () => chain.addProxy()));
      const urls = honest.map(({ url }) => url);
      const account = await SendingAccount.add(service, chain, { network: NETWORK }, urls);
      await chain.node.mine(BLOCKS_BEFORE);
      return { account, contract };
    };

    /** Mines blocks, the first of them with the transaction, and waits until it is shown as mined. */
    const mine = async (account: SendingAccount, id: string, blocks: number): Promise<void> => {
      await account.untilStatus(id, 'submitted');
      await account.node.mine(blocks);
      await account.untilStatus(id, 'mined');
    };

    const mineUntilFinal = (account: SendingAccount, id: string) =>
      account.untilShown(id, 'final', async ({ status }) => {
        await account.node.mine();
        return ['confirmed', 'failed'].includes(status);
      });

    /** Removes the block and its receipt by a reorg, and waits until the transaction is shown as submitted again. */
    const lose = async (account: SendingAccount, id: string, depth: number): Promise<void> => {
      const { node, proxy } = account;
      const rule = proxy.add(swallowSends());
      await node.reorg(depth);
      await account.untilShown(id, 'submitted again', async ({ status }) => {
        await node.mine();
        return status === 'submitted';
      });
      proxy.remove(rule);
    };

    const slot1 = async ({ node }: SendingAccount, contract: string): Promise<number> =>
      Number(await node.rpc('eth_getStorageAt', [contract, SUCCESSES, 'latest']));

    together({
      'is not final before its depth because one of three endpoints reports a lower block': async () => {
        const chain = await TestChain.start({ noMining: true });
        chains.push(chain);
        await chain.node.mine(BLOCKS_BEFORE);
        const urls = [(await chain.addProxy()).url, (await chain.addProxy()).url];
        // Which endpoint is read is decided at random, for each account anew.
        const sent = await Promise.all(
          Array.from({ length: 8 }, async () => {
            const account = await SendingAccount.add(service, chain, { network: NETWORK }, urls);
            account.proxy.add(loweredReceipts(BLOCKS_BEFORE));
            const { id } = await account.send();
            await account.untilStatus(id, 'submitted');
            return { account, id };
          }),
        );
        await chain.node.mine(NETWORK.required_confirmations);
        for (const { account, id } of sent) await account.untilStatus(id, 'mined');
        // Several polls.
        await sleep(4000);
        for (const { account, id } of sent) expect((await account.shown(id)).status).toBe('mined');
        await chain.node.mine();
        for (const { account, id } of sent) expect((await account.untilFinal(id)).status).toBe('confirmed');
      },

      'is final although one of two endpoints is some blocks behind, once that has the receipt': async () => {
        const { account } = await add(COUNTER, 1);
        account.proxy.add(staleHead(2));
        const late = account.proxy.add(hiddenReceipts());
        const { id } = await account.send();
        await mine(account, id, NETWORK.required_confirmations + 3);
        // Several polls.
        await sleep(4000);
        expect((await account.shown(id)).status).toBe('mined');
        account.proxy.remove(late);
        expect((await mineUntilFinal(account, id)).status).toBe('confirmed');
      },

      ...underEach('is sent again with the same bytes after a reorg', async (depth) => {
        const { account, contract } = await add(COUNTER);
        const { body, number } = SendingAccount.execution(contract);
        const { id } = await account.send(body);
        await mine(account, id, depth);
        await lose(account, id, depth);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', nonce: 0, status_reason: null });
        expect(final.hashes).toHaveLength(1);
        expect(account.hashesSent(0)).toEqual(final.hashes);
        expect(await account.timesExecuted(contract, number)).toBe(1);
      }),

      ...underEach('may succeed after a reorg if it reverted before', async (depth) => {
        const { account, contract } = await add(REVERTS_WHEN_ARMED);
        const data = revertingWith(RevertData.error('not now'));
        const { id } = await account.send({ to: contract, data, gas_limit: 100_000 });
        await account.untilStatus(id, 'submitted');
        await account.node.setStorage(contract, ARMED, 1n);
        await mine(account, id, depth);
        await account.node.setStorage(contract, ARMED, 0n);
        await lose(account, id, depth);
        await account.node.setStorage(contract, ARMED, 0n);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', revert_reason: null, status_reason: null });
        expect(final.hashes).toHaveLength(1);
        expect(await slot1(account, contract)).toBe(1);
      }),

      'stays mined if the new chain also includes it': async () => {
        const { account, contract } = await add(COUNTER);
        const { body, number } = SendingAccount.execution(contract);
        const { id } = await account.send(body);
        await mine(account, id, 3);
        const [{ raw } = { raw: '' }] = account.arrived;
        await account.node.reorg(3);
        await account.node.rpc('eth_sendRawTransaction', [raw]);
        const seen = new Set<string>();
        const final = await account.untilShown(id, 'final', async ({ status }) => {
          seen.add(status);
          await account.node.mine();
          return status === 'confirmed';
        });
        expect([...seen]).toEqual(['mined', 'confirmed']);
        expect(final.hashes).toHaveLength(1);
        expect(await account.timesExecuted(contract, number)).toBe(1);
      },

      'is not final after it reverted until it has enough confirmations': async () => {
        const { account, contract } = await add(REVERTS_WHEN_ARMED);
        const data = revertingWith(RevertData.error('not now'));
        const { id } = await account.send({ to: contract, data, gas_limit: 100_000 });
        await account.untilStatus(id, 'submitted');
        await account.node.setStorage(contract, ARMED, 1n);
        await mine(account, id, 6);
        const calls = account.proxy.record.count('eth_getBlockByNumber');
        await account.until('polls', () => account.proxy.record.count('eth_getBlockByNumber') > calls + 3);
        expect(await account.shown(id)).toMatchObject({ status: 'mined' });
        await account.node.mine();
        const final = await account.untilFinal(id);
        expect(final).toMatchObject({
          status: 'failed',
          status_reason: 'Transaction reverted on-chain: not now',
          revert_reason: 'not now',
          revert_data: RevertData.error('not now'),
        });
      },
    });
  });
});
