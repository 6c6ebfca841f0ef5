import { Injectable, Logger } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { isAcknowledged, type SendCause } from '../../chains/send-cause';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { causeOf } from '../../common/errors/error-cause';
import { SharedUnits } from '../../database/shared-units';
import { abandonedReason } from '../status-reason';
import { inStep } from '../transaction-trace';
import { type Decision, TransactionRows, type TransactionChanges } from '../transaction-rows';
import { TransactionMetrics } from '../transaction.metrics';
import type { TransactionEntity } from '../transaction.entity';
import { acceptedBefore } from './accepted-before';
import { failedBy, hasOwnFees, kindOf, NO_FUNDS_REASON, type Sendable } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { renewalOf, validityOf } from './lane-memory';
import { logRefusals, reportLackOfFunds } from './lane-log';
import { isLastingRefusal } from './lasting-refusal';
import { isPrivate } from './private-sending';
import { unexecutable } from './unexecutable';

export const LOWER_NONCES_REASON = 'Waiting for transactions with lower nonces';

/** The `status_reason` of a transaction that a node did not accept; null if none is needed. */
const REASONS: Readonly<Record<SendCause, string | null>> = {
  accepted: null,
  already_known: null,
  nonce_too_low: 'Checking: a node says that the nonce was used',
  nonce_too_high: LOWER_NONCES_REASON,
  replacement_underpriced: 'Waiting: a node has another transaction with this nonce and higher fees',
  fee_too_low: 'Waiting: the fees are below what nodes accept',
  fee_above_limit: 'Waiting: the fees are above the limit of the node',
  insufficient_funds: NO_FUNDS_REASON,
  pool_full: 'Waiting: the transaction pool of the node is full',
  in_flight_limit: 'Waiting: the node accepts no further transaction of this account yet',
  rate_limited: 'Waiting: the node limits requests',
  invalid: 'A node considers it invalid',
  wrong_chain: 'Waiting: the endpoints say that it is for another chain',
  no_private_endpoint: 'Waiting: the network has no private RPC endpoint',
  unavailable: 'Perhaps sent: no node has confirmed that it received it',
  unknown: 'Waiting: a node has refused it for a reason that is not known',
};

/** The refusals that other fees may avoid. */
const FEES_REFUSED: ReadonlySet<SendCause> = new Set(['fee_too_low', 'replacement_underpriced']);

/** The refusals that higher fees may avoid if the next block requires them: a full pool omits what pays least. */
const PERHAPS_FEES: ReadonlySet<SendCause> = new Set(['unknown', 'pool_full']);

/** The refusals of attempts that cost too much. */
const COST_REFUSED: ReadonlySet<SendCause> = new Set(['insufficient_funds', 'fee_above_limit']);

/** The refusals that an earlier attempt, which costs less, may avoid. */
const OF_THE_NEWEST: ReadonlySet<SendCause> = new Set([...COST_REFUSED, 'invalid', 'unknown']);

/** Attempts that are sent in one request. @limit Transactions */
const MAX_TOGETHER = 32;
/** The maximum total number of hex digits in these attempts. */
const MAX_DIGITS = 512 * 1024;

/** The result of sending, before it is stored. */
interface Sent extends Sendable, Decision {
  cause: SendCause;
  /** The attempt that nodes are known to have; undefined if there is none. */
  taken: string | undefined;
}

const areTaken = (results: readonly Sent[]): boolean => results.every(({ cause }) => isAcknowledged(cause));

/** Sends stored attempts, lowest nonce first, and stores the responses of the nodes. */
@Injectable()
export class AttemptSender {
  private readonly logger = new Logger(AttemptSender.name);
  private readonly store: (results: readonly Sent[]) => Promise<TransactionEntity[]>;

  constructor(
    units: SharedUnits,
    private readonly rows: TransactionRows,
    private readonly metrics: TransactionMetrics,
  ) {
    this.store = units.of((lists) => this.storeAll(lists));
  }

  /**
   * Sends attempts in the order of their nonces, many at a time. It stops at the first attempt that is not accepted,
   * because later ones could not be mined.
   *
   * @returns whether all were acknowledged
   */
  async send(context: LaneContext, sendables: readonly Sendable[]): Promise<boolean> {
    const results = await this.sendInOrder(context, sendables);
    await this.save(results);
    return areTaken(results);
  }

  /** As {@link send}. @returns the transactions that this has changed, as they are afterwards */
  async resend(context: LaneContext, sendables: readonly Sendable[]): Promise<TransactionEntity[]> {
    return this.save(await this.sendInOrder(context, sendables));
  }

  private async sendInOrder(context: LaneContext, sendables: readonly Sendable[]): Promise<Sent[]> {
    const results: Sent[] = [];
    while (results.length < sendables.length && areTaken(results)) {
      const together = firstTogether(context, sendables.slice(results.length), results.length === 0);
      results.push(...(await this.sendTogether(context, together)));
    }
    return results;
  }

  /** The newest attempts of transactions, in order, omitting those whose bytes have been purged. */
  async load(rows: readonly TransactionEntity[]): Promise<Sendable[]> {
    if (rows.length === 0) return [];
    const attempts = await this.rows.attempts.findBy({
      transactionId: In(rows.map(({ id }) => id)),
      hash: In(rows.map(({ attempt }) => attempt?.hash ?? '')),
    });
    const raws = new Map(attempts.map((attempt) => [attempt.transactionId, attempt.raw]));
    return rows.flatMap((row) => {
      const raw = raws.get(row.id);
      return raw ? [{ row, raw }] : [];
    });
  }

  private async sendTogether(context: LaneContext, sendables: readonly Sendable[]): Promise<Sent[]> {
    const [first] = sendables;
    if (!first) return [];
    const attempts = sendables.map(({ row, raw }) => ({
      raw,
      hash: row.attempt?.hash ?? '',
      refused: logRefusals(context, row),
    }));
    const rows = sendables.map(({ row }) => row);
    const causes = await inStep('send transactions', rows, () =>
      context.chain.send(attempts, isPrivate(context, first.row)),
    );
    const results: Sent[] = [];
    for (const [i, sendable] of sendables.entries()) {
      const cause = causes[i] ?? 'unavailable';
      this.metrics.countSend(sendable.row, cause);
      results.push(await this.resultOf(context, sendable, cause));
    }
    return results;
  }

  private async resultOf(context: LaneContext, sendable: Sendable, stated: SendCause): Promise<Sent> {
    const { memory, relayer: audience } = context;
    const { row } = sendable;
    const newest = row.attempt?.hash ?? '';
    if (stated !== 'invalid') memory.settled(validityOf(row.id));
    memory.setTooExpensive(row, COST_REFUSED.has(stated));
    const { taken, cause } = await this.judge(context, row, stated);
    const lacksFunds = cause === 'insufficient_funds';
    if (lacksFunds) reportLackOfFunds(context, row);
    if (taken !== undefined) {
      memory.succeeded(row.id);
      memory.waits.accepted(row.id);
      if (!lacksFunds && !memory.hasFailed(renewalOf(row.id))) memory.waits.funded(row.id);
      // Fees above those of another attempt need no explanation, unless the client has set them: they are raised.
      const isBehind = taken !== newest && (hasOwnFees(row) || cause !== 'replacement_underpriced');
      const changes = {
        ...acknowledged(row, !memory.hasFailed(renewalOf(row.id))),
        ...(isBehind && row.abandonedAs === null && { statusReason: REASONS[cause] }),
      };
      return {
        ...sendable,
        audience,
        cause: isAcknowledged(cause) ? cause : 'already_known',
        taken,
        changes,
      };
    }
    // Lower nonces are only mined with another block.
    memory.failed(row.id, cause === 'nonce_too_high' ? context.view.head : undefined);
    this.logger.debug('A node did not accept a transaction', { transaction: row.id, cause });
    const wasTaken = await this.wasAcknowledged(row);
    const changes = refusedChanges(row, cause, wasTaken, await this.isGivenUp(context, row, cause));
    if ((await this.needsOtherFees(context, row, cause)) || (await this.needsOtherNoop(context, row, cause)))
      changes.needsAttempt = true;
    const never = cause === 'unknown' ? await unexecutable(context, sendable) : undefined;
    // Sent again soon, to see whether that lasts.
    if (never === 'doubtful') changes.broadcastAt = null;
    else if (never) Object.assign(changes, failedBy(never.refused, never.revert));
    return { ...sendable, audience, cause, taken, changes };
  }

  /**
   * Whether a request is invalid, so that a no-op uses its nonce. If a node has accepted it before, that must last: the
   * node may still have it.
   */
  private async isGivenUp(context: LaneContext, row: TransactionEntity, cause: SendCause): Promise<boolean> {
    if (cause !== 'invalid' || kindOf(row) === 'noop') return false;
    return row.status !== 'submitted' || isLastingRefusal(context, row, validityOf(row.id));
  }

  /**
   * Whether a refused attempt gets new fees at once, high enough to replace whatever holds its nonce. If a node has
   * acknowledged it before, a single other node cannot raise its fees, as long as the next block can include it: they are
   * raised when it has waited for long enough.
   */
  private async needsOtherFees(
    { chain }: LaneContext,
    row: TransactionEntity,
    cause: SendCause,
  ): Promise<boolean> {
    if (hasOwnFees(row)) return false;
    const { attempt, status } = row;
    // The reason may be the fees, and none of its attempts gets higher ones by time.
    if (PERHAPS_FEES.has(cause) && attempt && status === 'sent' && kindOf(row) === 'request')
      return chain.isOutpriced(attempt).catch(() => false);
    if (!FEES_REFUSED.has(cause)) return false;
    if (!attempt || !(await this.wasAcknowledged(row))) return true;
    return chain.isOutpriced(attempt).catch(() => false);
  }

  /** Whether a node has accepted the newest attempt before. */
  private async wasAcknowledged({ id, attempt, status }: TransactionEntity): Promise<boolean> {
    if (!attempt || status !== 'submitted') return false;
    const acknowledged = { transactionId: id, hash: attempt.hash, acknowledgedAt: Not(IsNull()) };
    return this.rows.attempts.existsBy(acknowledged);
  }

  /**
   * Whether a no-op was refused because it has too little gas, or offers too little for it, although the node did not
   * clearly say so. Otherwise another no-op would be refused as well, and would only cost more.
   */
  private async needsOtherNoop(
    { chain }: LaneContext,
    row: TransactionEntity,
    cause: SendCause,
  ): Promise<boolean> {
    const { sender, attempt } = row;
    if (attempt?.kind !== 'noop' || !(cause === 'invalid' || PERHAPS_FEES.has(cause))) return false;
    // One that a node has accepted has enough gas, whatever another node says.
    const mayLackGas = cause !== 'pool_full' && !(await this.wasAcknowledged(row));
    if (mayLackGas && (await chain.isShortOfGas(sender, attempt))) return true;
    // The results of sending are stored even if no node reports prices.
    return chain.isOutpriced(attempt).catch(() => false);
  }

  /** The attempt that nodes have, and the result, which is `unavailable` if no node can say what holds the nonce. */
  private async judge(
    context: LaneContext,
    row: TransactionEntity,
    cause: SendCause,
  ): Promise<Pick<Sent, 'taken' | 'cause'>> {
    if (isAcknowledged(cause)) return { taken: row.attempt?.hash ?? '', cause };
    if (OF_THE_NEWEST.has(cause)) return { taken: await this.resendAccepted(context, row), cause };
    if (cause !== 'replacement_underpriced') return { taken: undefined, cause };
    const { holder, isCertain } = await this.nonceHolder(context, row);
    return { taken: holder, cause: holder === undefined && !isCertain ? 'unavailable' : cause };
  }

  /**
   * Sends what nodes accepted before they refused the newest attempt: if they have dropped it, nothing of the
   * transaction could be mined.
   *
   * @returns its hash, if nodes have it now
   */
  private async resendAccepted(context: LaneContext, row: TransactionEntity): Promise<string | undefined> {
    if (row.status !== 'submitted') return undefined;
    const accepted = await acceptedBefore(context, this.rows, row);
    if (!accepted) return undefined;
    const [cause = 'unavailable'] = await context.chain.send([accepted], isPrivate(context, row));
    this.metrics.countSend(row, cause);
    return isAcknowledged(cause) ? accepted.hash : undefined;
  }

  /**
   * The newest of the transaction's own attempts that nodes have. If there is one, no other transaction holds the
   * nonce.
   */
  private async nonceHolder(
    context: LaneContext,
    row: TransactionEntity,
  ): Promise<{ holder: string | undefined; isCertain: boolean }> {
    // Public nodes do not know private attempts; a private endpoint compares with one that it has acknowledged.
    if (isPrivate(context, row)) return { holder: await this.newestAcknowledged(row), isCertain: true };
    let isCertain = true;
    for (const hash of [...row.hashes].reverse()) {
      // The results of sending are stored even if no node responds.
      const isKnown = await context.chain.isKnown(hash).catch((error: unknown) => {
        if (error instanceof RpcUnavailableError) return undefined;
        this.logger.warn('An attempt could not be looked up', { transaction: row.id, cause: causeOf(error) });
        return undefined;
      });
      if (isKnown) return { holder: hash, isCertain: true };
      isCertain &&= isKnown !== undefined;
    }
    return { holder: undefined, isCertain };
  }

  private async newestAcknowledged({ id, nonce }: TransactionEntity): Promise<string | undefined> {
    const newest = await this.rows.attempts.findOne({
      select: { transactionId: true, number: true, hash: true },
      where: { transactionId: id, nonce, acknowledgedAt: Not(IsNull()) },
      order: { number: 'DESC' },
    });
    return newest?.hash;
  }

  private async save(results: readonly Sent[]): Promise<TransactionEntity[]> {
    return results.length === 0 ? [] : this.store(results);
  }

  /** @param lists the results of several lanes @returns the changed rows of each */
  private async storeAll(lists: readonly (readonly Sent[])[]): Promise<TransactionEntity[][]> {
    const changed = await this.rows.changeAll(lists.flat());
    const acknowledged = lists.flat().filter(({ taken }) => taken !== undefined);
    if (acknowledged.length > 0)
      await this.rows.attempts.update(
        {
          transactionId: In(acknowledged.map(({ row }) => row.id)),
          hash: In(acknowledged.map(({ taken }) => taken)),
          acknowledgedAt: IsNull(),
        },
        { acknowledgedAt: new Date() },
      );
    const after = new Map(changed.map((row) => [row.id, row]));
    return lists.map((results) => results.flatMap(({ row }) => after.get(row.id) ?? []));
  }
}

/**
 * The attempts that can be sent together. Only one if each must wait for the previous one, or if the first was refused
 * before, because all may be refused again.
 */
function firstTogether(
  context: LaneContext,
  sendables: readonly Sendable[],
  isFirst: boolean,
): readonly Sendable[] {
  const { chain, memory } = context;
  const [first] = sendables;
  if (!first || chain.inOrder || (isFirst && memory.hasFailed(first.row.id))) return sendables.slice(0, 1);
  let digits = 0;
  const end = sendables.findIndex(({ row, raw }, i) => {
    digits += raw.length;
    const fits = i < MAX_TOGETHER && digits <= MAX_DIGITS;
    return i > 0 && (!fits || isPrivate(context, row) !== isPrivate(context, first.row));
  });
  return end === -1 ? sendables : sendables.slice(0, end);
}

/** @param waitsForNothing whether no further attempt is waiting, for a reason that the transaction shows */
function acknowledged(row: TransactionEntity, waitsForNothing: boolean): TransactionChanges {
  const now = new Date();
  return {
    status: row.status === 'sent' ? 'submitted' : row.status,
    sentAt: row.sentAt ?? now,
    broadcastAt: now,
    ...(row.abandonedAs === null && waitsForNothing && { statusReason: null }),
    ...keptReason(row, false),
  };
}

/** @param wasTaken whether a node has accepted the newest attempt before */
function refusedChanges(
  row: TransactionEntity,
  cause: SendCause,
  wasTaken: boolean,
  isGivenUp: boolean,
): TransactionChanges {
  const reason = REASONS[cause];
  const isDoubtful = cause === 'invalid' && kindOf(row) === 'request' && !isGivenUp;
  return {
    // Sent again soon, to see whether that lasts.
    broadcastAt: isDoubtful ? null : new Date(),
    // A node that accepted it before may still have it, so a repeated send reveals nothing new.
    ...keptReason(row, cause === 'insufficient_funds' && !wasTaken),
    ...((!wasTaken || isGivenUp) && row.abandonedAs === null && reason !== null && { statusReason: reason }),
    ...(isGivenUp && { abandonedAs: 'failed' as const, needsAttempt: true }),
  };
}

/** The reason of a cancellation or expiry is kept until the no-op is mined, and says whether that waits for funds. */
function keptReason(
  { abandonedAs, statusReason: before }: TransactionEntity,
  waitsForFunds: boolean,
): TransactionChanges {
  const reason = abandonedAs === null ? before : abandonedReason(before, waitsForFunds);
  return reason === before ? {} : { statusReason: reason };
}
