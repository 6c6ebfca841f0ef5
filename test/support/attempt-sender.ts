import type { FindOperator } from 'typeorm';
import { RpcUnavailableError } from '../../src/chains/rpc/endpoint-error';
import type { SendCause } from '../../src/chains/send-cause';
import type { AttemptOrder, Drafted, Fit, OutgoingAttempt } from '../../src/chains/transaction-chain';
import { newTransaction } from '../../src/transactions/new-transaction';
import { AttemptSender } from '../../src/transactions/processing/attempt-sender';
import type { Sendable } from '../../src/transactions/processing/attempt-signer';
import type { LaneContext } from '../../src/transactions/processing/lane-context';
import { LaneMemory } from '../../src/transactions/processing/lane-memory';
import type { TransactionMetrics } from '../../src/transactions/transaction.metrics';
import type { Decision, TransactionChanges, TransactionRows } from '../../src/transactions/transaction-rows';
import { separateUnits } from './separate-units';

type Says = Record<string, SendCause>;

/** A sender, what its nodes say, and what it did. */
interface StartedSender {
  /** The hashes of the attempts of each request. */
  requests: string[][];
  stored: (string | undefined)[];
  reasons: (string | null | undefined)[];
  repriced: string[];
  doubts: {
    isShortOfGas: boolean;
    isOutpriced: boolean;
    isRefusedByAll: boolean;
    isSignedForm: boolean;
    fit: Fit;
    drafted: Drafted<unknown>;
  };
  /** The hashes of the attempts that are stored as acknowledged. */
  known: string[];
  memory: LaneMemory;
  /** The hashes of the attempts that nodes have. */
  ofNodes: string[];
  /** Hashes for which no node responds when it is asked whether it has them. */
  unanswered: string[];
  says: Says;
  changed: TransactionChanges[];
  time: { now: number };
  view: { head: number; nonce: number };
  send: (some: Sendable[]) => Promise<boolean>;
}

/** A sender whose node returns these errors for specific transactions, and accepts the others. */
export function startSender({
  inOrder = false,
  says = {},
  policies = {},
}: { inOrder?: boolean; says?: Says; policies?: object } = {}): StartedSender {
  const requests: string[][] = [];
  const stored: (string | undefined)[] = [];
  const reasons: (string | null | undefined)[] = [];
  const repriced: string[] = [];
  const changed: TransactionChanges[] = [];
  const doubts = {
    ...{ isShortOfGas: false, isOutpriced: false, isRefusedByAll: true, isSignedForm: true },
    ...{ fit: 'now' as Fit, drafted: { waits: 'for a node' } as Drafted<unknown> },
  };
  const time = { now: 0 };
  const known: string[] = [];
  const ofNodes: string[] = [];
  const unanswered: string[] = [];
  const memory = new LaneMemory(() => time.now);
  const chain = {
    inOrder,
    privateFallbackBlocks: null,
    send: (attempts: readonly OutgoingAttempt[]) => {
      requests.push(attempts.map(({ hash }) => hash));
      for (const { hash, refused } of attempts)
        if (says[hash]) refused?.(says[hash], `text of ${says[hash]}`);
      return Promise.resolve(attempts.map(({ hash }) => says[hash] ?? 'accepted'));
    },
    isKnown: (hash: string) =>
      unanswered.includes(hash)
        ? Promise.reject(new RpcUnavailableError('timeout'))
        : Promise.resolve(ofNodes.includes(hash)),
    isShortOfGas: () => Promise.resolve(doubts.isShortOfGas),
    isRefusedByAll: () => Promise.resolve(doubts.isRefusedByAll),
    isOutpriced: () => Promise.resolve(doubts.isOutpriced),
    subjectOf: () => ({}),
    isSignedForm: () => doubts.isSignedForm,
    fit: () => Promise.resolve(doubts.fit),
    draft: ({ request }: AttemptOrder) => {
      expect(request.simulate).toBe(true);
      return Promise.resolve(doubts.drafted);
    },
  };
  const rows = {
    changeAll: (decisions: readonly Decision[]) => {
      changed.push(...decisions.map(({ changes }) => changes));
      stored.push(...decisions.map(({ changes }) => changes.status));
      reasons.push(...decisions.map(({ changes }) => changes.statusReason));
      repriced.push(...decisions.flatMap(({ row, changes }) => (changes.needsAttempt ? [row.id] : [])));
      return Promise.resolve([]);
    },
    attempts: {
      update: ({ hash }: { hash: FindOperator<string[]> }) => Promise.resolve(known.push(...hash.value)),
      existsBy: ({ hash }: { hash: string }) => Promise.resolve(known.includes(hash)),
      // The newest attempt, which no node has accepted yet, is left out only if accepted ones are asked for.
      findOne: ({
        where: { nonce, acknowledgedAt },
      }: {
        where: { nonce: number; acknowledgedAt?: object };
      }) =>
        Promise.resolve(
          [...known, ...(acknowledgedAt ? [] : ['0x1'])]
            .map((hash) => ({ hash, raw: '0x02' }))
            .at(nonce - 1) ?? null,
        ),
    },
  } as unknown as TransactionRows;
  const metrics = { countSend: () => undefined } as unknown as TransactionMetrics;
  const sender = new AttemptSender(separateUnits, rows, metrics);
  const view = { head: 100, nonce: 0 };
  const context = { chain, memory, view, relayer: { id: 'r', policies } } as unknown as LaneContext;
  return {
    requests,
    stored,
    reasons,
    repriced,
    doubts,
    known,
    memory,
    ofNodes,
    unanswered,
    says,
    changed,
    time,
    view,
    send: (some: Sendable[]) => sender.send(context, some),
  };
}

export const sendable = (hash: string, raw = '0x02'): Sendable => ({
  raw,
  row: newTransaction({
    ...{ id: hash, accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
    ...{ status: 'sent', attempt: { hash } as never, hashes: [hash] },
  }),
});
