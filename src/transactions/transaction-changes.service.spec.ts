import type { OngoingAccess } from '../access/ongoing-access';
import type { AuditLog } from '../audit/audit-log';
import type { UnitOfWork } from '../database/unit-of-work';
import { relayerNotFound } from '../relayers/relayer.errors';
import type { RelayersService } from '../relayers/relayers.service';
import type { AccountLedger } from './accepting/account-ledger';
import type { LaneWorker } from './lanes/lane-worker';
import { newTransaction } from './new-transaction';
import { TransactionChangesService } from './transaction-changes.service';
import type { SpendLimits } from './spending/spend-limits';
import type { TransactionEntity } from './transaction.entity';
import type { Decision, TransactionRows } from './transaction-rows';
import type { TransactionsService } from './transactions.service';

describe('TransactionChangesService', () => {
  it('stores after how many attempts a replacement came', async () => {
    const row = newTransaction({
      ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: { value: '1' } },
      ...{ status: 'submitted', hashes: ['0x1', '0x2', '0x3', '0x4'] },
    });
    const stored: unknown[] = [];
    const rows = {
      findOneBy: () => Promise.resolve(row),
      findToChange: () => Promise.resolve(row),
      changeProtected: (_row: TransactionEntity, { request }: { request: object }) =>
        Promise.resolve(stored.push(request) && row),
    } as unknown as TransactionRows;
    const request = { value: '2' };
    const none = {} as never;
    const changes = new TransactionChangesService(
      { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork,
      rows,
      { findToChange: () => Promise.resolve(), demand: () => Promise.resolve() } as unknown as AccountLedger,
      {
        getOrThrow: () => Promise.resolve({}),
        getForSending: () => Promise.resolve({}),
      } as unknown as RelayersService,
      { readReplacement: () => Promise.resolve({ request }) } as unknown as TransactionsService,
      { wake: () => undefined } as unknown as LaneWorker,
      { reserveReplacement: () => Promise.resolve(request) } as unknown as SpendLimits,
      { recheck: () => undefined } as unknown as OngoingAccess,
      none,
      none,
    );
    await changes.replace('r', row.id, {});
    expect(stored).toEqual([{ value: '2', replaced_after: 4 }]);
  });

  it('stops canceling many transactions once the caller can no longer reach the relayer', async () => {
    const open = Array.from({ length: 120 }, (_, nonce) =>
      newTransaction({ accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} }),
    );
    const canceled: Decision[] = [];
    let isReachable = true;
    const rows = {
      repository: { find: () => Promise.resolve(open) },
      findIntact: ({ where }: { where: { id: { value: string[] } } }) =>
        Promise.resolve({ intact: open.filter(({ id }) => where.id.value.includes(id)), altered: [] }),
      changeAll: (decisions: Decision[]) => {
        canceled.push(...decisions);
        isReachable = canceled.length < 100;
        return Promise.resolve(decisions.map(({ row }) => row));
      },
    } as unknown as TransactionRows;
    const relayers = {
      getOrThrow: (id: string) =>
        isReachable ? Promise.resolve({ id }) : Promise.reject(relayerNotFound(id)),
    } as unknown as RelayersService;
    const none = {} as never;
    const changes = new TransactionChangesService(
      { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork,
      rows,
      { demand: () => Promise.resolve() } as unknown as AccountLedger,
      relayers,
      none,
      { wake: () => undefined } as unknown as LaneWorker,
      none,
      { recheck: () => undefined } as unknown as OngoingAccess,
      { recordAll: () => Promise.resolve() } as unknown as AuditLog,
      none,
    );
    await expect(changes.cancelAll('r')).rejects.toMatchObject({ code: 'relayer_not_found' });
    expect(canceled.map(({ row }) => row.nonce)).toEqual(open.slice(0, 100).map(({ nonce }) => nonce));
  });
});
