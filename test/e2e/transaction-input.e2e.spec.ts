import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithAnvil } from '../support/anvil';
import { burn, RevertData, revertingWith } from '../support/contracts/calls';
import { COUNTER, GAS_BURNER, REVERTS_WHEN_MINED } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { scripted } from '../support/faulty-proxy/transport-faults';
import { SeededRandom } from '../support/seeded-random';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { stepClock } from '../support/step-clock';
import { TestChain } from '../support/test-chain';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const BLOCK_GAS = 30_000_000;
const HUGE = (10n ** 40n).toString();
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Results that no method returns, or not in this form. None of them is well-formed but false. */
const NONSENSE: readonly unknown[] = [
  ...[null, true, 0, -1, 1e21, 'x', '', '0x', '0xzz', '-0x1', [], {}, [[]], { a: 1 }],
  `0x${'f'.repeat(80)}`,
  'y'.repeat(5000),
  { number: '0x', hash: 7 },
  { blockNumber: null, status: '0x7' },
  [null, 1],
];

describeWithAnvil('Invalid transaction input', () => {
  describeService('A relayer', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    let chain: TestChain;
    let account: SendingAccount;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5, gasLimit: BLOCK_GAS });
      account = await SendingAccount.add(service, chain);
    });

    afterAll(() => chain.stop());

    const badRequest = async (body: object, error: string | RegExp): Promise<void> => {
      const next = await account.nextNonce();
      const response = await account.request(body);
      expect([response.status, response.body.error]).toEqual([400, expect.stringMatching(error)]);
      expect(await account.nextNonce()).toBe(next);
    };

    it.each([
      ['a number', 5],
      ['a list', [RECEIVER]],
      ['an object', {}],
      ['too short', RECEIVER.slice(0, -1)],
      ['too long', `${RECEIVER}0`],
      ['without prefix', RECEIVER.slice(2)],
      ['with another prefix', `0X${RECEIVER.slice(2)}`],
      ['no hex', `0x${'g'.repeat(40)}`],
      ['with a wrong checksum', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD82a'],
      ['a name', 'vitalik.eth'],
      ['an ICAP address', 'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36'],
      ['with a blank', ` ${RECEIVER}`],
      ['with a null character', `${RECEIVER.slice(0, -1)}\0`],
    ])('refuses a receiver that is %s', (_, to) => badRequest({ to }, /^to must be/));

    it.each([
      ['a fraction', 1.5],
      ['negative', -1],
      ['a negative text', '-1'],
      ['an exponent', '1e18'],
      ['above 2^128-1', (2n ** 128n).toString()],
      ['10^80 as hex', `0x${(10n ** 80n).toString(16)}`],
      ['a boolean', true],
      ['empty', ''],
    ])('refuses a value that is %s', (_, value) => badRequest({ value }, /^value must be/));

    it('refuses a missing value', () => badRequest({ value: null }, /^value is required: /));

    it.each(['gas_price', 'max_attempts_price'])('refuses a %s of 10^40', (name) =>
      badRequest(
        { [name]: HUGE, ...(name === 'gas_price' && { speed: null }) },
        new RegExp(`^${name} must be`),
      ),
    );

    it.each([
      [{ max_fee_per_gas: HUGE, max_priority_fee_per_gas: '1' }, /^max_fee_per_gas must be/],
      [{ max_fee_per_gas: '1', max_priority_fee_per_gas: HUGE }, /^max_priority_fee_per_gas must be/],
      [{ max_fee_per_gas: '1', max_priority_fee_per_gas: '2' }, /must be greater than or equal/],
      [{ max_fee_per_gas: '1' }, /require both/],
      [{}, /must specify/],
    ])('refuses the fees %j', (fees, error) => badRequest({ speed: null, ...fees }, error));

    it.each([
      ['in the past', '2020-01-01T00:00:00Z'],
      ['on no day', '2199-02-31T00:00:00Z'],
      ['a number', 4_102_444_800],
      ['no time', 'tomorrow'],
    ])('refuses a valid_until that is %s', (_, valid_until) => badRequest({ valid_until }, /valid_?until/i));

    it.each([
      [{ gas: 21_000 }, /^gas is not a known field/],
      [{ gas_limit: 20_999 }, /^gas_limit is too low/],
      [{ data: '0x1' }, /^data/],
      [{ data: '0xzz' }, /^data/],
      [{ to: null }, /^Both txs/],
      [{ speed: 'warp' }, /^speed must be/],
      [{ metadata: { a: 1 } }, /^metadata/],
      [{ metadata: { a: 'x'.repeat(1024) } }, /^metadata/],
    ])('refuses a body with %j', (body, error) => badRequest(body, error));

    it('accepts transactions of up to 128 KiB in total', async () => {
      const size = 128 * 1024;
      await badRequest({ gas_limit: BLOCK_GAS, data: `0x${'00'.repeat(size)}` }, /131072 bytes$/);
      const { id } = await account.send({ gas_limit: 3_000_000, data: `0x${'00'.repeat(size - 256)}` });
      expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed' });
    });

    it('waits for funds if a value exceeds its balance', async () => {
      const poor = await SendingAccount.add(service, chain, { balance: 10n ** 15n });
      const { id } = await poor.send({ value: (10n ** 20n).toString() });
      const waiting = await poor.untilShown(id, 'waiting', ({ status_reason }) => status_reason !== null);
      expect(waiting.status_reason).toMatch(/funds/);
      expect((await poor.cancel(id)).status).toBe(200);
      expect(await poor.untilFinal(id)).toMatchObject({ status: 'canceled', nonce: 0 });
    });

    it('has no access to transactions of another relayer, or to unknown transactions', async () => {
      const other = await SendingAccount.add(service, chain);
      const { id } = await account.send();
      for (const wrong of [id, NOBODY, 'x', '%00', 'a'.repeat(300)]) {
        const responses = await Promise.all([
          other.call('GET', `/transactions/${wrong}`),
          other.replace(wrong, { gas_limit: 21_000 }),
          other.cancel(wrong),
        ]);
        for (const { status } of responses) expect([400, 404]).toContain(status);
      }
      expect((await other.call('GET', '/transactions/by-nonce/0')).status).toBe(404);
      expect((await other.call('GET', '/transactions/by-nonce/x')).status).toBe(400);
      expect((await other.call('GET', '/transactions?status=nope')).status).toBe(400);
      expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', is_canceled: false });
    });

    it('cannot be deleted while a transaction is open', async () => {
      const other = await SendingAccount.add(service, chain);
      const rule = other.proxy.add(swallowSends());
      const { id } = await other.send();
      const refused = await other.call('DELETE', '');
      expect([refused.status, refused.body.error]).toEqual([
        409,
        expect.stringContaining('transactions that are not final'),
      ]);
      other.proxy.remove(rule);
      await other.untilFinal(id);
      expect((await other.call('DELETE', '')).status).toBe(200);
      expect((await other.call('GET', `/transactions/${id}`)).status).toBe(404);
    });

    it('survives a receiver that uses all gas, and a receiver that reverts only on-chain', async () => {
      const [burner, reverter] = [
        await deploy(chain.node, GAS_BURNER),
        await deploy(chain.node, REVERTS_WHEN_MINED),
      ];
      const burnt = await account.send({ to: burner, data: burn(1e6), gas_limit: 100_000 });
      const reverted = await account.send({
        ...{ to: reverter, gas_limit: 100_000 },
        data: revertingWith(RevertData.panic(0x11)),
      });
      const next = await account.send();
      expect(await account.untilFinal(burnt.id)).toMatchObject({ status: 'failed' });
      expect(await account.untilFinal(reverted.id)).toMatchObject({
        status: 'failed',
        status_reason: expect.stringMatching(/^Transaction reverted on-chain/),
      });
      expect(await account.untilFinal(next.id)).toMatchObject({ status: 'confirmed' });
      const estimated = await account.request({ to: burner, data: burn(1e9), gas_limit: null });
      expect([estimated.status, estimated.body.error]).toEqual([
        400,
        'Transaction would revert: it uses more gas than a transaction may have',
      ]);
    });

    it.each([
      ['back', -3_600_000],
      ['forth', 3_600_000],
    ])('loses no transaction when the clock steps %s by an hour', async (_, milliseconds) => {
      const counter = await deploy(chain.node, COUNTER);
      const other = await SendingAccount.add(service, chain);
      const rule = other.proxy.add(swallowSends());
      const first = SendingAccount.execution(counter);
      const { id } = await other.send(first.body);
      await other.untilStatus(id, 'submitted');
      const undo = stepClock(milliseconds);
      try {
        const second = SendingAccount.execution(counter);
        const { id: secondId } = await other.send(second.body);
        other.proxy.remove(rule);
        expect(await other.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: 0 });
        expect(await other.untilFinal(secondId)).toMatchObject({ status: 'confirmed', nonce: 1 });
        for (const { number } of [first, second]) expect(await other.timesExecuted(counter, number)).toBe(1);
      } finally {
        undo();
      }
    });

    it('loses no transaction when a node responds to every method with nonsense', async () => {
      const counter = await deploy(chain.node, COUNTER);
      const other = await SendingAccount.add(service, chain);
      const random = new SeededRandom('nonsense');
      const rule = other.proxy.add(
        scripted(({ method }) =>
          method === 'eth_chainId' ? undefined : { result: NONSENSE[random.below(NONSENSE.length)] },
        ),
        { chance: 0.5 },
      );
      const executions: ReturnType<typeof SendingAccount.execution>[] = [];
      const ids: string[] = [];
      // By chance, the first ones may be final after little nonsense, and then no calls are made any more.
      while (ids.length < 8 || rule.met <= 40) {
        const execution = SendingAccount.execution(counter);
        executions.push(execution);
        ids.push((await other.send(execution.body)).id);
        if (ids.length >= 8) await sleep(500);
      }
      other.proxy.remove(rule);
      for (const id of ids) expect(await other.untilFinal(id)).toMatchObject({ status: 'confirmed' });
      for (const { number } of executions) expect(await other.timesExecuted(counter, number)).toBe(1);
      expect((await service.get('/api/v1/health')).status).toBe(200);
    });
  });
});
