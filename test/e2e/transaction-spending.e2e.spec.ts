import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, Like } from 'typeorm';
import { AccountLedger } from '../../src/transactions/accepting/account-ledger';
import { AccountSpendingEntity } from '../../src/transactions/spending/account-spending.entity';
import { describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { RevertData, revertingWith } from '../support/contracts/calls';
import { REVERTS_WHEN_MINED } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { delay, errorInstead, httpBefore } from '../support/faulty-proxy/transport-faults';
import { apiKey, storageKey } from '../support/keys';
import type { HttpResponse } from '../support/http';
import { SeededRandom } from '../support/seeded-random';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { addSendingRelayer, requestTransaction } from '../support/transactions';

const REQUESTS = 100;
const TRANSFER_GAS = 21_000n;
const PRICE = 2_000_000_000n;
const FEE = TRANSFER_GAS * PRICE;
const RECEIVER = '0x3535353535353535353535353535353535353535';

const limited = (limit: object) => ({
  policies: { transactions: { spend_limits: [{ per: '1h', ...limit }] } },
});

describeWithAnvil('Spending limits', () => {
  describeWithMariaDb('of a relayer on two instances', () => {
    let database: TestDatabase;
    let services: TestApplication[];
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ noMining: true });
      database = await createMariaDb();
      const keys = { STORAGE_ENCRYPTION_KEY: storageKey(7), API_KEY: apiKey('spending') };
      services = [await TestApplication.start(database, keys), await TestApplication.start(database, keys)];
    });

    afterAll(async () => {
      for (const service of services) await service.close();
      await database.drop();
      await chain.stop();
    });

    /**
     * Requests transactions of these values concurrently, from both instances in turn.
     *
     * @returns accepted and refused values
     */
    const request = async (limit: object, values: bigint[], body: object) => {
      const relayer = await addSendingRelayer(services[0]!, chain, limited(limit));
      const responses = await Promise.all(
        values.map((value, i) =>
          requestTransaction(services[i % 2]!, relayer, {
            ...{ to: RECEIVER, value: value.toString(), gas_limit: Number(TRANSFER_GAS) },
            ...body,
          }),
        ),
      );
      for (const { status } of responses) expect([201, 403]).toContain(status);
      const withStatus = (wanted: number) => values.filter((_, i) => responses[i]!.status === wanted);
      return { accepted: withStatus(201), refused: withStatus(403) };
    };

    const sum = (values: bigint[]): bigint => values.reduce((a, b) => a + b, 0n);

    it('hold to the wei for the values of concurrent requests', async () => {
      const random = new SeededRandom('spending');
      const values = Array.from({ length: REQUESTS }, () => BigInt(1 + random.below(1000)));
      const limit = sum(values) / 3n;
      const { accepted, refused } = await request({ max_value: limit.toString() }, values, { speed: 'fast' });
      const left = limit - sum(accepted);
      expect(left).toBeGreaterThanOrEqual(0n);
      // Each refused value exceeded the remaining amount, which only decreased.
      expect(refused.length).toBeGreaterThan(0);
      for (const value of refused) expect(value).toBeGreaterThan(left);
    });

    it('hold to the wei for the fees of concurrent requests', async () => {
      const values = Array.from({ length: REQUESTS }, () => 1n);
      const { accepted } = await request({ max_fee: (11n * FEE - 1n).toString() }, values, {
        gas_price: PRICE.toString(),
      });
      expect(accepted).toHaveLength(10);
    });

    it('for fees do not limit the sum of values', async () => {
      const [service] = services as [TestApplication];
      const relayer = await addSendingRelayer(service, chain, limited({ max_fee: (2n * FEE).toString() }));
      const value = (2n ** 128n - 1n).toString();
      const body = { to: RECEIVER, value, gas_price: PRICE.toString(), gas_limit: Number(TRANSFER_GAS) };
      expect((await requestTransaction(service, relayer, body)).status).toBe(201);
      const rows = service.app.get(DataSource).getRepository(AccountSpendingEntity);
      const accountId = Like(`%:${relayer.address}`);
      const { affected } = await rows.update({ accountId }, { value: '9'.repeat(80) });
      expect(affected).toBe(1);
      expect((await requestTransaction(service, relayer, body)).status).toBe(201);
    });

    it('hold if an account is accepted in a group on one instance, and alone on the other', async () => {
      const [service, other] = services as [TestApplication, TestApplication];
      const relayers = [];
      for (let i = 0; i < 3; i += 1)
        relayers.push(await addSendingRelayer(service, chain, limited({ max_value: '100' })));
      const [first, second, third] = relayers.sort((a, b) => (a.address < b.address ? -1 : 1));
      const body = { to: RECEIVER, value: '60', speed: 'fast', gas_limit: Number(TRANSFER_GAS) };
      for (const relayer of relayers) await requestTransaction(service, relayer, { ...body, value: '0' });
      const responses: Promise<HttpResponse>[] = [];
      const ledger = service.app.get(AccountLedger);
      const lockAll = ledger.lockAll.bind(ledger);
      jest.spyOn(ledger, 'lockAll').mockImplementation(async (accounts) => {
        const addresses = accounts.map(({ account }) => account.address);
        // Requests that arrive while the first is stored form the next group.
        if (addresses.includes(first!.address)) await sleep(500);
        if (addresses.includes(third!.address)) responses.push(requestTransaction(other, third!, body));
        await Promise.all(responses);
        return lockAll(accounts);
      });
      const alone = requestTransaction(service, first!, body);
      await sleep(200);
      const together = [second!, third!].map((relayer) => requestTransaction(service, relayer, body));
      expect((await alone).status).toBe(201);
      expect((await Promise.all(together)).map(({ status }) => status)).toEqual([201, 403]);
      expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([201]);
      jest.restoreAllMocks();
    });
  });

  describeService('The amount that a relayer may spend', { onlySqlite: true }, ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
    });

    afterAll(() => chain.stop());

    const add = (limit: object) => SendingAccount.add(service, chain, limited(limit));

    it('is reduced by a waiting transaction, and restored when that is canceled', async () => {
      const account = await add({ max_value: '100' });
      const rule = account.proxy.add(swallowSends());
      const { id } = await account.send({ value: '60' });
      expect((await account.request({ value: '41' })).status).toBe(403);
      await account.cancel(id);
      expect((await account.request({ value: '41' })).status).toBe(403);
      account.proxy.remove(rule);
      expect((await account.untilFinal(id)).status).toBe('canceled');
      await account.send({ value: '100' });
      expect((await account.request({ value: '1' })).status).toBe(403);
    });

    it('is restored when the nonce of a canceled transaction is used elsewhere', async () => {
      const account = await add({ max_value: '100' });
      const rule = account.proxy.add(swallowSends());
      const { id } = await account.send({ value: '60' });
      await account.untilStatus(id, 'submitted');
      await account.cancel(id);
      await account.sendElsewhere();
      expect((await account.untilFinal(id)).status).toBe('canceled');
      account.proxy.remove(rule);
      await account.send({ value: '100' });
      expect((await account.request({ value: '1' })).status).toBe(403);
    });

    it('is restored when the execution fails', async () => {
      const contract = await deploy(chain.node, REVERTS_WHEN_MINED);
      const account = await add({ max_value: '100' });
      const data = revertingWith(RevertData.error('no'));
      const { id } = await account.send({ to: contract, value: '100', data, gas_limit: 100_000 });
      expect((await account.request({ value: '1' })).status).toBe(403);
      expect((await account.untilFinal(id)).status).toBe('failed');
      await account.send({ value: '100' });
      expect((await account.request({ value: '1' })).status).toBe(403);
    });

    it('stays reduced by a confirmed transaction', async () => {
      const account = await add({ max_value: '100' });
      const { id } = await account.send({ value: '60' });
      expect((await account.untilFinal(id)).status).toBe('confirmed');
      expect((await account.request({ value: '41' })).status).toBe(403);
      await account.send({ value: '40' });
    });

    it('is reduced only by the paid fee, once that is known', async () => {
      const account = await add({ max_fee: (2n * FEE).toString() });
      const fees = { max_fee_per_gas: (2n * PRICE).toString(), max_priority_fee_per_gas: '1', speed: null };
      const { id } = await account.send(fees);
      expect((await account.request(fees)).status).toBe(403);
      expect((await account.untilFinal(id)).status).toBe('confirmed');
      // It paid the base fee and 1 wei, less than half of its maximum fee.
      const next = await account.request({ gas_price: PRICE.toString(), speed: null });
      expect(next.status).toBe(201);
    });

    it('makes a request return 503 if the limit is set while the request is simulated', async () => {
      const account = await SendingAccount.add(service, chain);
      account.proxy.add(swallowSends());
      const { id } = await account.send();
      const setLimits = (policies: object) => service.patch(account.relayer.path, { policies });
      const rule = account.proxy.add(delay(1000), { methods: ['eth_estimateGas'] });
      const body = { value: '60', gas_limit: 100_000, simulate: true };
      const limits = {
        transactions: { spend_limits: [{ per: '1h', max_value: '100', max_fee: `${10n ** 18n}` }] },
      };
      const checked = [account.request(body), account.replace(id, body)];
      await account.until('simulations', () => rule.met === 2);
      expect((await setLimits(limits)).status).toBe(200);
      expect((await Promise.all(checked)).map(({ status }) => status)).toEqual([503, 503]);
      account.proxy.remove(rule);
      expect((await account.replace(id, body)).status).toBe(200);
      expect((await account.request({ value: '41' })).status).toBe(403);
      await account.send({ value: '40' });
    });

    it('makes a request return 503 if fees are limited and no node responds', async () => {
      const account = await add({ max_fee: `${10n ** 18n}` });
      const swallow = account.proxy.add(swallowSends());
      const { id } = await account.send();
      const outage = account.proxy.add(httpBefore(502));
      const bodies = [
        { gas_limit: undefined },
        { gas_limit: undefined, gas_price: PRICE.toString(), speed: undefined },
        { gas_limit: 50_000 },
      ];
      // Longer than prices are kept.
      await sleep(16_000);
      for (const body of bodies) {
        const { status, body: refused } = await account.request(body);
        expect([status, refused.message]).toEqual([503, 'Service Unavailable']);
        expect((await account.replace(id, body)).status).toBe(503);
        const item = { to: RECEIVER, value: '0', speed: 'fast', ...body };
        const batch = await account.call('POST', '/transactions/batch', { transactions: [item] });
        expect(batch.body.data).toEqual([{ error: expect.stringContaining('responded') as string }]);
      }
      account.proxy.remove(outage);
      account.proxy.remove(swallow);
      await account.send({ gas_limit: undefined });
    });

    it('requires a gas limit if nodes respond but cannot simulate', async () => {
      const account = await add({ max_fee: `${10n ** 18n}` });
      account.proxy.add(errorInstead({ code: -32_000, message: 'insufficient funds for transfer' }), {
        methods: ['eth_estimateGas'],
      });
      const { status, body } = await account.request({ gas_limit: undefined });
      expect([status, body.error]).toEqual([403, expect.stringContaining('gas_limit is required now')]);
    });

    it('also limits replacements', async () => {
      const account = await add({ max_value: '100' });
      const rule = account.proxy.add(swallowSends());
      const { id } = await account.send({ value: '10' });
      await account.untilStatus(id, 'submitted');
      const over = await account.replace(id, { value: '101', gas_limit: 21_000 });
      expect([over.status, over.body.message]).toEqual([403, 'Transaction not allowed by policy']);
      expect(await account.shown(id)).toMatchObject({ value: '0xa' });
      expect((await account.replace(id, { value: '70', gas_limit: 21_000 })).status).toBe(200);
      expect((await account.request({ value: '31' })).status).toBe(403);
      await account.cancel(id);
      account.proxy.remove(rule);
      expect((await account.untilFinal(id)).status).toBe('canceled');
      expect((await account.request({ value: '101' })).status).toBe(403);
      await account.send({ value: '100' });
    });
  });
});
