import { TransactionRows } from '../../src/transactions/transaction-rows';
import { describeWithAnvil } from '../support/anvil';
import { QUICK } from '../support/checked-relayers';
import { describeService } from '../support/describe-service';
import { delay, scripted } from '../support/faulty-proxy/transport-faults';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';
import type { WantedRelayer } from '../support/transactions';
import { until } from '../support/private-servers';

const ETHER = 10n ** 18n;
const LITTLE = ETHER / 100n;
const BELOW = ETHER / 10n;

interface Sent {
  status: string;
  to: string;
  value: string;
  speed: string;
  metadata: Record<string, string> | null;
}

describeWithAnvil('Top-ups', () => {
  describeService('of relayers', { checks: QUICK }, ({ service }) => {
    const chains: TestChain[] = [];

    afterAll(() => Promise.all(chains.map((chain) => chain.stop())));

    const startChain = async (noMining = false): Promise<TestChain> => {
      const chain = await TestChain.start(noMining ? { noMining } : { mixedMining: true, blockTime: 1 });
      chains.push(chain);
      return chain;
    };

    const untilEnabled = ({ relayer }: SendingAccount): Promise<void> =>
      until('enabled', async () => (await service.get(relayer.path)).body.data.system_disabled === false);

    /** Adds a relayer with a large balance, and one with a small balance on the same network. */
    const addTwo = async (
      chain: TestChain,
      wanted: WantedRelayer = {},
    ): Promise<{ treasury: SendingAccount; poor: SendingAccount }> => {
      const treasury = await SendingAccount.add(service, chain, wanted);
      const poor = await SendingAccount.add(service, chain, {
        customUrls: true,
        relayer: { network: treasury.relayer.network },
        balance: LITTLE,
      });
      await Promise.all([untilEnabled(treasury), untilEnabled(poor)]);
      return { treasury, poor };
    };

    const topUpFrom = ({ relayer }: SendingAccount, to = ETHER): object => ({
      top_up: { from_relayer: relayer.id, below: BELOW.toString(), to: to.toString() },
    });

    const setPolicies = async ({ relayer }: SendingAccount, policies: object): Promise<unknown> => {
      const { status, body } = await service.patch(relayer.path, { policies });
      expect(status).toBe(200);
      return body.metadata?.logs ?? [];
    };

    const balanceOf = async ({ node, relayer }: SendingAccount): Promise<bigint> =>
      BigInt(await node.rpc<string>('eth_getBalance', [relayer.address, 'latest']));

    const sentBy = async ({ relayer }: SendingAccount): Promise<Sent[]> =>
      (await service.get(`${relayer.path}/transactions`)).body.data;

    /** Waits until the relayer was checked `times` more times. */
    const untilChecked = async ({ proxy, relayer }: SendingAccount, times: number): Promise<void> => {
      const checks = (): number =>
        proxy.record.of('eth_getBalance').filter(({ params }) => params[0] === relayer.address).length;
      const before = checks();
      await until('checks', () => checks() >= before + times);
    };

    const rejectionOf = async ({ relayer }: SendingAccount): Promise<string> => {
      let line: string | undefined;
      const isOf = (each: string): boolean =>
        each.includes('A top-up was rejected') && each.includes(`"relayer_id":"${relayer.id}"`);
      await until('a rejection', () => (line = service.logs.find(isOf)) !== undefined);
      return line!;
    };

    together({
      'let accepted transactions that wait for funds continue': async () => {
        const { treasury, poor } = await addTwo(await startChain());
        const { id } = await poor.send({ value: (ETHER / 2n).toString() });
        await poor.untilShown(
          id,
          'waiting',
          ({ status_reason }) => status_reason?.includes('funds') === true,
        );
        expect(await setPolicies(poor, topUpFrom(treasury))).toEqual([]);
        expect(await poor.untilFinal(id)).toMatchObject({ status: 'confirmed', status_reason: null });
        const [topUp, ...more] = await sentBy(treasury);
        expect(more).toEqual([]);
        expect(topUp).toMatchObject({
          to: poor.relayer.address,
          value: `0x${(ETHER - LITTLE).toString(16)}`,
          speed: 'average',
          metadata: { top_up: poor.relayer.id },
        });
      },

      'are sent one at a time, and again whenever the balance is low': async () => {
        const chain = await startChain(true);
        const { treasury, poor } = await addTwo(chain);
        await setPolicies(poor, topUpFrom(treasury));
        await until('a top-up', async () => (await sentBy(treasury)).length > 0);
        await untilChecked(poor, 4);
        expect(await sentBy(treasury)).toHaveLength(1);
        await until('the first', async () => {
          await chain.node.mine();
          return (await sentBy(treasury))[0]!.status === 'confirmed';
        });
        expect(await balanceOf(poor)).toBe(ETHER);
        await untilChecked(poor, 4);
        expect(await sentBy(treasury)).toHaveLength(1);
        await chain.node.setBalance(poor.relayer.address, LITTLE);
        await until('the second', async () => {
          await chain.node.mine();
          const sent = await sentBy(treasury);
          return sent.length === 2 && sent.every(({ status }) => status === 'confirmed');
        });
        expect(await balanceOf(poor)).toBe(ETHER);
      },

      'are bounded by the spending limits of the other relayer': async () => {
        const limits = { transactions: { spend_limits: [{ per: '24h', max_value: LITTLE.toString() }] } };
        const { treasury, poor } = await addTwo(await startChain(), { policies: limits });
        await setPolicies(poor, topUpFrom(treasury));
        expect(await rejectionOf(poor)).toContain('spend_limits[0].max_value');
        await untilChecked(poor, 4);
        expect(await sentBy(treasury)).toEqual([]);
        const { text } = await service.get('/metrics/relayer_top_ups_total');
        expect(text).toMatch(/relayer_top_ups_total\{result="rejected"\} [1-9]/);
        await setPolicies(treasury, { transactions: null });
        await until('a top-up', async () => (await balanceOf(poor)) === ETHER);
      },

      'are rejected if the other relayer cannot pay for them': async () => {
        const { treasury, poor } = await addTwo(await startChain(), { balance: ETHER });
        await setPolicies(poor, topUpFrom(treasury, 2n * ETHER));
        expect(await rejectionOf(poor)).toContain(`the balance of relayer ${treasury.relayer.id}`);
        expect(await sentBy(treasury)).toEqual([]);
      },

      'are rejected if the other relayer cannot also pay their fees, and its open transactions': async () => {
        const chain = await startChain(true);
        const { treasury, poor } = await addTwo(chain, { balance: ETHER - LITTLE + 1n });
        await setPolicies(poor, topUpFrom(treasury));
        expect(await rejectionOf(poor)).toContain('open transactions');
        await untilChecked(poor, 2);
        expect(await sentBy(treasury)).toEqual([]);
        const { id } = await treasury.send({ value: ETHER.toString() });
        await chain.node.setBalance(treasury.relayer.address, 2n * ETHER - LITTLE + 1n);
        await untilChecked(poor, 4);
        expect((await sentBy(treasury)).map(({ value }) => value)).toEqual([`0x${ETHER.toString(16)}`]);
        await chain.node.setBalance(treasury.relayer.address, 3n * ETHER);
        await until('a top-up', async () => (await sentBy(treasury)).length === 2);
        expect((await treasury.shown(id)).status_reason).toBeNull();
      },

      'do not count the same coins for two relayers': async () => {
        const chain = await startChain(true);
        const { treasury, poor } = await addTwo(chain, { balance: (3n * ETHER) / 2n });
        const other = await SendingAccount.add(service, chain, {
          customUrls: true,
          relayer: { network: treasury.relayer.network },
          balance: LITTLE,
        });
        await untilEnabled(other);
        await Promise.all([poor, other].map((each) => setPolicies(each, topUpFrom(treasury))));
        await until('a top-up', async () => (await sentBy(treasury)).length > 0);
        await Promise.all([poor, other].map((each) => untilChecked(each, 4)));
        expect(await sentBy(treasury)).toHaveLength(1);
        const [stored] = await service.app
          .get(TransactionRows)
          .find({ where: { relayerId: treasury.relayer.id } });
        expect(stored!.validUntil!.getTime()).toBeGreaterThan(stored!.createdAt.getTime());
      },

      'are not sent to a relayer that is paused': async () => {
        const { treasury, poor } = await addTwo(await startChain());
        await service.patch(poor.relayer.path, { paused: true });
        await setPolicies(poor, topUpFrom(treasury));
        await untilChecked(poor, 4);
        expect(await sentBy(treasury)).toEqual([]);
        await service.patch(poor.relayer.path, { paused: false });
        await until('a top-up', async () => (await balanceOf(poor)) === ETHER);
      },

      'are not sent if the relayer is paused while they are simulated': async () => {
        const { treasury, poor } = await addTwo(await startChain());
        const value = `0x${(ETHER - LITTLE).toString(16)}`;
        const simulated = new Promise<void>((resolve) => {
          treasury.proxy.add(
            scripted(({ params: [call] }) => {
              if ((call as Sent).value === value) resolve();
              return undefined;
            }),
            { methods: ['eth_estimateGas'] },
          );
        });
        const late = treasury.proxy.add(delay(1500), { methods: ['eth_estimateGas'] });
        await setPolicies(poor, topUpFrom(treasury));
        await simulated;
        expect((await service.patch(poor.relayer.path, { paused: true })).status).toBe(200);
        expect(await rejectionOf(poor)).toContain('was paused');
        expect(await sentBy(treasury)).toEqual([]);
        treasury.proxy.remove(late);
      },

      'cause a warning and are rejected if the other relayer does not exist or is on another network':
        async () => {
          const chain = await startChain();
          const { treasury, poor } = await addTwo(chain);
          const other = await SendingAccount.add(service, chain);
          const amounts = { below: BELOW.toString(), to: ETHER.toString() };
          expect(await setPolicies(poor, { top_up: { from_relayer: 'nobody', ...amounts } })).toEqual([
            { level: 'warn', message: 'policies.top_up.from_relayer: there is no such relayer' },
          ]);
          expect(await setPolicies(poor, { top_up: { from_relayer: other.relayer.id } })).toEqual([
            { level: 'warn', message: 'policies.top_up.from_relayer: that relayer is on another network' },
          ]);
          expect(await rejectionOf(poor)).toContain('policies.top_up.from_relayer');
          const own = await service.patch(poor.relayer.path, {
            policies: { top_up: { from_relayer: poor.relayer.id } },
          });
          expect([own.status, own.body.error]).toEqual([
            400,
            expect.stringContaining('policies.top_up.from_relayer must be another relayer'),
          ]);
          expect([...(await sentBy(treasury)), ...(await sentBy(other))]).toEqual([]);
        },
    });
  });
});
