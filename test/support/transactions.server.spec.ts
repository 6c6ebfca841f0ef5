import { describeWithAnvil } from './anvil';
import { TestApplication } from './application';
import { createSqlite, type TestDatabase } from './databases';
import { TestChain } from './test-chain';
import { addSendingRelayer } from './transactions';

describeWithAnvil('Relayers that send', () => {
  let chain: TestChain;
  let database: TestDatabase;
  let service: TestApplication;

  beforeAll(async () => {
    chain = await TestChain.start({ proxies: 2 });
    database = await createSqlite();
    service = await TestApplication.start(database);
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    await chain.stop();
  });

  it.each([false, true])(
    'reach the chain through the proxies (with custom RPC URLs: %s)',
    async (customUrls) => {
      const relayer = await addSendingRelayer(service, chain, { customUrls, balance: 12_345n });
      const before = chain.proxies.map(({ record }) => record.count());
      const { body } = await service.get(`${relayer.path}/balance`);
      expect(BigInt(body.data.balance)).toBe(12_345n);
      const after = chain.proxies.map(({ record }) => record.count());
      expect(after).not.toEqual(before);
    },
  );
});
