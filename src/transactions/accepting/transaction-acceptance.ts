import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { currentCaller } from '../../audit/audit-caller';
import { AuditLog } from '../../audit/audit-log';
import { Batches } from '../../common/event-loop/batches';
import { KeyedBatches } from '../../common/event-loop/keyed-batches';
import { getOrCreate } from '../../common/get-or-create';
import { currentRequest, inRequest } from '../../common/http/request-context';
import { currentTrace, inSpan } from '../../common/tracing/spans';
import { isForeignKeyViolation, isUniqueViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { relayerNotFound } from '../../relayers/relayer.errors';
import { accountId, type AccountNonceEntity, type RelayerAccount } from '../account-nonce.entity';
import { LaneWorker } from '../lanes/lane-worker';
import { type Budget, SpendLimits } from '../spending/spend-limits';
import { TransactionRows } from '../transaction-rows';
import { transactionEntry } from '../transaction-audit';
import { AccountChangedError, tooManyPending } from '../transaction.errors';
import type { TransactionEntity } from '../transaction.entity';
import type { KeyedRequest } from './accepted-request';
import { holdsFor } from './account-floors';
import { AccountLedger } from './account-ledger';
import { refusedTogether } from './batch-failure';
import { conflictOf, knownOf } from './known-requests';
import { checkLate } from './late-checks';
import { NonceAssignment } from './nonce-assignment';
import type { AcceptanceResult, Submission, UsedApproval, Waiting } from './submission';

/** Transactions of a relayer that are not final; the next one gets 429. @limit Transactions */
const MAX_OPEN = 10_000;
/** The maximum number of requests that share a database transaction. */
const MAX_TOGETHER = 200;
/** Idempotency keys in one statement: databases limit the number of its values. */
const KEYS_TOGETHER = 10_000;
const MAX_RETRIES = 3;

/** The requests for an account; at least one. */
type OfAccount = readonly [Waiting, ...Waiting[]];

/** The requests for an account whose ledger is locked. */
interface LockedAccount {
  ledger: AccountNonceEntity;
  items: OfAccount;
  relayer: ActingRelayer;
}

/** What was decided on them. */
interface DecidedAccount extends LockedAccount {
  budget: Budget;
  assigned: NonceAssignment;
}

/**
 * Stores accepted requests: record, nonce, idempotency key and first event in one database transaction. Requests that
 * arrive during a commit share the next transaction, so that a ledger is locked once for many requests, and many
 * accounts share one flush to disk.
 */
@Injectable()
export class TransactionAcceptance {
  private readonly together = new Batches<Waiting>(MAX_TOGETHER, (items) => this.commitTogether(items));
  /** Accounts that cannot share a transaction, because their ledger is locked or their requests fail. */
  private readonly alone = new KeyedBatches<Waiting>(MAX_TOGETHER, (items) => this.commit(items));

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: AccountLedger,
    private readonly rows: TransactionRows,
    private readonly lanes: LaneWorker,
    private readonly spending: SpendLimits,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @returns undefined if the ledger was lowered since the floor was read, and the floor is above it
   * @throws DomainError if the client may no longer send for the relayer
   */
  async submit(submission: Submission): Promise<AcceptanceResult[] | undefined> {
    const request = currentRequest();
    const { check } = submission;
    const waiting: Waiting = {
      ...submission,
      check: request ? () => inRequest(request, check) : check,
      caller: currentCaller(),
      trace: currentTrace(),
      isStored: false,
      isOutdated: false,
      refusal: undefined,
      results: [],
    };
    if (submission.approval || submission.ledgerChanges !== undefined) await this.commit([waiting]);
    else await inSpan('accept transactions', {}, () => this.accept(waiting));
    if (waiting.refusal) throw waiting.refusal;
    return waiting.isOutdated ? undefined : waiting.results;
  }

  private async accept(waiting: Waiting): Promise<void> {
    const id = accountId(waiting.account);
    if (!this.alone.has(id)) await this.together.add(waiting);
    if (!waiting.isStored) await this.alone.add(id, waiting);
  }

  /**
   * The record of an earlier request with this key; undefined if there is none. @throws DomainError
   * `idempotency_conflict`
   */
  async findReplay(
    relayerId: string,
    account: RelayerAccount,
    request: KeyedRequest,
  ): Promise<TransactionEntity | undefined> {
    const replays = await this.findReplays([{ relayerId, requests: [request] }]);
    const known = knownOf(request, replays.get(relayerId) ?? new Map());
    const conflict = known && conflictOf(known, request, account);
    if (conflict) throw conflict;
    return known;
  }

  private async commitTogether(items: readonly Waiting[]): Promise<void> {
    // Not in the unit of work, which locks many accounts. If it fails, each is stored, and checked, alone.
    const isChecked = await checkLate(items).then(
      () => true,
      () => false,
    );
    const accounts = byAccount(items);
    if (!isChecked || !(await this.unitOfWork.runOnce(() => this.storeAll(accounts)))) return;
    for (const ofAccount of accounts) this.stored(ofAccount);
  }

  private async commit(items: readonly Waiting[], attempt = 1): Promise<void> {
    if (!isNotEmpty(items)) return;
    const [first] = items;
    try {
      await this.unitOfWork.run(() => this.storeAll([items], checkLate));
    } catch (error) {
      if (isForeignKeyViolation(error)) throw relayerNotFound(first.relayer.id);
      // Another instance has concurrently created the ledger or used a key.
      if (!isUniqueViolation(error) || attempt === MAX_RETRIES) throw error;
      await this.commit(items, attempt + 1);
      return;
    }
    this.stored(items);
  }

  private stored(items: readonly Waiting[]): void {
    for (const item of items) item.isStored = true;
    const [first] = items;
    if (first) this.lanes.wake(accountId(first.account));
  }

  /**
   * Locks all ledgers before anything else is read: on MySQL a transaction only sees what was committed before its
   * first read, and it must see everything that other instances have accepted for these ledgers.
   *
   * @param check checks the requests again if they have waited for the locks
   */
  private async storeAll(accounts: readonly OfAccount[], check?: typeof checkLate): Promise<void> {
    const ledgers = await this.ledger.lockAll(
      accounts.map((items) => {
        const [{ account, relayer }] = items;
        return { account, relayerId: relayer.id, next: floorOf(items) };
      }),
    );
    await check?.(accounts.flat());
    const locked = accounts.flatMap((all, i) => {
      const ledger = ledgers[i];
      if (!ledger) return [];
      for (const item of all) item.isOutdated = !holdsFor(item.floor, ledger);
      const items = all.filter(({ isOutdated, refusal }) => !isOutdated && !refusal);
      return isNotEmpty(items) ? [{ ledger, items, relayer: items[0].relayer }] : [];
    });
    const replays = await this.findReplays(
      locked.map(({ relayer, items }) => ({
        relayerId: relayer.id,
        requests: items.flatMap(({ requests }) => requests),
      })),
    );
    const open = await this.openOf(locked.map(({ relayer }) => relayer.id));
    const decided: DecidedAccount[] = [];
    for (const account of locked) {
      const room = MAX_OPEN - (open.get(account.relayer.id) ?? 0);
      decided.push(await this.decide(account, room, replays.get(account.relayer.id)));
    }
    await this.rows.insert(decided.map(({ assigned: { rows }, relayer }) => ({ rows, audience: relayer })));
    for (const { items, budget, assigned } of decided) {
      for (const item of items) await this.recordAccepted(item);
      await this.spending.reserve(budget, assigned.at);
    }
    await this.ledger.assign(
      decided.flatMap(({ ledger, relayer, assigned: { rows, next } }) =>
        rows.length > 0 ? [{ ledger, relayerId: relayer.id, nextNonce: next }] : [],
      ),
    );
  }

  /** The numbers of transactions of relayers that are not final. */
  private async openOf(relayerIds: readonly string[]): Promise<Map<string, number>> {
    if (relayerIds.length === 0) return new Map();
    const counts = await this.rows.repository
      .createQueryBuilder('open')
      .select('open.openRelayerId', 'id')
      .addSelect('COUNT(*)', 'count')
      .where({ openRelayerId: In(relayerIds) })
      .groupBy('open.openRelayerId')
      .getRawMany<{ id: string; count: number | string }>();
    return new Map(counts.map(({ id, count }) => [id, Number(count)]));
  }

  /** Decides on the requests for an account. */
  private async decide(
    account: LockedAccount,
    room: number,
    replays = new Map<string, TransactionEntity>(),
  ): Promise<DecidedAccount> {
    const { ledger, items } = account;
    const relayers = items.map(({ relayer }) => relayer);
    const budget = await this.spending.budgetOf(relayers, ledger.id);
    const assigned = new NonceAssignment(ledger, floorOf(items), room);
    for (const item of items) item.results = this.decideOne(item, assigned, replays, budget);
    assigned.sortIds();
    const [first] = items;
    if (first.approval) await useApproval(first, first.approval);
    return { ...account, budget, assigned };
  }

  private recordAccepted({ relayer, results, caller }: Waiting): Promise<void> {
    const entries = results.flatMap((result) =>
      'error' in result || result.isReplay
        ? []
        : [transactionEntry('transaction.submit', relayer, result.transaction)],
    );
    return this.audit.recordAll(entries, caller);
  }

  private decideOne(
    item: Waiting,
    assigned: NonceAssignment,
    replays: Map<string, TransactionEntity>,
    budget: Budget,
  ): AcceptanceResult[] {
    const before = assigned.mark();
    const spent = budget.mark();
    const results = item.requests.map((request): AcceptanceResult => {
      const { idempotencyKey } = request;
      const known = knownOf(request, replays);
      if (known) {
        const error = conflictOf(known, request, item.account);
        return error ? { error } : { transaction: known, isReplay: true };
      }
      if ((item.ledgerChanges ?? assigned.ledger.changes) !== assigned.ledger.changes)
        return { error: new AccountChangedError() };
      if (assigned.isFull) return { error: tooManyPending(MAX_OPEN) };
      const over = budget.take(item.relayer, request.request);
      if (over) return { error: over };
      const transaction = assigned.add(item, request);
      if (idempotencyKey !== null) replays.set(idempotencyKey, transaction);
      return { transaction, isReplay: false };
    });
    const refused = refusedTogether(results, item.atomic);
    if (!refused) return results;
    for (const transaction of assigned.reset(before))
      if (transaction.idempotencyKey !== null) replays.delete(transaction.idempotencyKey);
    budget.reset(spent);
    return refused;
  }

  /** The records of earlier requests with these keys, by relayer and key. */
  private async findReplays(
    wanted: readonly { relayerId: string; requests: readonly KeyedRequest[] }[],
  ): Promise<Map<string, Map<string, TransactionEntity>>> {
    const keys = wanted.flatMap(({ relayerId, requests }) =>
      requests
        .flatMap(({ idempotencyKey, earlierKey }) => [idempotencyKey, earlierKey])
        .flatMap((key) => (key === null ? [] : [{ relayerId, key }])),
    );
    const found = new Map<string, Map<string, TransactionEntity>>();
    for (let start = 0; start < keys.length; start += KEYS_TOGETHER) {
      const byRelayer = new Map<string, string[]>();
      for (const { relayerId, key } of keys.slice(start, start + KEYS_TOGETHER))
        getOrCreate(byRelayer, relayerId, () => []).push(key);
      const where = [...byRelayer].map(([relayerId, some]) => ({ relayerId, idempotencyKey: In(some) }));
      for (const row of await this.rows.find({ where }))
        getOrCreate(found, row.relayerId, () => new Map()).set(row.idempotencyKey ?? '', row);
    }
    return found;
  }
}

const floorOf = (items: readonly Waiting[]): number => Math.max(...items.map(({ floor }) => floor.nonce));

/** Sorted by account, so that two instances that lock several ledgers do not deadlock. */
function byAccount(items: readonly Waiting[]): OfAccount[] {
  const accounts = new Map<string, [Waiting, ...Waiting[]]>();
  for (const item of items) {
    const id = accountId(item.account);
    const others = accounts.get(id);
    if (others) others.push(item);
    else accounts.set(id, [item]);
  }
  return [...accounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofAccount]) => ofAccount);
}

const isNotEmpty = (items: readonly Waiting[]): items is OfAccount => items.length > 0;

/** @throws the reason why the request was not accepted */
async function useApproval({ results }: Waiting, { use }: UsedApproval): Promise<void> {
  for (const result of results) if ('error' in result) throw result.error;
  await use();
}
