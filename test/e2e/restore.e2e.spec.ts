import { StoredSecrets } from '../support/stored-secrets';
import { describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';
import { apiKey, storageKey } from '../support/keys';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const SETTINGS = { API_KEY: apiKey('restore'), STORAGE_ENCRYPTION_KEY: storageKey(5) };
/** The statement from docs/operations/keys-and-backups.md. */
const FREEZE =
  "INSERT OR IGNORE INTO signing_freeze (id, reason, frozen_at) VALUES ('signing', 'restored', CURRENT_TIMESTAMP)";

describeWithAnvil('A restored database', () => {
  let database: TestDatabase;
  let backup: TestDatabase;
  let chain: TestChain;
  let service: TestApplication;

  beforeAll(async () => {
    chain = await TestChain.start();
    await chain.node.setAutomine(false);
  });

  afterAll(() => chain.stop());

  beforeEach(async () => {
    database = await createSqlite();
    backup = await createSqlite();
    service = await TestApplication.start(database, SETTINGS);
  });

  afterEach(async () => {
    await service.close();
    await database.drop();
    await backup.drop();
  });

  const received = async (): Promise<bigint> =>
    BigInt(await chain.node.rpc<string>('eth_getBalance', [RECEIVER, 'latest']));

  /** Mines blocks until the transaction has a status. */
  const untilStatus = (account: SendingAccount, id: string, status: string): Promise<void> =>
    account.until(status, async () => {
      await chain.node.mine();
      return (await account.shown(id)).status === status;
    });

  const onDatabase = async (which: TestDatabase, statement: string): Promise<void> => {
    const stored = await StoredSecrets.open(which);
    await stored.dataSource.query(statement);
    await stored.close();
  };

  /** Restores a backup in which a transaction is open that has been replaced and mined since. */
  const restore = async (account: SendingAccount, replacement: object) => {
    const { id } = await account.send({ value: '1' });
    await account.untilStatus(id, 'submitted');
    await onDatabase(database, `VACUUM INTO '${backup.url.slice('sqlite:'.length)}'`);

    expect((await account.replace(id, { gas_limit: 21_000, speed: 'fastest', ...replacement })).status).toBe(
      200,
    );
    await account.until('replaced', () => account.hashesSent(0).length === 2);
    await untilStatus(account, id, 'confirmed');
    const { hash } = await account.shown(id);
    await service.close();
    return { id, hash };
  };

  it('does not execute a transaction again that has been mined since the backup', async () => {
    const account = await SendingAccount.add(service, chain);
    const { id, hash } = await restore(account, { value: '1' });
    expect(await received()).toBe(1n);
    await service.start(backup, SETTINGS);
    await untilStatus(account, id, 'confirmed');
    expect(await account.shown(id)).toMatchObject({ hash, nonce: 0, status_reason: null });
    expect(await received()).toBe(1n);
  });

  it('that is frozen before the start allows a request that was executed in another form to be canceled', async () => {
    const account = await SendingAccount.add(service, chain);
    const { id } = await restore(account, { value: '2' });
    expect(await received()).toBe(3n);
    await onDatabase(backup, FREEZE);
    await service.start(backup, SETTINGS);
    await account.until('another nonce', async () => {
      await chain.node.mine();
      return (await account.shown(id)).nonce === 1;
    });
    expect((await account.cancel(id)).status).toBe(200);
    expect((await service.post('/api/v1/signing/unfreeze', {})).status).toBe(200);
    await untilStatus(account, id, 'canceled');
    expect(await received()).toBe(3n);
  });
});
