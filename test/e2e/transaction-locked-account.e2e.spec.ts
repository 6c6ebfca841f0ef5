import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { MAX_WAIT_MS } from '../../src/transactions/accepting/late-checks';
import { describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { until } from '../support/private-servers';
import { RECEIVER, SendingAccount } from '../support/sending-account';
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
      chain = await TestChain.start({ noMining: true });
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

    /** Makes a request that waits for a row, and changes something before the row is unlocked. */
    const duringWait = async (
      row: readonly [table: 'account_nonces' | 'transactions', id: string],
      request: () => Promise<HttpResponse>,
      change: () => Promise<HttpResponse>,
    ): Promise<HttpResponse> => {
      const [table, id] = row;
      await instance.beginTransaction();
      const [rows] = await instance.query(`SELECT id FROM ${table} WHERE id = ? FOR UPDATE`, [id]);
      expect(rows).toHaveLength(1);
      const response = request();
      await until('the request waits', async () => {
        // The table is not refreshed while it is read more often.
        await sleep(200);
        const [waits] = await instance.query(
          "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
        );
        return (waits as unknown[]).length > 0;
      });
      const { status } = await change();
      expect([200, 204]).toContain(status);
      await sleep(MAX_WAIT_MS);
      await instance.rollback();
      return response;
    };

    const ledgerOf = (account: SendingAccount) =>
      ['account_nonces', `evm:${chain.node.chainId}:${account.relayer.address}`] as const;

    const allowing = (max_value: string) => ({
      policies: { transactions: { spend_limits: [{ per: '1h', max_value }] } },
    });

    it('accepts nothing once the relayer was paused during the wait', async () => {
      const account = await SendingAccount.add(service, chain);
      await account.send();
      const { status, text } = await duringWait(
        ledgerOf(account),
        () => account.request(),
        () => account.call('PATCH', '', { paused: true }),
      );
      expect([status, text]).toEqual([403, expect.stringContaining('Relayer paused')]);
      expect(await account.nextNonce()).toBe(1);
    });

    it('accepts nothing once the API key was revoked during the wait, but requests of other keys', async () => {
      const account = await SendingAccount.add(service, chain);
      await account.send();
      const holder = await KeyHolder.add(service, { scopes: ['transactions:write'] });
      const body = { to: RECEIVER, value: '0', speed: 'fast', gas_limit: 21_000 };
      let other: Promise<HttpResponse> | undefined;
      const { status } = await duringWait(
        ledgerOf(account),
        () => {
          other = account.request();
          return holder.call('POST', `${account.relayer.path}/transactions`, body);
        },
        () => service.call({ method: 'DELETE', path: `/api/v1/api-keys/${holder.id}` }),
      );
      expect([status, (await other)?.status]).toEqual([401, 201]);
      expect(await account.nextNonce()).toBe(2);
    });

    it('accepts what a spending limit allows that was lowered during the wait', async () => {
      const account = await SendingAccount.add(service, chain, allowing('1000'));
      await account.send();
      const lower = () => account.call('PATCH', '', allowing('10'));
      const { status, text } = await duringWait(
        ledgerOf(account),
        () => account.request({ value: '900' }),
        lower,
      );
      expect([status, text]).toEqual([403, expect.stringContaining('spend_limits[0].max_value')]);
      expect((await account.request({ value: '9' })).status).toBe(201);
    });

    it('replaces nothing once the relayer was paused, or a limit was lowered, during the wait', async () => {
      const account = await SendingAccount.add(service, chain, allowing('1000'));
      const { id } = await account.send({ value: '1' });
      const replace = () => account.replace(id, { value: '900', gas_limit: 21_000 });
      const row = ['transactions', id] as const;
      const limited = await duringWait(row, replace, () => account.call('PATCH', '', allowing('10')));
      expect([limited.status, limited.text]).toEqual([403, expect.stringContaining('max_value')]);
      await account.call('PATCH', '', { policies: null });
      const paused = await duringWait(row, replace, () => account.call('PATCH', '', { paused: true }));
      expect([paused.status, paused.text]).toEqual([403, expect.stringContaining('Relayer paused')]);
      expect((await account.shown(id)).value).toBe('0x1');
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
