import { UnitOfWork } from '../../src/database/unit-of-work';
import { newTransaction } from '../../src/transactions/new-transaction';
import { RelayerTopUpEntity } from '../../src/transactions/top-ups/relayer-top-up.entity';
import { TopUpRows } from '../../src/transactions/top-ups/top-up-rows';
import { TransactionEntity } from '../../src/transactions/transaction.entity';
import type { TransactionStatus } from '../../src/transactions/transaction-status';
import { addRelayer } from '../support/builders';
import { BY_HAND } from '../support/checked-relayers';
import { describeService } from '../support/describe-service';

const LONG_AGO = new Date(Date.now() - 3_600_000);

describeService('Claims of top-ups', { checks: BY_HAND, startFor: 'test' }, ({ service }) => {
  beforeEach(async () => {
    for (const id of ['poor', 'treasury', 'other']) await addRelayer(service, { id });
  });

  const claim = (from = 'treasury'): Promise<string | undefined> =>
    service.app.get(TopUpRows).claim('poor', from);

  const repository = () => service.app.get(UnitOfWork).repository(RelayerTopUpEntity);

  /** Simulates that an interval between checks has passed. */
  const pass = async (): Promise<void> => {
    await repository().update({ relayerId: 'poor' }, { triedAt: LONG_AGO });
  };

  const accept = async (idempotencyKey: string, status: TransactionStatus): Promise<void> => {
    const row = newTransaction({
      ...{
        accountId: 'evm:1:0x',
        relayerId: 'treasury',
        sender: '0x',
        nonce: Math.floor(Math.random() * 1e9),
      },
      ...{ request: {}, idempotencyKey, status, openRelayerId: null },
    });
    await service.app
      .get(UnitOfWork)
      .repository(TransactionEntity)
      .insert(row as object);
  };

  it('succeed for only one of many concurrent callers', async () => {
    const first = await Promise.all(Array.from({ length: 10 }, () => claim()));
    expect(first.filter((key) => key !== undefined)).toHaveLength(1);
    await pass();
    const second = await Promise.all(Array.from({ length: 10 }, () => claim()));
    expect(second.filter((key) => key !== undefined)).toHaveLength(1);
  });

  it('succeed no more often than checks run', async () => {
    expect(await claim()).toMatch(/^top-up poor [0-9a-f-]{36}$/);
    expect(await claim()).toBeUndefined();
    expect(await claim('other')).toBeUndefined();
  });

  it('succeed again if the clock was set back since the last claim', async () => {
    await claim();
    await repository().update({ relayerId: 'poor' }, { triedAt: new Date(Date.now() + 86_400_000) });
    expect(await claim()).toMatch(/^top-up poor /);
    expect(await claim()).toBeUndefined();
  });

  it('return the same key until a transaction with that key is accepted', async () => {
    const key = await claim();
    await pass();
    expect(await claim()).toBe(key);
    await pass();
    const other = await claim('other');
    expect(other).toMatch(/^top-up poor /);
    expect(other).not.toBe(key);
  });

  it.each<TransactionStatus>(['pending', 'sent', 'submitted', 'mined'])(
    'fail while the last top-up is %s, also for another sender',
    async (status) => {
      await accept((await claim())!, status);
      for (const from of ['treasury', 'other']) {
        await pass();
        expect(await claim(from)).toBeUndefined();
      }
    },
  );

  it.each<TransactionStatus>(['confirmed', 'failed', 'canceled', 'expired'])(
    'return a new key once the last top-up is %s',
    async (status) => {
      const last = (await claim())!;
      await accept(last, status);
      await pass();
      const next = await claim();
      expect(next).toMatch(/^top-up poor /);
      expect(next).not.toBe(last);
    },
  );

  it('fail for a deleted relayer, and are deleted with it', async () => {
    await claim();
    expect((await service.call({ method: 'DELETE', path: '/api/v1/relayers/poor' })).status).toBe(200);
    expect(await repository().count()).toBe(0);
    expect(await claim()).toBeUndefined();
  });
});
