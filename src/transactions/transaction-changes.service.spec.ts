import type { OngoingAccess } from '../access/ongoing-access';
import type { AuditLog } from '../audit/audit-log';
import type { UnitOfWork } from '../database/unit-of-work';
import { relayerNotFound } from '../relayers/relayer.errors';
import type { RelayersService } from '../relayers/relayers.service';
import type { AccountLedger } from './accepting/account-ledger';
import type { LaneWorker } from './lanes/lane-worker';
import { newTransaction } from './new-transaction';
import { TransactionChangesService } from './transaction-changes.service';
import type { Decision, TransactionRows } from './transaction-rows';

describe('TransactionChangesService', () => {
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
