import { Transaction } from 'ethers';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { dropBefore, errorInstead, scripted } from '../support/faulty-proxy/transport-faults';
import { mineAt, OwnChains } from '../support/own-chains';
import { SendingAccount } from '../support/sending-account';
import { together } from '../support/together';
import type { ShownTransaction, WantedRelayer } from '../support/transactions';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '2' };
const GWEI = 10n ** 9n;
const CAP = 3n * GWEI;
const CAPPED = { policies: { gas_price_cap: Number(CAP) } };
const TRANSFER_GAS = 21_000n;

describeWithAnvil('Incidents with new prices:', () => {
  describeService('A transaction', { settings: SETTINGS }, ({ service }) => {
    const chains = new OwnChains(service);

    afterAll(() => chains.stop());

    const add = (wanted?: WantedRelayer): Promise<SendingAccount> => chains.add(wanted);

    /** As {@link mineAt}, and waits until the service, which has an open transaction, has seen the block. */
    const fallTo = async (account: SendingAccount, baseFee: bigint): Promise<void> => {
      const { proxy } = account;
      await mineAt(account, baseFee);
      const polls = proxy.record.count('eth_getBlockByNumber');
      await account.until('polls', () => proxy.record.count('eth_getBlockByNumber') > polls + 2);
    };

    const mineUntilFinal = (account: SendingAccount, id: string): Promise<ShownTransaction> =>
      account.untilShown(id, 'final', async ({ status }) => {
        await account.node.mine();
        return ['confirmed', 'failed', 'canceled'].includes(status);
      });

    const untilRefused = (account: SendingAccount): Promise<void> =>
      account.until('refused', () => account.arrived.some(({ outcome }) => outcome === 'error'));

    /** Replaces a transaction, and expects that the new content is mined, and a later transaction after it. */
    const expectReplacement = async (account: SendingAccount, id: string): Promise<ShownTransaction> => {
      expect((await account.replace(id, { value: '6', gas_limit: 21_000 })).status).toBe(200);
      const later = await account.send({ value: '7' });
      await account.untilShown(id, 'replaced', ({ hashes }) => hashes.length > 1);
      account.proxy.clear();
      await fallTo(account, GWEI / 2n);
      const final = await mineUntilFinal(account, id);
      expect(final).toMatchObject({ status: 'confirmed', value: '0x6', nonce: 0 });
      expect(await mineUntilFinal(account, later.id)).toMatchObject({ status: 'confirmed' });
      expect(await account.minedValues()).toEqual([6, 7]);
      return final;
    };

    together({
      'can be replaced after every node has refused it at the cap': async () => {
        const account = await add(CAPPED);
        await mineAt(account, 10n * GWEI);
        const { id } = await account.send({ value: '5' });
        await untilRefused(account);
        expect(await account.shown(id)).toMatchObject({ status: 'sent', max_fee_per_gas: `${CAP}` });
        expect((await expectReplacement(account, id)).max_fee_per_gas).toBe(`${CAP}`);
      },

      'can be replaced after it was accepted at the cap and lost': async () => {
        const account = await add(CAPPED);
        await mineAt(account, 2n * GWEI);
        account.proxy.add(swallowSends());
        const { id } = await account.send({ value: '5' });
        expect(await account.untilStatus(id, 'submitted')).toMatchObject({ max_fee_per_gas: `${CAP}` });
        expect((await expectReplacement(account, id)).max_fee_per_gas).toBe(`${CAP}`);
      },

      'can be replaced after it was accepted at high prices that have fallen, and lost': async () => {
        const account = await add();
        await mineAt(account, 500n * GWEI);
        account.proxy.add(swallowSends());
        const { id } = await account.send({ value: '5' });
        const { max_fee_per_gas: before } = await account.untilStatus(id, 'submitted');
        await fallTo(account, GWEI);
        const { max_fee_per_gas: after } = await expectReplacement(account, id);
        expect(BigInt(after!)).toBe((BigInt(before!) * 9n + 7n) / 8n + 1n);
      },

      'gets lower fees after prices have fallen, if the balance did not cover it': async () => {
        const account = await add();
        await account.node.setBalance(account.relayer.address, TRANSFER_GAS * 50n * GWEI);
        await mineAt(account, 100n * GWEI);
        const { id } = await account.send();
        const waiting = await account.untilShown(id, 'waiting', (shown) => shown.status_reason !== null);
        expect(waiting).toMatchObject({ status: 'sent' });
        expect(waiting.status_reason).toMatch(/^Waiting for funds/);
        await fallTo(account, GWEI);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', nonce: 0 });
        expect(BigInt(final.max_fee_per_gas!)).toBeLessThan(10n * GWEI);
      },

      'gets lower fees after prices have fallen, if it was above the limit of the node': async () => {
        const account = await add();
        const error = {
          code: -32_000,
          message: 'tx fee (1.10 ether) exceeds the configured cap (1.00 ether)',
        };
        account.proxy.add(
          scripted(({ params: [raw] }) =>
            Transaction.from(raw as string).maxFeePerGas! > 50n * GWEI ? { error } : undefined,
          ),
          { methods: ['eth_sendRawTransaction'] },
        );
        await mineAt(account, 100n * GWEI);
        const { id } = await account.send();
        await account.untilShown(
          id,
          'waiting',
          (shown) => shown.status_reason === 'Waiting: the fees are above the limit of the node',
        );
        await fallTo(account, GWEI);
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', nonce: 0 });
        expect(BigInt(final.max_fee_per_gas!)).toBeLessThan(10n * GWEI);
      },

      'gets higher fees with the same gas limit although its simulation reverts now': async () => {
        const account = await add();
        const outage = account.proxy.add(dropBefore());
        const { id } = await account.send({ gas_limit: undefined });
        account.proxy.remove(outage);
        account.proxy.add(swallowSends());
        const { gas_limit: gas } = await account.untilStatus(id, 'submitted');
        const revert = { code: 3, message: 'execution reverted: no', data: '0x' };
        account.proxy.add(errorInstead(revert), { methods: ['eth_estimateGas'] });
        await account.untilShown(id, 'bumped', async ({ hashes }) => {
          await account.node.mine();
          return hashes.length > 1;
        });
        account.proxy.clear();
        const final = await mineUntilFinal(account, id);
        expect(final).toMatchObject({ status: 'confirmed', gas_limit: gas, revert_reason: null });
      },
    });
  });
});
