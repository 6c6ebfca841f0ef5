import { Injectable, Logger } from '@nestjs/common';
import type { AttemptContent, Inclusion } from '../../chains/transaction-chain';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { isSameInclusion } from '../../chains/same-inclusion';
import { orOn } from '../../common/errors/or-on';
import { SharedUnits } from '../../database/shared-units';
import { SpendLimits } from '../spending/spend-limits';
import { TransactionMetrics } from '../transaction.metrics';
import { type Decision, type TransactionChanges, TransactionRows } from '../transaction-rows';
import { abandonedReason } from '../status-reason';
import type { TransactionEntity } from '../transaction.entity';
import { kindOf } from './attempt-signer';
import { finalChanges, noRevert } from './final-outcome';
import type { Chain, LaneContext } from './lane-context';
import { receiptOf, searchOf } from './lane-memory';
import { NonceTakers, type ReadNonce } from './nonce-takers';

/** The number of mined transactions that are checked together. */
const MAX_MINED = 200;

/** A change by what was found on the chain. */
interface Found extends Decision {
  /** The newest block. */
  head: number;
}

/** The number of transactions that are looked up on the chain together. */
const MAX_USED = 400;

/** Time after which a step leaves the search for what used nonces to the next one, which knows the newest state. */
const SEARCH_MS = 10_000;

/** The search of one step for what used nonces. */
interface Search {
  agreedNonce: ReadNonce;
  /** Whether it has taken so long that the next step continues it; undefined before it. */
  isOver?: () => boolean;
  /** Whether any nonce has counted as used for long enough. */
  hasBegun: boolean;
}

/** Reads some transactions with nonces above a given one, lowest first, up to a limit; none if there are no more. */
type ReadPart = (limit: number, after: number) => Promise<TransactionEntity[]>;

/**
 * Determines which transactions were mined, and whether they are still on the chain. None is final before it is deep
 * enough.
 */
@Injectable()
export class TransactionWatch {
  private readonly logger = new Logger(TransactionWatch.name);
  private readonly store: (found: readonly Found[]) => Promise<unknown>;

  constructor(
    units: SharedUnits,
    private readonly rows: TransactionRows,
    private readonly spending: SpendLimits,
    private readonly metrics: TransactionMetrics,
    private readonly takers: NonceTakers,
  ) {
    this.store = units.of((lists) => this.storeAll(lists));
  }

  /**
   * Looks up transactions on the chain, until some of them were mined, or the search for what used their nonces has
   * taken too long: the next step looks up the others.
   *
   * @param read reads those whose nonce is below that of the account
   */
  async findMined(context: LaneContext, read: ReadPart): Promise<void> {
    const { chain, ledger, memory, view } = context;
    memory.unusedFrom(view.nonce);
    let agreed: Promise<number> | undefined;
    // Read once for all transactions, however many have lost their nonces.
    const agreedNonce: ReadNonce = () => (agreed ??= chain.agreedCurrentNonce(ledger.address));
    const search: Search = { agreedNonce, hasBegun: false };
    let used = await read(MAX_USED, -1);
    let last = used.at(-1);
    while (last) {
      const end = await this.findMinedAmong(context, used, search);
      if (end === 'interrupted' || (end && !search.hasBegun)) return;
      used = await read(end ? 1 : MAX_USED, last.nonce);
      last = used.at(-1);
      // Otherwise the search would not begin again as long as some transactions are mined in each step.
      if (last && end) return;
    }
    // At the beginning of a lease, all nonces are in doubt again, and none is searched.
    if (search.hasBegun) memory.waits.searchedUpTo = -1;
  }

  /** @returns why to leave the others to the next step: some were mined, or no node responded, or the time is over */
  private async findMinedAmong(
    context: LaneContext,
    used: readonly TransactionEntity[],
    search: Search,
  ): Promise<'mined' | 'interrupted' | undefined> {
    const { view, chain, memory, relayer: audience } = context;
    const inclusions = await chain.inclusions(used.flatMap(({ hashes }) => hashes));
    const decisions: Found[] = [];
    const taken: [TransactionEntity, boolean][] = [];
    for (const row of used) {
      const inclusion = newest(row, inclusions);
      if (inclusion) {
        memory.settledUse(row.id);
        const changes = await this.minedAs(chain, row, inclusion);
        decisions.push({ row, changes, audience, head: view.head });
      } else taken.push([row, memory.hasLastedUse(row, view.head)]);
    }
    // Saved first, because the search may fail and takes many calls.
    await this.save(decisions);
    search.hasBegun ||= taken.some(([, hasLasted]) => hasLasted);
    // The lower ones had their turn in earlier steps.
    const due = taken.filter(([{ nonce }]) => nonce > memory.waits.searchedUpTo);
    const found = await this.foundElsewhere(context, due);
    await this.save(found);
    decisions.push(...found);
    const rest = due.filter(([row]) => !found.some((decision) => decision.row === row));
    search.isOver ??= memory.timeLimit(SEARCH_MS);
    for (const [row, hasLasted] of rest) {
      if (search.isOver()) return 'interrupted';
      const responded = await this.takers.find(context, row, hasLasted, search.agreedNonce);
      if (responded === false) return 'interrupted';
      if (responded && hasLasted) memory.waits.searchedUpTo = row.nonce;
    }
    return decisions.length > 0 ? 'mined' : undefined;
  }

  /**
   * Those of the others that were mined according to half of the endpoints: the one that was called may lack receipts. A
   * single one of three does not prevent the search for what used the nonce.
   */
  private async foundElsewhere(
    { chain, memory, relayer: audience, view }: LaneContext,
    taken: readonly (readonly [TransactionEntity, boolean])[],
  ): Promise<Found[]> {
    const lasting = taken.flatMap(([row, hasLasted]) =>
      hasLasted && memory.mayTry(searchOf(row.id)) ? [row] : [],
    );
    if (lasting.length === 0) return [];
    const inclusions = await chain.inclusionsOfHalf(lasting.flatMap(({ hashes }) => hashes));
    const byHash = new Map(inclusions.map((inclusion) => [inclusion.hash, inclusion]));
    const found: Found[] = [];
    for (const row of lasting) {
      const inclusion = newest(row, byHash);
      if (!inclusion) continue;
      memory.settledUse(row.id);
      const changes = await this.minedAs(chain, row, inclusion);
      found.push({ row, changes, audience, head: view.head });
    }
    return found;
  }

  /**
   * Finalizes transactions that are deep enough, and detects those whose block has disappeared.
   *
   * @param read reads mined transactions with nonces above a given one, up to a limit
   * @returns whether blocks have disappeared
   */
  async confirm(context: LaneContext, read: ReadPart): Promise<boolean> {
    let mined = await read(MAX_MINED, -1);
    let areGone = false;
    for (;;) {
      const due = mined.filter((row) => isDue(context, row));
      areGone = (await this.confirmDue(context, due)) || areGone;
      const last = mined.at(-1);
      if (!last) return areGone;
      // Later nonces are in the same blocks or in later ones, so they are due only if they are unused again.
      const after = due.includes(last) ? last.nonce : Math.max(last.nonce, context.view.nonce - 1);
      mined = await read(MAX_MINED, after);
    }
  }

  private async confirmDue(context: LaneContext, due: readonly TransactionEntity[]): Promise<boolean> {
    if (due.length === 0) return false;
    const { chain, ledger, relayer: audience, view } = context;
    const inclusions = await chain.inclusions(due.flatMap(({ hashes }) => hashes));
    const deep = due.flatMap((row) => {
      const { inclusion, nonce, hashes, attempt, minedAt } = row;
      if (!inclusion || !isDeep(context, inclusion)) return [];
      const read = newest(row, inclusions);
      const isRead = read !== undefined && isSameInclusion(inclusion, read);
      const since = minedAt ?? row.createdAt;
      return [{ inclusion: isRead ? read : inclusion, nonce, hashes, attempt, since, isRead }];
    });
    const final = await chain.agreedFinal(ledger.address, deep);
    const undecided = due.filter((row) => !agreedOf(row, final));
    const gone = await this.goneAmong(
      context,
      undecided.filter((row) => !newest(row, inclusions)),
      undecided.filter((row) => isDeepButUnused(context, row)),
    );
    const decisions: Found[] = [];
    for (const row of due) {
      const changes = gone.has(row)
        ? await this.outcomeOfGone(context, row)
        : await this.outcome(context, row, newest(row, inclusions), agreedOf(row, final));
      if (changes) decisions.push({ row, changes, audience, head: view.head });
    }
    await this.save(decisions);
    return decisions.some(({ changes }) => changes.status === 'submitted');
  }

  /**
   * Mined transactions whose block is gone: that has lasted, and most endpoints say so. While they do not, they are
   * asked again after longer and longer pauses.
   *
   * @param missing those without a receipt
   * @param unused those that should be final, but whose nonce is unused, whether they have a receipt or not
   */
  private async goneAmong(
    context: LaneContext,
    missing: readonly TransactionEntity[],
    unused: readonly TransactionEntity[],
  ): Promise<ReadonlySet<TransactionEntity>> {
    const { chain, memory, view } = context;
    const lasting = [...new Set([...missing, ...unused])].filter(
      ({ id }) => memory.hasLasted(receiptOf(id), view.head) && memory.mayTry(receiptOf(id)),
    );
    if (lasting.length === 0) return new Set();
    const included = await chain.inclusionsOfHalf(
      lasting.filter((row) => missing.includes(row)).flatMap(({ inclusion }) => inclusion?.hash ?? []),
    );
    const isThere = (row: TransactionEntity): boolean =>
      !missing.includes(row) || included.some((one) => isSameInclusion(row.inclusion, one));
    const there = lasting.filter(isThere);
    const next = there.some((row) => unused.includes(row)) ? await this.agreedNonce(context) : Infinity;
    const isUnused = (row: TransactionEntity): boolean => unused.includes(row) && next <= row.nonce;
    for (const row of there) if (!isUnused(row)) memory.failed(receiptOf(row.id));
    return new Set(lasting.filter((row) => !isThere(row) || isUnused(row)));
  }

  /** The next nonce as most endpoints report it that follow the chain; infinite while too few respond. */
  private agreedNonce({ chain, ledger }: LaneContext): Promise<number> {
    return orOn(RpcUnavailableError, Infinity, () => chain.agreedCurrentNonce(ledger.address));
  }

  private async outcomeOfGone(
    { chain, memory, ledger }: LaneContext,
    row: TransactionEntity,
  ): Promise<TransactionChanges> {
    memory.settled(receiptOf(row.id));
    memory.depths.delete(row.id);
    this.metrics.countRepair(ledger.chainId, 'reorganized');
    this.logger.warn('The block of a transaction is gone', { transaction: row.id });
    return {
      ...{ status: 'submitted' as const, inclusion: null, minedAt: null, ...noRevert },
      // The same bytes are sent again, because nodes may no longer have them, unless the request was abandoned or
      // replaced.
      broadcastAt: null,
      ...(await this.nextAttempt(chain, row)),
    };
  }

  private async outcome(
    context: LaneContext,
    row: TransactionEntity,
    inclusion: Inclusion | undefined,
    agreed: Inclusion | undefined,
  ): Promise<TransactionChanges | undefined> {
    const { chain, memory } = context;
    const doubt = receiptOf(row.id);
    if (agreed) {
      memory.settled(doubt);
      // Most endpoints contradict the one that reported what is stored.
      if (!isSameInclusion(row.inclusion, agreed)) return this.minedAs(chain, row, agreed);
      memory.forget(row.id);
      return finalChanges(chain, row, agreed);
    }
    if (!inclusion) return undefined;
    if (!isDeepButUnused(context, row)) memory.settled(doubt);
    return isSameInclusion(row.inclusion, inclusion) ? undefined : this.minedAs(chain, row, inclusion);
  }

  /** Whether something else is to be sent than the attempt that was mined. */
  private async nextAttempt(chain: Chain, row: TransactionEntity): Promise<TransactionChanges> {
    const { id, attempt, sender, request, nonce } = row;
    if (attempt?.kind !== kindOf(row)) return { needsAttempt: true };
    const raw = attempt.kind === 'noop' ? null : await this.rows.bytesOf(id, attempt.hash);
    if (raw === null || chain.isSignedForm(raw, sender, chain.subjectOf(request, nonce)))
      return { needsAttempt: false };
    // As after the PUT: what it has replaced is not sent again.
    return { needsAttempt: true, signedBlock: null };
  }

  /** The mined attempt determines the content that the transaction shows from now on. */
  private async minedAs(
    chain: Chain,
    row: TransactionEntity,
    inclusion: Inclusion,
  ): Promise<TransactionChanges> {
    const now = new Date();
    return {
      status: 'mined',
      inclusion,
      attempt: await this.attemptOf(chain, row, inclusion),
      minedAt: now,
      sentAt: row.sentAt ?? now,
      needsAttempt: false,
      // Nothing waits for funds any more.
      statusReason: row.abandonedAs === null ? null : abandonedReason(row.statusReason, false),
    };
  }

  /**
   * The content of the mined attempt. If the request was replaced after it was signed, its data differs from that of
   * the request.
   */
  private async attemptOf(
    chain: Chain,
    row: TransactionEntity,
    { hash }: Inclusion,
  ): Promise<AttemptContent | null> {
    if (row.attempt?.hash === hash && !row.needsAttempt) return row.attempt;
    const mined = (await this.rows.attemptsOf(row.id)).find((attempt) => attempt.hash === hash);
    if (!mined) return row.attempt;
    const raw = await this.rows.bytesOf(row.id, hash);
    return { ...mined.content, ...(raw !== null && { data: chain.dataOf(raw) }) };
  }

  private async save(decisions: readonly Found[]): Promise<void> {
    if (decisions.length > 0) await this.store(decisions);
  }

  /** @param lists what was found for several lanes */
  private async storeAll(lists: readonly (readonly Found[])[]): Promise<undefined[]> {
    const legal = await this.afterSent(lists.flat());
    const changed = await this.rows.changeAll(legal);
    await this.spending.settle(changed.filter(({ finishedAt }) => finishedAt !== null));
    return lists.map(() => undefined);
  }

  /**
   * A transaction that is `pending` and was mined has a receipt of an attempt with an earlier nonce, which another
   * transaction had used before the chain was reorganized. It becomes `sent` first, as `pending` is never followed by
   * `mined`; in the same unit of work, because that attempt must not be sent for the present nonce if the receipt
   * disappears again.
   */
  private async afterSent(decisions: readonly Found[]): Promise<readonly Decision[]> {
    const pending = decisions.filter(({ row }) => row.status === 'pending');
    if (pending.length === 0) return decisions;
    const sent = await this.rows.changeAll(
      pending.map(({ row, changes: { attempt = null }, audience, head }) => ({
        row,
        changes: {
          ...{ status: 'sent', attempt, needsAttempt: false, statusReason: null },
          signedBlock: row.signedBlock ?? head,
        },
        audience,
      })),
    );
    const after = new Map(sent.map((row) => [row.id, row]));
    return decisions.flatMap(({ row, changes, audience }) => {
      const current = row.status === 'pending' ? after.get(row.id) : row;
      return current ? [{ row: current, changes, audience }] : [];
    });
  }
}

/**
 * Whether a mined transaction is due for a check: once it is deep enough, whenever the account's nonce is no longer
 * above it, or its block is above the newest one, which a wrong receipt may say, and otherwise after 1, 2, 4, 8 …
 * blocks, to notice early that its block has disappeared.
 */
function isDue({ view, chain, memory }: LaneContext, { id, nonce, inclusion }: TransactionEntity): boolean {
  const depth = view.head - (inclusion?.block_number ?? 0);
  if (depth >= chain.requiredConfirmations || depth < 0 || view.nonce <= nonce) return true;
  if (depth < 2 * (memory.depths.get(id) ?? 0.5)) return false;
  memory.depths.set(id, depth);
  return true;
}

const agreedOf = (
  { inclusion }: TransactionEntity,
  final: ReadonlyMap<string, Inclusion>,
): Inclusion | undefined => (inclusion ? final.get(inclusion.hash) : undefined);

const isDeep = ({ view, chain }: LaneContext, { block_number: block }: Inclusion): boolean =>
  view.head >= block + chain.requiredConfirmations;

/**
 * Whether the nonce of a mined transaction is unused although its block is so far from the newest one that it should be
 * final. Before that, the endpoint that was called may just not have the block yet; what is far above it is false.
 */
const isDeepButUnused = ({ view, chain }: LaneContext, { nonce, inclusion }: TransactionEntity): boolean =>
  view.nonce <= nonce && Math.abs(view.head - (inclusion?.block_number ?? 0)) >= chain.requiredConfirmations;

/** The inclusion of any of the attempts, of which at most one can be included. */
const newest = (
  { hashes }: TransactionEntity,
  inclusions: ReadonlyMap<string, Inclusion>,
): Inclusion | undefined => hashes.map((hash) => inclusions.get(hash)).find((found) => found !== undefined);
