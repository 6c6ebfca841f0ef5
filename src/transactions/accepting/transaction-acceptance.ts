import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { currentCaller } from '../../audit/audit-caller';
import type { AuditCaller } from '../../audit/audit-entry';
import { AuditLog } from '../../audit/audit-log';
import { Batches } from '../../common/event-loop/batches';
import { isForeignKeyViolation, isUniqueViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { relayerNotFound } from '../../relayers/relayer.errors';
import { type Account, accountId, type AccountNonceEntity } from '../account-nonce.entity';
import { LaneWorker } from '../lanes/lane-worker';
import { SpendLimits } from '../spending/spend-limits';
import { TransactionRows } from '../transaction-rows';
import { transactionEntry } from '../transaction-audit';
import { newTransaction } from '../new-transaction';
import { idempotencyConflict, tooManyPending } from '../transaction.errors';
import type { TransactionEntity } from '../transaction.entity';
import type { AcceptedRequest } from './accepted-request';
import { AccountLedger } from './account-ledger';

/** Transactions of a relayer that are not final; the next one gets 429. @limit Transactions */
export const MAX_OPEN = 10_000;
/** Requests that share a database transaction. */
const MAX_TOGETHER = 200;
const MAX_RETRIES = 3;

/** Requests of one client that are accepted in their order: all that can be, or all or none. */
export interface Submission {
  relayer: ActingRelayer;
  account: Account;
  /** The nonce that the chain has, where it is known: no lower one is assigned. */
  floor: number;
  requests: readonly AcceptedRequest[];
  /** All are accepted or none. */
  atomic: boolean;
}

/** One result for each request: the record, and whether it was there before; or why it was not accepted. */
export type AcceptanceResult = { transaction: TransactionEntity; isReplay: boolean } | { error: unknown };

interface Waiting extends Submission {
  /** Others may share the transaction. */
  caller: AuditCaller;
  results: AcceptanceResult[];
}

/**
 * Stores accepted requests: record, nonce, idempotency key and first event in one database transaction. What comes for an
 * account while one is committed shares the next one, so that its ledger is locked once for many.
 */
@Injectable()
export class TransactionAcceptance {
  private readonly accounts = new Map<string, { batches: Batches<Waiting>; users: number }>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: AccountLedger,
    private readonly rows: TransactionRows,
    private readonly lanes: LaneWorker,
    private readonly spending: SpendLimits,
    private readonly audit: AuditLog,
  ) {}

  async submit(submission: Submission): Promise<AcceptanceResult[]> {
    const waiting: Waiting = { ...submission, caller: currentCaller(), results: [] };
    const id = accountId(submission.account);
    const account = this.accounts.get(id) ?? {
      batches: new Batches<Waiting>(MAX_TOGETHER, (items) => this.commit(items)),
      users: 0,
    };
    this.accounts.set(id, account);
    account.users += 1;
    try {
      await account.batches.add(waiting);
    } finally {
      account.users -= 1;
      if (account.users === 0) this.accounts.delete(id);
    }
    return waiting.results;
  }

  /** The record of an earlier request with this key; undefined where there is none. @throws DomainError `idempotency_conflict` */
  async findReplay(
    relayerId: string,
    { idempotencyKey, digest }: Pick<AcceptedRequest, 'idempotencyKey' | 'digest'>,
  ): Promise<TransactionEntity | undefined> {
    if (idempotencyKey === null) return undefined;
    const known = await this.rows.findOneBy({ relayerId, idempotencyKey });
    if (known && known.requestDigest !== digest) throw idempotencyConflict();
    return known ?? undefined;
  }

  private async commit(items: Waiting[], attempt = 1): Promise<void> {
    const [first] = items;
    if (!first) return;
    try {
      await this.unitOfWork.run(() => this.store(items));
    } catch (error) {
      if (isForeignKeyViolation(error)) throw relayerNotFound(first.relayer.id);
      // Another instance has created the ledger, or used a key, at the same moment.
      if (!isUniqueViolation(error) || attempt === MAX_RETRIES) throw error;
      await this.commit(items, attempt + 1);
      return;
    }
    this.lanes.wake(accountId(first.account));
  }

  private async store(items: readonly Waiting[]): Promise<void> {
    const [first] = items;
    if (!first) return;
    const { account, relayer } = first;
    const floor = Math.max(...items.map((item) => item.floor));
    const ledger = await this.ledger.lock(account, relayer.id, floor);
    const replays = await this.findReplays(relayer.id, items);
    const open = await this.rows.repository.countBy({ openRelayerId: relayer.id });
    const assigned = new NonceAssignment(ledger, floor, MAX_OPEN - open);
    const budget = await this.spending.budgetOf(relayer, ledger.id);
    for (const item of items) item.results = this.decide(item, assigned, replays, budget);
    await this.rows.insert(assigned.rows, relayer);
    for (const item of items) await this.recordAccepted(item);
    await this.spending.reserve(budget);
    if (assigned.rows.length > 0) await this.ledger.assign(ledger, relayer.id, assigned.next);
  }

  private recordAccepted({ relayer, results, caller }: Waiting): Promise<void> {
    const entries = results.flatMap((result) =>
      'error' in result || result.isReplay
        ? []
        : [transactionEntry('transaction.submit', relayer, result.transaction)],
    );
    return this.audit.recordAll(entries, caller);
  }

  private decide(
    item: Waiting,
    assigned: NonceAssignment,
    replays: Map<string, TransactionEntity>,
    budget: Awaited<ReturnType<SpendLimits['budgetOf']>>,
  ): AcceptanceResult[] {
    const before = assigned.mark();
    const spent = budget.mark();
    const results = item.requests.map((request): AcceptanceResult => {
      const { idempotencyKey, digest } = request;
      const known = idempotencyKey === null ? undefined : replays.get(idempotencyKey);
      if (known) {
        return known.requestDigest === digest
          ? { transaction: known, isReplay: true }
          : { error: idempotencyConflict() };
      }
      if (assigned.isFull) return { error: tooManyPending(MAX_OPEN) };
      const over = budget.take(request.request);
      if (over) return { error: over };
      const transaction = assigned.add(item, request);
      if (idempotencyKey !== null) replays.set(idempotencyKey, transaction);
      return { transaction, isReplay: false };
    });
    const failed = results.find((result) => 'error' in result);
    if (!item.atomic || !failed) return results;
    for (const transaction of assigned.reset(before))
      if (transaction.idempotencyKey !== null) replays.delete(transaction.idempotencyKey);
    budget.reset(spent);
    return results.map((result) => ('error' in result ? result : { error: failed.error }));
  }

  private async findReplays(
    relayerId: string,
    items: readonly Waiting[],
  ): Promise<Map<string, TransactionEntity>> {
    const keys = items
      .flatMap(({ requests }) => requests.map(({ idempotencyKey }) => idempotencyKey))
      .filter((key) => key !== null);
    if (keys.length === 0) return new Map();
    const known = await this.rows.find({ where: { relayerId, idempotencyKey: In(keys) } });
    return new Map(known.map((row) => [row.idempotencyKey ?? '', row]));
  }
}

/** The nonces of one database transaction, in the order of the requests. */
class NonceAssignment {
  readonly rows: TransactionEntity[] = [];
  private readonly first: number;

  constructor(
    private readonly ledger: AccountNonceEntity,
    floor: number,
    private readonly room: number,
  ) {
    this.first = Math.max(ledger.nextNonce, floor);
  }

  get next(): number {
    return this.first + this.rows.length;
  }

  get isFull(): boolean {
    return this.rows.length >= this.room;
  }

  mark(): number {
    return this.rows.length;
  }

  reset(mark: number): TransactionEntity[] {
    return this.rows.splice(mark);
  }

  add({ relayer, account }: Submission, accepted: AcceptedRequest): TransactionEntity {
    const row = newTransaction({
      accountId: this.ledger.id,
      relayerId: relayer.id,
      sender: account.address,
      nonce: this.next,
      request: accepted.request,
      idempotencyKey: accepted.idempotencyKey,
      requestDigest: accepted.digest,
      validUntil: accepted.validUntil,
      metadata: accepted.metadata,
    });
    this.rows.push(row);
    return row;
  }
}
