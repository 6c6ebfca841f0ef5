import { describeWithAnvil } from '../support/anvil';
import { RevertData, revertingWith } from '../support/contracts/calls';
import { COUNTER, REVERTS_WHEN_ARMED } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { SendingAccount } from '../support/sending-account';
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

    /** An account on a separate chain, whose blocks are mined only by the test. */
    const add = async (runtime: string): Promise<{ account: SendingAccount; contract: string }> => {
      const chain = await TestChain.start({ noMining: true });
      chains.push(chain);
      const contract = await deploy(chain.node, runtime);
      const account = await SendingAccount.add(service, chain, { network: NETWORK });
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
