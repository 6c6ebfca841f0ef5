import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { MinedTransaction, SignedAttempt } from '../../chains/transaction-chain';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { AccountLedger } from '../accepting/account-ledger';
import { NonceEvents } from '../nonce-events';
import { SpendLimits } from '../spending/spend-limits';
import { TransactionMetrics } from '../transaction.metrics';
import { type TransactionChanges, TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import { attemptRow } from './attempt-row';
import { abandonedReason } from '../status-reason';
import type { LaneContext } from './lane-context';
import { searchOf } from './lane-memory';
import { EXPIRED, hasExpired } from './expiry';

/** Reads the next nonce of the account, as most endpoints report it. */
export type ReadNonce = () => Promise<number>;

/** How much earlier than its creation the time of a block may be, including the difference between clocks. */
const MAX_BLOCK_DELAY_MS = 15_000;

/** What a search found, and whether nodes responded to all of it. */
interface Search {
  taker: MinedTransaction | null;
  isComplete: boolean;
}

/** Determines what has used the nonce of a transaction, and what becomes of the transaction. */
@Injectable()
export class NonceTakers {
  private readonly logger = new Logger(NonceTakers.name);
  private readonly unknownUseMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: TransactionRows,
    private readonly ledger: AccountLedger,
    private readonly spending: SpendLimits,
    private readonly events: NonceEvents,
    private readonly metrics: TransactionMetrics,
    config: ConfigService<AppConfig, true>,
  ) {
    this.unknownUseMs = config.get('transactions', { infer: true }).unknownUseMs;
  }

  /**
   * Handles a transaction whose nonce was used, although none of its attempts has a receipt. As long as nothing is found,
   * the search is repeated after longer and longer pauses, because it takes many calls, and delays the searches for
   * others and everything else that the account needs.
   *
   * @param hasLasted whether this state has persisted for a while
   * @param agreedNonce reads the next nonce of the account, as most endpoints report it
   * @returns whether nodes responded; undefined if they were not called, because it is too early
   */
  async find(
    context: LaneContext,
    row: TransactionEntity,
    hasLasted: boolean,
    agreedNonce: ReadNonce,
  ): Promise<boolean | undefined> {
    if (!context.memory.mayTry(searchOf(row.id))) return undefined;
    if (row.status !== 'pending' && !hasLasted) return undefined;
    context.memory.failed(searchOf(row.id));
    try {
      const search = await this.search(context, row);
      // A search may take as long as a lane, so that this state would never last within one.
      const hasLastedNow = hasLasted || context.memory.hasLastedUse(row, context.view.head);
      await this.decide(context, row, hasLastedNow, agreedNonce, search);
      return search.isComplete;
    } catch (error) {
      if (!(error instanceof RpcUnavailableError)) throw error;
      this.logNoResponse(row);
      return false;
    }
  }

  /** A search that nodes cannot complete, however often it is repeated, must not delay the transaction forever. */
  private async search({ chain }: LaneContext, row: TransactionEntity): Promise<Search> {
    try {
      return { taker: await chain.findMined(row.sender, row.nonce), isComplete: true };
    } catch (error) {
      if (!(error instanceof RpcUnavailableError)) throw error;
      this.logNoResponse(row);
      return { taker: null, isComplete: false };
    }
  }

  private logNoResponse({ id }: TransactionEntity): void {
    this.logger.debug('No node responded to the search for what used a nonce', { transaction: id });
  }

  /**
   * The request continues with another nonce only if another transaction with this nonce is found deep enough in the
   * chain. If nothing was signed with the nonce, none of its attempts can be mined later, so that no proof is needed,
   * but endpoints must agree: every nonce that is left without need costs a filler. What was signed is processed as
   * usual if most of them report that its nonce is unused: a single one could otherwise prevent that it is sent again.
   */
  private async decide(
    context: LaneContext,
    row: TransactionEntity,
    hasLasted: boolean,
    agreedNonce: ReadNonce,
    { taker, isComplete }: Search,
  ): Promise<void> {
    const { chain, view, relayer, memory } = context;
    const isSigned = row.status !== 'pending';
    if (taker && (await this.isOwn(context, row, taker))) return;
    if (isSigned && !taker) {
      if (!(await isUnused(context, row, agreedNonce))) await this.endWithoutTaker(context, row);
      return;
    }
    const isProven = taker !== null && view.head - taker.block_number >= chain.requiredConfirmations;
    if (isSigned && !isProven) return;
    if (taker?.signed && (await isLostAttempt(context, row, taker.block_number, taker.signed))) {
      if (isProven) await this.adopt(context, row, taker.signed);
      return;
    }
    const unknownMs = isComplete ? Infinity : memory.waits.unknownFor(row.id);
    // The accepted nonce may be higher than the one that nodes report now.
    if (!taker && (!hasLasted || view.reported <= row.nonce)) return;
    if (!taker && (await isUnused(context, row, agreedNonce))) return;
    if (unknownMs < this.unknownUseMs) return;
    memory.forget(row.id);
    const isReassigned = await this.unitOfWork.run(async () => {
      const locked = await this.ledger.findToChange(row.accountId);
      const fresh = await this.rows.findToChange(row.id);
      if (!locked || fresh?.version !== row.version || fresh.nonce !== row.nonce) return false;
      // The nonce of the chain may be the one that was wrong.
      if (locked.lowerings !== context.ledger.lowerings) return false;
      this.logger.warn('Another transaction has used the nonce', {
        transaction: row.id,
        nonce: row.nonce,
        other: taker?.hash,
      });
      const end = endOf(fresh);
      if (end) {
        const after = await this.rows.change(fresh, end, relayer);
        if (after) await this.spending.settle([after]);
        return false;
      }
      const nonce = Math.max(locked.nextNonce, Math.min(view.nonce, view.reported));
      await this.ledger.assign([{ ledger: locked, relayerId: locked.relayerId, nextNonce: nonce + 1 }]);
      await this.rows.changeProtected(
        fresh,
        {
          status: 'pending',
          nonce,
          attempt: null,
          needsAttempt: true,
          signedBlock: null,
          sentAt: null,
          broadcastAt: null,
          statusReason: `Nonce ${row.nonce} was used by ${taker?.hash ?? 'another transaction'}; continues with nonce ${nonce}`,
        },
        relayer,
      );
      await this.events.record(locked, relayer, { kind: 'reassigned', from: row.nonce, to: nonce });
      return true;
    });
    if (isReassigned) this.metrics.countRepair(context.ledger.chainId, 'reassigned');
  }

  /** Adds the transaction that used the nonce to the attempts. */
  private async adopt(
    { ledger, relayer, view, memory }: LaneContext,
    row: TransactionEntity,
    signed: SignedAttempt,
  ): Promise<void> {
    memory.forget(row.id);
    const { hash } = signed.content;
    const isAdopted = await this.unitOfWork.run(async () => {
      const attempts = await this.rows.attemptsOf(row.id);
      const after = await this.rows.change(
        row,
        {
          status: row.status === 'pending' ? 'sent' : row.status,
          hashes: [...new Set([...row.hashes, hash])],
          attempt: signed.content,
          needsAttempt: false,
          signedBlock: row.signedBlock ?? view.head,
        },
        relayer,
      );
      if (!after) return false;
      if (!attempts.some((attempt) => attempt.hash === hash))
        await this.rows.insertAttempts([attemptRow(row, signed, 1 + (attempts.at(-1)?.number ?? 0))]);
      await this.events.record(ledger, relayer, { kind: 'adopted', nonces: [row.nonce] });
      return true;
    });
    if (!isAdopted) return;
    this.metrics.countRepair(ledger.chainId, 'adopted');
    this.logger.warn('A transaction without a record has executed the request', {
      transaction: row.id,
      nonce: row.nonce,
      hash,
    });
  }

  /**
   * Ends a transaction whose nonce was used by something that no node can name, if nothing is left to be executed. Its
   * reservation from spending limits remains, because an attempt may have been mined after all. Any other transaction
   * waits, because executing its request with another nonce might execute it twice; its `status_reason` says that it
   * can be canceled.
   */
  private async endWithoutTaker(
    { chain, relayer, memory }: LaneContext,
    row: TransactionEntity,
  ): Promise<void> {
    const cause = `Nonce ${row.nonce} was used, but no node can tell by which transaction`;
    const end = endOf(row);
    const reason = end ? cause : `${cause}: it ends if it is canceled`;
    // Nodes may index their blocks late.
    if (memory.waits.unknownFor(row.id) < this.unknownUseMs) return;
    if (!end && row.statusReason === reason) return;
    if (!(await chain.isUsedElsewhere(row.sender, row.nonce, row.hashes))) return;
    if (end) memory.forget(row.id);
    this.logger.warn('No node can tell which transaction has used a nonce', {
      transaction: row.id,
      nonce: row.nonce,
    });
    await this.unitOfWork.run(() => this.rows.change(row, { ...end, statusReason: reason }, relayer));
  }

  /**
   * Whether a mined transaction is one of this transaction's attempts. Some chains compute hashes in their own way;
   * that hash is then added to those of the transaction, which shows the content of the attempt, even if a replacement
   * has other data.
   */
  private async isOwn(
    { chain, relayer }: LaneContext,
    row: TransactionEntity,
    { hash, signed }: MinedTransaction,
  ): Promise<boolean> {
    if (row.hashes.includes(hash)) return true;
    const attempts = row.hashes.length === 0 ? [] : await this.rows.attemptsOf(row.id);
    const mined = signed?.content.signature;
    const own = attempts.find(
      ({ content: { signature } }) => signature.r === mined?.r && signature.s === mined.s,
    );
    if (!own) return false;
    // A chain has at most one other hash for each attempt, whereas a lying node could invent any number.
    if (row.hashes.length >= 2 * attempts.length) return true;
    const raw = await this.rows.bytesOf(row.id, own.hash);
    const attempt = { ...own.content, ...(raw !== null && { data: chain.dataOf(raw) }) };
    const changes = { hashes: [...row.hashes, hash], attempt };
    await this.unitOfWork.run(() => this.rows.change(row, changes, relayer));
    return true;
  }
}

/** Whether most endpoints report that a nonce is unused. If so, the next step does not count it as used. */
async function isUnused(
  { memory }: LaneContext,
  { nonce }: TransactionEntity,
  agreedNonce: ReadNonce,
): Promise<boolean> {
  const agreed = await agreedNonce();
  if (agreed > nonce) return false;
  memory.limitNonce(agreed);
  return true;
}

/**
 * Whether a mined transaction can be an attempt whose record was lost: it executes the request, its block was created after
 * the request, and the request or its block existed before this instance could know all attempts. A restored database, and a replica that has
 * become the primary, may lack the last attempts. With another nonce, the request would be executed twice.
 *
 * @throws RpcUnavailableError
 */
async function isLostAttempt(
  { chain, memory }: LaneContext,
  { isFiller, request, nonce, sender, createdAt }: TransactionEntity,
  block: number,
  { raw }: SignedAttempt,
): Promise<boolean> {
  if (isFiller || !memory.waits.mayLackAttempts(block, createdAt)) return false;
  if (!chain.isSignedForm(raw, sender, chain.subjectOf(request, nonce))) return false;
  return (await chain.timeOf(block)) >= createdAt.getTime() - MAX_BLOCK_DELAY_MS;
}

/** How a transaction ends if its nonce was used elsewhere; undefined if its request is still to be executed. */
function endOf(row: TransactionEntity): TransactionChanges | undefined {
  if (hasExpired(row)) return { status: 'expired', ...EXPIRED };
  if (row.abandonedAs === null && !row.isFiller) return undefined;
  return {
    status: row.abandonedAs ?? 'canceled',
    // Its no-op waits for nothing any more.
    statusReason: abandonedReason(row.statusReason, false),
  };
}
