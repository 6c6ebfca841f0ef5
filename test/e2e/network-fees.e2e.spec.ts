import { toBeHex, toQuantity } from 'ethers';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { scripted } from '../support/faulty-proxy/transport-faults';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { CHAIN_ID, TestChain } from '../support/test-chain';
import { together } from '../support/together';

const GWEI = 10n ** 9n;
const QUIET_ID = CHAIN_ID + 1;
const FEES = { max_fee_per_gas: (50n * GWEI).toString(), max_priority_fee_per_gas: GWEI.toString() };
const L1_FEE_ORACLE = '0x420000000000000000000000000000000000000F';
const asksForL1Fee = (call: unknown): boolean => {
  const { to, data } = call as { to: string; data: string };
  return to === L1_FEE_ORACLE && data.startsWith('0x49948e0e');
};

describeWithAnvil('Fees of networks:', () => {
  describeService('A network', ({ service }) => {
    let chain: TestChain;
    /** A chain without other transactions that indicate which tips are paid. */
    let quiet: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      quiet = await TestChain.start({ chainId: QUIET_ID, blockTime: 0.5 });
    });

    afterAll(() => Promise.all([chain.stop(), quiet.stop()]));

    const add = (network: object, on = chain): Promise<SendingAccount> =>
      SendingAccount.add(service, on, { network });

    const patch = async ({ relayer }: SendingAccount, fees: object): Promise<void> => {
      const { status } = await service.patch(`/api/v1/networks/evm:${relayer.network}`, { fees });
      expect(status).toBe(200);
    };

    /** The metric that the alert on missing funds uses. */
    const unfunded = async (chainId: number): Promise<number> => {
      const { text } = await service.get('/metrics/transaction_sends_total');
      const line = `transaction_sends_total{chain_id="${chainId}",cause="insufficient_funds"} `;
      return Number(
        text
          .split('\n')
          .find((found) => found.startsWith(line))
          ?.slice(line.length),
      );
    };

    together({
      'can have its own minimum tip, which applies from the next transaction': async () => {
        const account = await add({ fees: { min_priority_fee: (30n * GWEI).toString() } }, quiet);
        const tipOfNext = async (): Promise<bigint> => {
          const { id } = await account.send();
          const { status, max_priority_fee_per_gas } = await account.untilFinal(id);
          expect(status).toBe('confirmed');
          return BigInt(max_priority_fee_per_gas!);
        };
        expect(await tipOfNext()).toBe(30n * GWEI);
        await patch(account, { min_priority_fee: (40n * GWEI).toString() });
        expect(await tipOfNext()).toBe(40n * GWEI);
      },

      'can have its own percentiles': async () => {
        const account = await add({ fees: { percentiles: { safeLow: 5, average: 5 } } });
        const { id } = await account.send();
        expect((await account.untilFinal(id)).status).toBe('confirmed');
        const percentiles = account.proxy.record.of('eth_feeHistory').map(({ params }) => params[2]);
        expect(percentiles[0]).toEqual([5, 85, 99]);
      },

      'on the OP stack includes the L1 fee in the funds that an account needs': async () => {
        const l1Fee = 10n ** 15n;
        const account = await SendingAccount.add(service, chain, {
          network: { tags: ['optimism-based'] },
          balance: l1Fee,
        });
        account.proxy.add(
          scripted(({ params: [call] }) => (asksForL1Fee(call) ? { result: toBeHex(l1Fee, 32) } : undefined)),
          { methods: ['eth_call'] },
        );
        const { id } = await account.send({ value: '1' });
        const waiting = await account.untilShown(
          id,
          'waiting',
          ({ status_reason }) => status_reason !== null,
        );
        expect(waiting).toMatchObject({ status: 'pending', hashes: [] });
        expect(waiting.status_reason).toMatch(
          /^Waiting for funds: .* of which 1000000000000000 are the L1 and operator fees$/,
        );
        expect(await unfunded(CHAIN_ID)).toBeGreaterThan(0);
        await chain.node.setBalance(account.relayer.address, 10n ** 18n);
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', status_reason: null });
        // On each attempt, because the fee may have been high or wrong.
        expect(account.proxy.record.count('eth_call')).toBeGreaterThan(1);
      },

      'counts a transaction that no node simulates because funds are missing': async () => {
        const account = await add({}, quiet);
        account.proxy.add(
          scripted(() => ({ error: { code: -32_000, message: 'insufficient funds for transfer' } })),
          { methods: ['eth_estimateGas'] },
        );
        const { id } = await account.send({ gas_limit: null });
        const waiting = await account.untilShown(
          id,
          'waiting',
          ({ status_reason }) => status_reason !== null,
        );
        expect(waiting).toMatchObject({
          ...{ status: 'pending', hashes: [] },
          status_reason: 'Waiting for funds: a node could not simulate it with the balance of the relayer',
        });
        expect(await unfunded(QUIET_ID)).toBeGreaterThan(0);
      },

      'on the OP stack includes the L1 fee in spending limits': async () => {
        let l1Fee = 10n ** 16n;
        const account = await SendingAccount.add(service, chain, {
          network: { tags: ['optimism-based'] },
          policies: { transactions: { spend_limits: [{ per: '1h', max_fee: (10n ** 16n).toString() }] } },
        });
        account.proxy.add(
          scripted(({ params: [call] }) => (asksForL1Fee(call) ? { result: toBeHex(l1Fee, 32) } : undefined)),
          { methods: ['eth_call'] },
        );
        const refused = await account.request({ value: '1' });
        expect(refused.status).toBe(403);
        expect(refused.body.error).toMatch(/spend_limits\[0\]\.max_fee: 10000000000000000 wei are left/);
        l1Fee = 10n ** 12n;
        expect((await account.untilFinal((await account.send({ value: '1' })).id)).status).toBe('confirmed');
      },

      'on ZKsync gets the gas limit and fees from zks_estimateFee': async () => {
        const account = await add({ tags: ['zksync-based'] });
        const estimate = {
          gas_limit: toQuantity(123_456),
          max_fee_per_gas: toQuantity(50n * GWEI),
          max_priority_fee_per_gas: toQuantity(2n * GWEI),
          gas_per_pubdata_limit: '0xc350',
        };
        account.proxy.add(
          scripted(() => ({ result: estimate })),
          { methods: ['zks_estimateFee'] },
        );
        const { id } = await account.send({ gas_limit: null });
        expect(await account.untilFinal(id)).toMatchObject({
          ...{ status: 'confirmed', gas_limit: 123_456 },
          max_fee_per_gas: (50n * GWEI).toString(),
          max_priority_fee_per_gas: (2n * GWEI).toString(),
        });
      },

      'uses gas prices if its fees are set to legacy': async () => {
        const account = await add({ fees: { legacy: true } });
        const { id } = await account.send();
        expect(await account.untilFinal(id)).toMatchObject({
          status: 'confirmed',
          gas_price: expect.stringMatching(/^[1-9]/) as string,
          max_fee_per_gas: null,
          max_priority_fee_per_gas: null,
        });
        expect(account.arrived[0]?.raw).toMatch(/^0xf8/);
        expect(account.proxy.record.count('eth_feeHistory')).toBe(0);
      },

      'without the feature eip1559 refuses type 2 beside speed, and sends it with its own fees': async () => {
        const account = await SendingAccount.add(service, chain, { network: { features: [] }, balance: 0n });
        const error = 'type must not be 2 beside speed: the network does not have the feature eip1559';
        const refused = await account.request({ type: 2 });
        expect([refused.status, refused.body.error]).toEqual([400, error]);
        const batch = await account.call('POST', '/transactions/batch', {
          transactions: [{ to: RECEIVER, value: '0', type: 2, speed: 'fast', gas_limit: 21_000 }],
        });
        expect(batch.body.data).toEqual([{ error }]);
        const { id } = await account.send({ type: 2, speed: null, ...FEES });
        const replaced = await account.replace(id, { type: 2 });
        expect([replaced.status, replaced.body.error]).toEqual([400, error]);
        await chain.node.setBalance(account.relayer.address, 10n ** 18n);
        expect((await account.untilFinal(id)).status).toBe('confirmed');
        expect(account.arrived[0]?.raw).toMatch(/^0x02/);
      },

      'sends type 2, at one price, if that is requested although its fees or the policy are set to legacy':
        async () => {
          const accounts = [
            await add({ fees: { legacy: true } }),
            await SendingAccount.add(service, chain, { policies: { eip1559_pricing: false } }),
          ];
          for (const account of accounts) {
            const { id } = await account.send({ type: 2 });
            const sent = await account.untilFinal(id);
            expect(sent).toMatchObject({ status: 'confirmed', gas_price: null });
            expect(sent.max_fee_per_gas).toMatch(/^[1-9]/);
            expect(sent.max_priority_fee_per_gas).toBe(sent.max_fee_per_gas);
            expect(account.arrived[0]?.raw).toMatch(/^0x02/);
          }
        },
    });
  });
});
