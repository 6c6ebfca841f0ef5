import { UnitOfWork } from '../../src/database/unit-of-work';
import { RelayersService } from '../../src/relayers/relayers.service';
import { AccountLedger } from '../../src/transactions/accepting/account-ledger';
import { accountId } from '../../src/transactions/account-nonce.entity';
import { newTransaction } from '../../src/transactions/new-transaction';
import { AuditLog } from '../../src/audit/audit-log';
import { NonceLowering } from '../../src/transactions/nonce-lowering';
import { TransactionRows } from '../../src/transactions/transaction-rows';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const REQUESTS = 120;
/**
 * The nonce of the first request. It differs from the chain nonce by less than the number of requests moved together.
 */
const FIRST = 10;
const CHAIN_NONCE = 7;

describeService('A long queue of unsigned requests', ({ service }) => {
  let account: string;

  /** The requests in the order of their nonces. */
  const stored = () =>
    service.app.get(TransactionRows).find({ where: { accountId: account }, order: { nonce: 'ASC' } });

  const values = async () => (await stored()).map(({ request }) => Number(request.value));

  const countUnits = () => {
    const run = jest.spyOn(service.app.get(UnitOfWork), 'run');
    return () => run.mock.calls.length;
  };

  beforeAll(async () => {
    await addRelayer(service, { id: 'r', signerId: 's' });
    const relayer = await service.app.get(RelayersService).getOrThrow('r');
    const { networkType, address } = relayer;
    const owner = { networkType, chainId: relayer.chainId ?? '', address };
    account = accountId(owner);
    await service.app.get(UnitOfWork).run(async () => {
      const [ledger] = await service.app
        .get(AccountLedger)
        .lockAll([{ account: owner, relayerId: 'r', next: FIRST }]);
      const given = { accountId: account, relayerId: 'r', sender: address };
      const rows = Array.from({ length: REQUESTS }, (_, i) =>
        newTransaction({ ...given, nonce: FIRST + i, request: { value: String(i), speed: 'fast' } }),
      );
      await service.app.get(TransactionRows).insert([{ rows, audience: relayer }]);
      await service.app
        .get(AccountLedger)
        .assign([{ ledger: ledger!, relayerId: 'r', nextNonce: FIRST + REQUESTS }]);
    });
  });

  afterEach(() => jest.restoreAllMocks());

  it('keeps its nonces if the audit log cannot record the change', async () => {
    const before = await stored();
    const relayer = await service.app.get(RelayersService).getOrThrow('r');
    jest.spyOn(service.app.get(AuditLog), 'record').mockRejectedValueOnce(new Error('full'));
    await expect(service.app.get(NonceLowering).lower(account, relayer, CHAIN_NONCE)).rejects.toThrow('full');
    expect((await stored()).map(({ nonce }) => nonce)).toEqual(before.map(({ nonce }) => nonce));
  });

  it('keeps its order when the ledger is lowered', async () => {
    const before = await values();
    const relayer = await service.app.get(RelayersService).getOrThrow('r');
    const units = countUnits();
    expect(await service.app.get(NonceLowering).lower(account, relayer, CHAIN_NONCE)).toBe(true);
    expect(units()).toBeLessThan(10);
    const rows = await stored();
    expect(rows.map(({ nonce }) => nonce)).toEqual(
      Array.from({ length: REQUESTS }, (_, i) => CHAIN_NONCE + i),
    );
    expect(await values()).toEqual(before);
    expect(rows[0]!.statusReason).toBe(
      'The nodes reported a nonce that was too high; continues with nonce 7',
    );
    const ledger = await service.app.get(AccountLedger).find(account);
    expect(ledger!.nextNonce).toBe(CHAIN_NONCE + REQUESTS);
  });

  it('is canceled in few units of work, except for an altered row', async () => {
    const rows = await stored();
    const [altered, ...others] = rows.map(({ id }) => id);
    // Sets the MAC of another row.
    await service.app.get(TransactionRows).repository.update({ id: altered! }, { mac: rows[1]!.mac });
    const units = countUnits();
    const { status, body } = await service.call({
      method: 'DELETE',
      path: '/api/v1/relayers/r/transactions/pending',
    });
    expect([status, body.data]).toEqual([
      200,
      {
        queued_for_cancellation_transaction_ids: others,
        failed_to_queue_transaction_ids: [altered],
        total_processed: REQUESTS,
      },
    ]);
    expect(units()).toBeLessThan(10);
    const shown = await service.get(`/api/v1/relayers/r/transactions/${others.at(-1)!}`);
    expect(shown.body.data).toMatchObject({
      ...{ is_canceled: true, status: 'pending' },
      status_reason: 'Transaction canceled by user, replacing with NOOP',
    });
    const audited = await service.get('/api/v1/audit-events?action=transaction.cancel&per_page=1000');
    expect(audited.body.data).toHaveLength(REQUESTS - 1);
  });
});
