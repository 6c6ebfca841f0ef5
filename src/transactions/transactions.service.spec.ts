import { QueryFailedError } from 'typeorm';
import type { OngoingAccess } from '../access/ongoing-access';
import type { AuditEntry } from '../audit/audit-entry';
import { DomainError } from '../common/errors/domain-error';
import type { RelayersService } from '../relayers/relayers.service';
import type { SignatureRecords } from '../signing/signature-records';
import type { TransactionAcceptance } from './accepting/transaction-acceptance';
import { newTransaction } from './new-transaction';
import { idempotencyConflict } from './transaction.errors';
import type { TransactionEntity } from './transaction.entity';
import { TransactionsService } from './transactions.service';

/** A service that refuses every request, with a record or conflict for its idempotency key. */
function refusing(error: Error, findReplay: () => Promise<TransactionEntity | undefined>) {
  const recorded: (AuditEntry | undefined)[] = [];
  const relayers = {
    getForSending: () => Promise.reject(error),
    getOrThrow: () => Promise.resolve({}),
  } as unknown as RelayersService;
  const records = {
    saveFailures: (entries: (AuditEntry | undefined)[]) => Promise.resolve(recorded.push(...entries)),
  } as unknown as SignatureRecords;
  const none = {} as never;
  const service = new TransactionsService(
    relayers,
    none,
    { findReplay } as unknown as TransactionAcceptance,
    none,
    none,
    { recheck: () => undefined } as unknown as OngoingAccess,
    records,
    none,
    none,
  );
  return { service, recorded };
}

const timedOut = new QueryFailedError(
  'SELECT',
  [],
  Object.assign(new Error('Statement timed out'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }),
);
const notAllowed = new DomainError('transaction_not_allowed', 'Transaction not allowed by policy');

describe('TransactionsService', () => {
  it('records a refusal although the response is that the idempotency key was used for another body', async () => {
    const { service, recorded } = refusing(notAllowed, () => Promise.reject(idempotencyConflict()));
    await expect(service.submit('r', {}, 'k')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(recorded).toEqual([
      { action: 'transaction.submit', relayerId: 'r', form: 'transaction', code: 'transaction_not_allowed' },
    ]);
  });

  it('records that an idempotency key was used for another body', async () => {
    const conflict = idempotencyConflict();
    const { service, recorded } = refusing(conflict, () => Promise.reject(conflict));
    await expect(service.submit('r', {}, 'k')).rejects.toBe(conflict);
    expect(recorded).toMatchObject([{ action: 'transaction.submit', code: 'idempotency_conflict' }]);
  });

  it('records no refusal if an earlier request was accepted', async () => {
    const earlier = newTransaction({ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} });
    const { service, recorded } = refusing(notAllowed, () => Promise.resolve(earlier));
    expect(await service.submit('r', {}, 'k')).toEqual({ transaction: earlier, isReplay: true });
    expect(recorded).toEqual([]);
  });

  it('looks for no earlier request once the database has not responded in time', async () => {
    const findReplay = jest.fn(() => Promise.resolve(undefined));
    const { service, recorded } = refusing(timedOut, findReplay);
    await expect(service.submit('r', {}, 'k')).rejects.toBe(timedOut);
    await expect(service.submitAll('r', [{}], 'k', false)).rejects.toBe(timedOut);
    expect(findReplay).not.toHaveBeenCalled();
    expect(recorded).toEqual([undefined]);
  });
});
