import type { UnitOfWork } from '../../database/unit-of-work';
import { newTransaction } from '../new-transaction';
import type { TransactionEntity } from '../transaction.entity';
import type { TransactionChanges, TransactionRows } from '../transaction-rows';
import { AttemptSigner, FROZEN_REASON } from './attempt-signer';
import type { LaneContext } from './lane-context';

/** Has a transaction signed while signing is frozen. @returns the reasons that were stored */
async function signFrozen(given: Partial<TransactionEntity>): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
  const rows = {
    change: (_row: TransactionEntity, { statusReason }: TransactionChanges) =>
      Promise.resolve(reasons.push(statusReason)),
  } as unknown as TransactionRows;
  const none = {} as never;
  const signer = new AttemptSigner(unitOfWork, none, rows, none, none, none, none, none);
  const row = newTransaction({
    ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
    ...given,
  });
  expect(await signer.sign({ isFrozen: true } as LaneContext, [row])).toEqual([]);
  return reasons;
}

describe('AttemptSigner', () => {
  it('says what a transaction waits for, once', async () => {
    expect(await signFrozen({})).toEqual([FROZEN_REASON]);
    expect(await signFrozen({ statusReason: FROZEN_REASON })).toEqual([]);
  });

  it.each(['canceled', 'expired', 'failed'] as const)('keeps why one is to be %s', async (abandonedAs) => {
    expect(await signFrozen({ abandonedAs, statusReason: 'Expired: valid_until has passed' })).toEqual([]);
  });
});
