import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import type { UnitOfWork } from '../../database/unit-of-work';
import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { TransactionMetrics } from '../transaction.metrics';
import type { Decision, TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import { AccountStep } from './account-step';
import { AttemptSender } from './attempt-sender';
import type { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import type { NonceRepair } from './nonce-repair';
import type { OpenTransactions } from './open-transactions';
import { Renewal } from './renewal';
import type { TransactionWatch } from './transaction-watch';

const resolved =
  <T>(value: T) =>
  () =>
    Promise.resolve(value);

describe('AccountStep', () => {
  it('raises the fees of a transaction that it sends again in the same step', async () => {
    let stored = newTransaction({
      ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: { speed: 'fast' } },
      ...{ status: 'submitted', needsAttempt: false, hashes: ['0x1'], signedBlock: 7 },
      attempt: { hash: '0x1', kind: 'request' } as never,
    });
    const raised: TransactionEntity[] = [];
    const sign = (_context: LaneContext, rows: readonly TransactionEntity[]) => {
      // What was changed since it was read cannot be stored.
      raised.push(...rows.filter(({ version }) => version === stored.version));
      return Promise.resolve([]);
    };
    const rows = {
      changeAll: (decisions: Decision[]) => {
        for (const { row, changes } of decisions)
          stored = Object.assign(newTransaction(row), changes, { version: row.version + 1 });
        return Promise.resolve([stored]);
      },
      attempts: {
        findBy: resolved([{ transactionId: 't', raw: '0x02' }]),
        update: resolved(undefined),
      },
    } as unknown as TransactionRows;
    const unit = { run: <T>(work: () => Promise<T>) => work() };
    const config = {
      get: () => ({ maxInFlight: 16, rebroadcastMs: 1000, bumpSeconds: undefined }),
    } as unknown as ConfigService<AppConfig, true>;
    const metrics = { countSend: () => undefined } as unknown as TransactionMetrics;
    const sender = new AttemptSender(separateUnits, rows, metrics);
    const signer = { sign } as unknown as AttemptSigner;
    const step = new AccountStep(
      {
        read: resolved({ waiting: () => Promise.resolve([stored]), any: resolved(true) }),
      } as unknown as OpenTransactions,
      { confirm: resolved(false), findMined: resolved(undefined) } as unknown as TransactionWatch,
      new Renewal(unit as UnitOfWork, rows, signer, sender, config),
      signer,
      sender,
      { raise: resolved(false), compare: resolved(true) } as unknown as NonceRepair,
      rows,
      config,
    );
    await step.follow({
      ...{ memory: new LaneMemory(), relayer: { policies: {} }, ledger: { nextNonce: 1 } },
      ...{ view: { nonce: 0, reported: 0, head: 9 } },
      chain: {
        send: resolved(['accepted']),
        fit: resolved('now'),
        isOutpriced: resolved(true),
      },
    } as unknown as LaneContext);
    expect(stored.broadcastAt).not.toBeNull();
    expect(raised).toEqual([stored]);
  });
});
