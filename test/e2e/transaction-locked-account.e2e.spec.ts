import { type Connection, createConnection } from 'mysql2/promise';
import { describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

describeWithAnvil('Ledgers of accounts', () => {
  describeWithMariaDb('An account whose ledger another instance has locked', () => {
    let database: TestDatabase;
    let service: TestApplication;
    let chain: TestChain;
    let locked: SendingAccount;
    let others: SendingAccount[];
    let instance: Connection;

    beforeAll(async () => {
      chain = await TestChain.start();
      database = await createMariaDb();
      service = await TestApplication.start(database);
      locked = await SendingAccount.add(service, chain);
      others = [await SendingAccount.add(service, chain), await SendingAccount.add(service, chain)];
      for (const account of [locked, ...others]) await account.request();
      instance = await createConnection(database.url);
    });

    afterAll(async () => {
      await instance.end();
      await service.close();
      await database.drop();
      await chain.stop();
    });

    it('does not block other accounts, and its own requests wait until it is unlocked', async () => {
      const next = await locked.nextNonce();
      await instance.beginTransaction();
      const ledger = `evm:${chain.node.chainId}:${locked.relayer.address}`;
      const [rows] = await instance.query('SELECT id FROM account_nonces WHERE id = ? FOR UPDATE', [ledger]);
      expect(rows).toHaveLength(1);
      let isLocked = true;
      const waiting = Array.from({ length: 30 }, async () => {
        const { status } = await locked.request();
        return { status, isLocked };
      });
      for (let round = 0; round < 10; round += 1) {
        const accepted = await Promise.all(others.map((account) => account.request()));
        expect(accepted.map(({ status }) => status)).toEqual([201, 201]);
      }
      isLocked = false;
      await instance.rollback();
      expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ status: 201, isLocked: false })));
      expect(await locked.nextNonce()).toBe(next + 30);
    });
  });
});
