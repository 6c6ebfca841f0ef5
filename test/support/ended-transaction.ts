import { UnitOfWork } from '../../src/database/unit-of-work';
import { newTransaction } from '../../src/transactions/new-transaction';
import { TransactionRows } from '../../src/transactions/transaction-rows';
import type { TestApplication } from './application';

/** Stores a transaction that has ended. */
export async function addEndedTransaction(
  { app }: TestApplication,
  ids: { id: string; relayerId: string },
): Promise<void> {
  const transaction = newTransaction({
    ...ids,
    ...{ accountId: 'evm:424242:0x1', sender: `0x${'11'.repeat(20)}`, nonce: 0, request: {} },
    ...{ status: 'confirmed', openRelayerId: null, finishedAt: new Date() },
  });
  const rows = app.get(TransactionRows, { strict: false });
  await app
    .get(UnitOfWork)
    .run(() => rows.insert([{ rows: [transaction], audience: { notificationId: null } }]));
}
