import type { AuditEntry } from '../../audit/audit-entry';
import type { AuditLog } from '../../audit/audit-log';
import { readTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { SharedUnits } from '../../database/shared-units';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { RelayersService } from '../../relayers/relayers.service';
import type { SignerKeys } from '../../signers/opening/signer-keys';
import type { SignatureEvents } from '../../signing/signature-events';
import type { SigningMetrics } from '../../signing/signing.metrics';
import { newTransaction } from '../new-transaction';
import type { TransactionAttemptEntity } from '../transaction-attempt.entity';
import type { TransactionMetrics } from '../transaction.metrics';
import type { Decision, TransactionRows } from '../transaction-rows';
import { AttemptSender } from './attempt-sender';
import { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';

/** Stores the items of two callers together. */
const pairs = {
  of: <T, R>(store: (items: readonly T[]) => Promise<readonly R[]>) => {
    const waiting: { item: T; resolve: (result: R) => void }[] = [];
    return (item: T) =>
      new Promise<R>((resolve, reject) => {
        waiting.push({ item, resolve });
        if (waiting.length < 2) return;
        const pair = waiting.splice(0);
        store(pair.map((each) => each.item)).then(
          (results) => pair.forEach((each, i) => each.resolve(results[i]!)),
          reject,
        );
      });
  },
} as unknown as SharedUnits;

const FIELDS = { type: 0, chain_id: 1, nonce: 0, gas_price: 1, gas_limit: 21_000, to: null };
const SUBJECT = readTransaction(FIELDS);
const RELAYERS = ['r1', 'r2'].map((id) => ({ id, policies: {}, notificationId: `${id} hook` }));

const transactionOf = (relayerId: string, nonce: number, hashes: string[] = []) =>
  newTransaction({
    ...{ id: `${relayerId} ${nonce}`, accountId: relayerId, relayerId, sender: '0x', nonce, request: {} },
    ...{ hashes, ...(hashes[0] !== undefined && { attempt: { hash: hashes[0] } as never }) },
  });

const changedBy = ({ row, changes }: Decision) => Object.assign(newTransaction(row), changes);

describe('Lanes that store at the same time', () => {
  it('store their signed attempts with the same statements, and record them for their own relayers', async () => {
    const changes: Decision[][] = [];
    const inserted: TransactionAttemptEntity[][] = [];
    const entries: AuditEntry[] = [];
    const reported: unknown[] = [];
    const rows = {
      attemptsOf: () => Promise.resolve([]),
      // Someone else has changed one of them.
      changeAll: (decisions: Decision[]) => {
        changes.push(decisions);
        const left = decisions.filter(({ row }) => row.id !== 'r2 0');
        return Promise.resolve(left.map((each) => changedBy(each)));
      },
      insertAttempts: (attempts: TransactionAttemptEntity[]) => Promise.resolve(inserted.push(attempts)),
    } as unknown as TransactionRows;
    const signer = new AttemptSigner(
      {} as UnitOfWork,
      pairs,
      rows,
      { open: () => Promise.resolve({ sign: () => Promise.resolve({}) }) } as unknown as SignerKeys,
      {
        findForProcessing: (id: string) =>
          Promise.resolve({ relayer: RELAYERS.find((each) => each.id === id), isFrozen: false }),
      } as unknown as RelayersService,
      {
        record: (relayer: string, notification: string, signed: readonly unknown[]) =>
          Promise.resolve(reported.push([relayer, notification, signed.length])),
      } as unknown as SignatureEvents,
      {} as TransactionMetrics,
      { recordAll: (some: AuditEntry[]) => Promise.resolve(entries.push(...some)) } as unknown as AuditLog,
      {} as SigningMetrics,
    );
    const sign = (relayer: (typeof RELAYERS)[number]) =>
      signer.sign(
        {
          ...{ memory: new LaneMemory(), relayer, readAt: Infinity, view: { head: 9 } },
          chain: {
            draft: ({ nonce }: { nonce: number }) => {
              const attempt = { content: { hash: `0x${relayer.id}${nonce}`, kind: 'request' }, raw: '0x' };
              return Promise.resolve({
                draft: { digest: new Uint8Array(32), subject: SUBJECT, sign: () => attempt },
              });
            },
          },
        } as unknown as LaneContext,
        [0, 1].map((nonce) => transactionOf(relayer.id, nonce)),
      );
    const sendable = await Promise.all(RELAYERS.map(sign));
    expect(sendable.map((some) => some.map(({ row }) => row.id))).toEqual([['r1 0', 'r1 1'], ['r2 1']]);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.map(({ row, audience }) => [row.relayerId, audience.notificationId])).toEqual([
      ['r1', 'r1 hook'],
      ['r1', 'r1 hook'],
      ['r2', 'r2 hook'],
      ['r2', 'r2 hook'],
    ]);
    expect(inserted.map((some) => some.map(({ hash }) => hash))).toEqual([['0xr10', '0xr11', '0xr21']]);
    expect(entries.map((entry) => [entry.relayerId, entry.changes?.hash?.after])).toEqual([
      ['r1', '0xr10'],
      ['r1', '0xr11'],
      ['r2', '0xr21'],
    ]);
    expect(reported).toEqual([
      ['r1', 'r1 hook', 2],
      ['r2', 'r2 hook', 1],
    ]);
  });

  it('store the responses of nodes with the same statements, and continue with their own transactions', async () => {
    const changes: Decision[][] = [];
    let updates = 0;
    const rows = {
      changeAll: (decisions: Decision[]) => {
        changes.push(decisions);
        return Promise.resolve(decisions.map((each) => changedBy(each)).reverse());
      },
      attempts: { update: () => Promise.resolve((updates += 1)) },
    } as unknown as TransactionRows;
    const metrics = { countSend: () => undefined } as unknown as TransactionMetrics;
    const sender = new AttemptSender(pairs, rows, metrics);
    const send = (relayer: (typeof RELAYERS)[number]) =>
      sender.resend(
        {
          ...{ memory: new LaneMemory(), relayer, view: { head: 9 } },
          chain: { send: (attempts: readonly unknown[]) => Promise.resolve(attempts.map(() => 'accepted')) },
        } as unknown as LaneContext,
        [0, 1].map((nonce) => ({
          row: Object.assign(transactionOf(relayer.id, nonce, [`0x${nonce}`]), { status: 'sent' }),
          raw: '0x',
        })),
      );
    const changed = await Promise.all(RELAYERS.map(send));
    expect(changed.map((some) => some.map(({ id, status }) => [id, status]))).toEqual([
      [
        ['r1 0', 'submitted'],
        ['r1 1', 'submitted'],
      ],
      [
        ['r2 0', 'submitted'],
        ['r2 1', 'submitted'],
      ],
    ]);
    expect(changes.map((some) => some.length)).toEqual([4]);
    expect(updates).toBe(1);
  });
});
