import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AttemptContent } from '../../chains/transaction-chain';
import type { AppConfig, TransactionSettings } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { type Decision, TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import { AttemptSender } from './attempt-sender';
import { AttemptSigner, failedBy, hasOwnFees, kindOf } from './attempt-signer';
import { EXPIRED, hasExpired } from './expiry';
import type { LaneContext } from './lane-context';
import { datingOf, fittingOf, type LaneMemory, pricingOf } from './lane-memory';

/**
 * How long an attempt waits before it gets higher fees, by the requested speed. The time doubles for each of the first
 * attempts.
 */
const BUMP_SECONDS: Readonly<Record<string, number>> = {
  safeLow: 600,
  average: 300,
  fast: 180,
  fastest: 120,
};
const MAX_DOUBLINGS = 5;
/** The number of attempts that are sent again in one step. */
const MAX_RESENT = 50;
const CANCEL_SECONDS = 120;

/**
 * Whether the newest attempt may be sent again: no other is to replace it, or one with higher fees cannot be priced or
 * signed now. What a client has replaced or abandoned is no longer sent, nor is what expired before any node acknowledged it.
 */
export const isResendable = ({ memory }: LaneContext, row: TransactionEntity): boolean => {
  if (row.status === 'sent' && hasExpired(row)) return false;
  if (!row.needsAttempt) return true;
  const hasContentOfRow = row.attempt?.kind === kindOf(row) && row.signedBlock !== null;
  return hasContentOfRow && !memory.mayRenew(row.id);
};

/** Blocks by which an endpoint may lag behind the block of a signature. */
const MAX_LAG_BLOCKS = 1000;

/**
 * Keeps signed transactions moving: sends them again, raises their fees, replaces them, and abandons them when they
 * expire.
 */
@Injectable()
export class Renewal {
  private readonly settings: TransactionSettings;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: TransactionRows,
    private readonly signer: AttemptSigner,
    private readonly sender: AttemptSender,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('transactions', { infer: true });
  }

  /** Abandons transactions whose `valid_until` has passed: a no-op uses their nonce. @returns the others */
  async expire({ relayer }: LaneContext, rows: readonly TransactionEntity[]): Promise<TransactionEntity[]> {
    const expired = rows.filter(hasExpired);
    if (expired.length === 0) return [...rows];
    await this.unitOfWork.run(async () => {
      for (const row of expired)
        await this.rows.change(row, { ...EXPIRED, needsAttempt: true }, relayer, true);
    });
    return rows.filter((row) => !expired.includes(row));
  }

  /**
   * Corrects the block of the first signature if a wrong response dated it far above the newest block: private transactions
   * would wait for it before they may be sent publicly. The wait begins again at the newest block. An endpoint that lags
   * must not shorten the wait, so a smaller difference is left as it is.
   *
   * @returns all of the transactions, as they are afterwards
   */
  async redate(
    { relayer, view, memory }: LaneContext,
    rows: readonly TransactionEntity[],
  ): Promise<TransactionEntity[]> {
    const wrong = rows.filter(({ id, signedBlock }) => {
      if (signedBlock !== null && signedBlock - view.head > MAX_LAG_BLOCKS)
        return memory.hasLasted(datingOf(id), view.head);
      memory.settled(datingOf(id));
      return false;
    });
    if (wrong.length === 0) return [...rows];
    const changes = { signedBlock: view.head };
    const decisions = wrong.map((row) => ({ row, changes, audience: relayer }));
    return withChanges(rows, await this.unitOfWork.run(() => this.rows.changeAll(decisions)));
  }

  /**
   * Gives up signed transactions that fit into no block any more: a no-op uses their nonce, because all later ones would
   * have to wait. If a request is mined after all, that is the outcome.
   *
   * @returns the others
   */
  async giveUp(context: LaneContext, rows: readonly TransactionEntity[]): Promise<TransactionEntity[]> {
    const { relayer, chain, memory, view } = context;
    const decisions: Decision[] = [];
    for (const row of rows) {
      const { attempt, signedBlock } = row;
      // Without a first signature, the newest attempt has the content before a replacement.
      if (attempt?.kind !== 'request' || signedBlock === null || kindOf(row) === 'noop') continue;
      const fit = await chain.fit(attempt);
      if (typeof fit === 'string') memory.settled(fittingOf(row.id));
      else if (memory.hasLasted(fittingOf(row.id), view.head))
        decisions.push({ row, changes: failedBy(fit.never), audience: relayer });
    }
    if (decisions.length === 0) return [...rows];
    await this.unitOfWork.run(() => this.rows.changeAll(decisions, true));
    return rows.filter((row) => !decisions.some((decision) => decision.row === row));
  }

  /**
   * Signs and sends attempts that replace earlier ones, for transactions that were replaced, abandoned or wrongly
   * priced.
   */
  async replace(context: LaneContext, rows: readonly TransactionEntity[]): Promise<void> {
    const { memory } = context;
    for (const row of rows) {
      if (row.status === 'pending' || !row.needsAttempt || !memory.mayRenew(row.id)) continue;
      await this.renew(context, row);
    }
  }

  /**
   * Signs attempts at market fees for transactions that nodes refuse because they cost too much, once gas prices have
   * fallen. No node has acknowledged any of their attempts, so the new ones need not replace these.
   */
  async lower(context: LaneContext, rows: readonly TransactionEntity[]): Promise<void> {
    const { memory } = context;
    for (const row of rows) {
      const isDue = !row.needsAttempt && memory.isTooExpensive(row) && memory.mayRenew(row.id);
      if (!isDue || hasOwnFees(row) || !(await this.signer.isOverpriced(context, row))) continue;
      await this.renew(context, row);
    }
  }

  /**
   * Signs and sends the next attempt of a transaction. If nodes do not respond for this one, a pause lets the next step
   * reach the others.
   */
  private async renew(context: LaneContext, row: TransactionEntity): Promise<void> {
    const sendables = await this.signer.sign(context, [row]).catch((error: unknown) => {
      context.memory.failed(pricingOf(row.id));
      throw error;
    });
    context.memory.succeeded(pricingOf(row.id));
    await this.sender.send(context, sendables);
  }

  /**
   * Raises the fees of the transaction at the head of the queue if it has waited too long, or pays too little for a
   * block.
   */
  async bump(context: LaneContext, rows: readonly TransactionEntity[]): Promise<void> {
    const { view, chain, memory } = context;
    const head = rows.find(({ nonce }) => nonce === view.nonce);
    if (head?.status !== 'submitted' || head.needsAttempt || !head.attempt || !memory.mayRenew(head.id))
      return;
    if (hasOwnFees(head)) return;
    // As long as there are no new blocks, nothing is mined, whatever it pays.
    const haveBlocksPassed = memory.blocksSince(head.attempt.hash, view.head) > 0;
    const isSlow = async (): Promise<boolean> => haveBlocksPassed && this.hasWaited(memory, head);
    if (!(await chain.isOutpriced(head.attempt)) && !(await isSlow())) return;
    const sendables = await this.signer.sign(context, [head]);
    // Without a new attempt, the old one remains and is sent again after a while.
    await this.sender.send(context, sendables);
  }

  /**
   * Sends the newest attempts again, with the same bytes, because nodes may have dropped them.
   *
   * @returns all of the transactions, as they are afterwards
   */
  async rebroadcast(context: LaneContext, rows: readonly TransactionEntity[]): Promise<TransactionEntity[]> {
    const due = rows.filter(
      (row) =>
        row.status === 'submitted' &&
        isResendable(context, row) &&
        this.isOld(row.broadcastAt) &&
        context.memory.mayTry(row.id, context.view.head),
    );
    const sendables = await this.sender.load(due.slice(0, MAX_RESENT));
    return withChanges(rows, await this.sender.resend(context, sendables));
  }

  /** A time in the future dates from before the clock was set back. */
  private isOld(time: Date | null): boolean {
    const age = Date.now() - (time?.getTime() ?? 0);
    return age >= this.settings.rebroadcastMs || age < 0;
  }

  /**
   * Whether the newest attempt has waited for long enough, since it was signed and since a node first had one. If the
   * clock was set back since then, the time that this instance has measured counts.
   */
  private async hasWaited({ waits }: LaneMemory, row: TransactionEntity): Promise<boolean> {
    const { id, nonce, request, createdAt, sentAt, abandonedAs, attempt } = row;
    const bySpeed = abandonedAs === null ? BUMP_SECONDS[String(request.speed)] : CANCEL_SECONDS;
    const seconds = this.settings.bumpSeconds ?? bySpeed ?? BUMP_SECONDS.average ?? 300;
    // Attempts with a nonce that another transaction has used do not count, nor do those of the request for a no-op.
    const attempts = await this.rows.attempts.find({
      select: { transactionId: true, number: true, createdAt: true, acknowledgedAt: true, content: true },
      where: { transactionId: id, nonce, kind: kindOf(row) },
      order: { number: 'DESC' },
    });
    const since = Math.max((sentAt ?? createdAt).getTime(), attempts[0]?.createdAt.getTime() ?? 0);
    const replacedAfter = typeof request.replaced_after === 'number' ? request.replaced_after : 0;
    // What no node accepted did not wait in a pool, and content that was replaced does not delay what replaced it.
    const waiting = attempts.filter(
      ({ number, acknowledgedAt, content }) =>
        acknowledgedAt !== null && number > replacedAfter && isSameContent(content, attempt),
    );
    const doublings = Math.min(Math.max(waiting.length - 1, 0), MAX_DOUBLINGS);
    const waited = Math.max(Date.now() - since, waits.headFor(attempt?.hash ?? ''));
    return waited >= seconds * 1000 * 2 ** doublings;
  }
}

/** Whether two attempts send the same value to the same account. */
const isSameContent = (one: AttemptContent, other: AttemptContent | null): boolean =>
  one.to === other?.to && one.value === other.value;

/** All rows, with those that have been changed in their new state. */
function withChanges(
  rows: readonly TransactionEntity[],
  changed: readonly TransactionEntity[],
): TransactionEntity[] {
  const after = new Map(changed.map((row) => [row.id, row]));
  return rows.map((row) => after.get(row.id) ?? row);
}
