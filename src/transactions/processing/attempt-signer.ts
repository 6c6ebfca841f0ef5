import { Injectable, Logger } from '@nestjs/common';
import { MAX_DECISION_AGE_MS } from '../../access/ongoing-access';
import { AuditLog } from '../../audit/audit-log';
import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { Drafted, FeeLimits, Revert, SignedAttempt } from '../../chains/transaction-chain';
import { SharedUnits } from '../../database/shared-units';
import { UnitOfWork } from '../../database/unit-of-work';
import { sendsPrivately } from '../../relayers/policies/private-transactions';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { RelayersService } from '../../relayers/relayers.service';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { causeOf } from '../../common/errors/error-cause';
import type { ErrorCode } from '../../common/errors/error-codes';
import { failureDetail } from '../../common/errors/failure-log';
import { toDomainError } from '../../common/errors/to-domain-error';
import { SignerKeys } from '../../signers/opening/signer-keys';
import { SignatureEvents } from '../../signing/signature-events';
import { isSameAccount } from '../../signing/signing-confirmation';
import { SigningMetrics } from '../../signing/signing.metrics';
import { abandonedReason, statusReason } from '../status-reason';
import { inStep } from '../transaction-trace';
import { attemptEntry } from '../transaction-audit';
import { type TransactionChanges, TransactionRows } from '../transaction-rows';
import { TransactionMetrics } from '../transaction.metrics';
import type { AttemptKind } from '../transaction-attempt.entity';
import type { TransactionEntity } from '../transaction.entity';
import { orderOf } from './attempt-order';
import { areSameLimits, brokenPolicy, feeLimitsOf } from './attempt-policies';
import { attemptRow, changesBy, isNew } from './attempt-row';
import { hasExpired } from './expiry';
import type { LaneContext } from './lane-context';
import { draftingOf, renewalOf } from './lane-memory';
import { reportLackOfFunds } from './lane-log';
import { isLastingRefusal } from './lasting-refusal';
import { wasSigned } from './was-signed';

export const FROZEN_REASON = 'Waiting: signing is frozen';
export const NO_FUNDS_REASON = 'Waiting for funds: the balance of the relayer does not cover value and fees';

/** How long a request waits for enough endpoints that can simulate it. */
const UNSIMULATED_MS = 600_000;

/** What policies decide about an attempt. */
interface Drafting {
  row: TransactionEntity;
  subject: UnsignedTransaction;
  /** The limits that its fees comply with. */
  limits: FeeLimits;
}

/** A signed attempt that has not been stored yet. */
interface Signed extends Drafting {
  attempt: SignedAttempt;
  digest: Uint8Array;
  /** Whether a key service signed it. */
  isRemote: boolean;
}

/** The attempts of a lane that are stored together. */
interface SignedLane extends Pick<LaneContext, 'relayer' | 'view'> {
  signed: readonly Signed[];
}

/** A row whose newest attempt is stored and can be sent. */
export interface Sendable {
  row: TransactionEntity;
  raw: string;
}

/** A stored attempt. */
interface Stored extends Sendable, Pick<Signed, 'digest' | 'attempt'> {
  before: TransactionEntity;
}

/** Signs attempts, and stores them before their first byte is sent. */
@Injectable()
export class AttemptSigner {
  private readonly logger = new Logger(AttemptSigner.name);
  private readonly storeOne: (lane: SignedLane) => Promise<Stored[]>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    units: SharedUnits,
    private readonly rows: TransactionRows,
    private readonly keys: SignerKeys,
    private readonly relayers: RelayersService,
    private readonly signatures: SignatureEvents,
    private readonly metrics: TransactionMetrics,
    private readonly audit: AuditLog,
    private readonly signing: SigningMetrics,
  ) {
    this.storeOne = units.of((lanes) => this.storeAll(lanes));
  }

  /**
   * Signs the next attempt of each transaction, in order, and stores all of them together. If one cannot be priced or
   * signed now, the list ends there, because later ones would have to wait for it. Policies and a freeze apply from the
   * next signature on, and once more before the attempts are stored.
   *
   * @returns those that can be sent now
   */
  async sign(context: LaneContext, rows: readonly TransactionEntity[]): Promise<Sendable[]> {
    const [first] = rows;
    if (!first) return [];
    if (context.isFrozen) {
      await this.explain(context, first, FROZEN_REASON);
      return [];
    }
    const signed: Signed[] = [];
    let current = context;
    for (const row of rows) {
      const now = await this.currentOf(current);
      if (!now) break;
      current = now;
      const signing = inStep('sign transaction', [row], () => this.signOne(now, row));
      // What was signed before is sent even if, for example, no node responds for this one. Without it, the next step
      // begins with this one, and fails if it fails again.
      const next = await (signed.length === 0
        ? signing
        : signing.catch((error: unknown) => this.postponed(row, error)));
      if (!next) break;
      signed.push(next);
    }
    const allowed = signed.length === 0 ? [] : await this.confirm(context, signed);
    return allowed.length === 0 ? [] : this.store(context, allowed);
  }

  private postponed({ id }: TransactionEntity, error: unknown): void {
    this.logger[error instanceof RpcUnavailableError ? 'debug' : 'warn'](
      'A transaction could not be signed',
      {
        transaction: id,
        cause: causeOf(error),
      },
    );
  }

  /**
   * The step with the current relayer, which is read again if the last time was too long ago. Undefined if nothing may
   * be signed for it any more.
   */
  private async currentOf(context: LaneContext): Promise<LaneContext | undefined> {
    if (performance.now() - context.readAt <= MAX_DECISION_AGE_MS) return context;
    const now = await this.relayers.findForProcessing(context.relayer.id);
    return now && !now.isFrozen && isSameAccount(now.relayer, context.relayer)
      ? { ...context, ...now }
      : undefined;
  }

  /**
   * Checks attempts again before they are stored: a key service may take seconds, during which signing can be frozen, or
   * policies change.
   *
   * @returns the attempts before the first one that must not be sent
   */
  private async confirm(context: LaneContext, signed: readonly Signed[]): Promise<readonly Signed[]> {
    const now = await this.relayers.findForProcessing(context.relayer.id);
    if (now?.isFrozen === true) return this.withhold(context, signed, 0, 'signing_frozen');
    if (!now || !isSameAccount(now.relayer, context.relayer))
      return this.withhold(context, signed, 0, 'relayer_not_found');
    // They would be sent as the policy said at the start of the step, perhaps publicly although it now forbids that.
    if (sendsPrivately(now.relayer.policies) !== sendsPrivately(context.relayer.policies))
      return this.withhold(context, signed, 0, 'transaction_not_allowed');
    let end = signed.length;
    for (const [i, each] of signed.entries())
      if (!(await this.isAllowed({ ...context, ...now }, each))) end = Math.min(end, i);
    const allowed = this.withhold(context, signed, end, 'transaction_not_allowed');
    // The next step fills the nonce of what has expired.
    const expired = allowed.findIndex(({ row }) => hasExpired(row));
    return expired === -1 ? allowed : allowed.slice(0, expired);
  }

  /**
   * Whether a draft complies with the current policies. What they forbid is abandoned. If only the limits of the fees
   * have changed, nothing is decided: the next step drafts it within these.
   */
  private async isAllowed(context: LaneContext, { row, subject, limits }: Drafting): Promise<boolean> {
    const { policies } = context.relayer;
    if (!areSameLimits(limits, feeLimitsOf(policies, kindOf(row)))) return false;
    if (kindOf(row) === 'noop') return true;
    const rule = brokenPolicy(context.relayer, subject, row);
    if (rule === undefined) return true;
    // Policies apply to the first signature of the content. A transaction that may have been sent must not get stuck
    // because of a later policy change. Only the earlier signature proves that, because the columns have no MAC.
    if (row.signedBlock !== null && (await wasSigned(context, this.rows, row, subject))) return true;
    await this.abandon(context, row, rule);
    return false;
  }

  /** @returns the attempts before `end`; the others are discarded */
  private withhold(
    { relayer }: LaneContext,
    signed: readonly Signed[],
    end: number,
    code: ErrorCode,
  ): readonly Signed[] {
    for (const { row, isRemote } of signed.slice(end)) {
      if (!isRemote) continue;
      this.signing.countWithheld(code);
      this.logger.warn('A signature of a key service was withheld: the relayer may no longer sign', {
        relayer_id: relayer.id,
        transaction: row.id,
        code,
      });
    }
    return signed.slice(0, end);
  }

  /** If too few endpoints could simulate it for a long time, those that can decide: later nonces wait for it. */
  private async draft(
    context: LaneContext,
    row: TransactionEntity,
    limits: FeeLimits,
  ): Promise<Drafted<UnsignedTransaction>> {
    const { chain, memory } = context;
    const order = await orderOf(context, this.rows, row, { kind: kindOf(row), limits });
    const drafted = await chain.draft(order);
    if (!('waits' in drafted) || !drafted.forSimulation) {
      memory.waits.simulated(row.id);
      return drafted;
    }
    const isStuck = memory.waits.unsimulatedFor(row.id) >= UNSIMULATED_MS;
    return isStuck ? chain.draft({ ...order, believesFew: true }) : drafted;
  }

  /**
   * Undefined if the transaction cannot be signed now; its `status_reason` then explains why, unless the relayer has
   * changed or the transaction has expired meanwhile: then the next step does.
   */
  private async signOne(context: LaneContext, row: TransactionEntity): Promise<Signed | undefined> {
    const { relayer, memory } = context;
    const kind = kindOf(row);
    const limits = feeLimitsOf(relayer.policies, kind);
    const drafted = await this.draft(context, row, limits);
    const isFirst = row.status === 'pending';
    const pause = isFirst ? row.id : renewalOf(row.id);
    const wait = async (reason: string, forFunds = false): Promise<undefined> => {
      memory.failed(pause);
      if (forFunds) this.metrics.countSend(row, 'insufficient_funds');
      await this.explain(context, row, reason, forFunds);
    };
    if ('waits' in drafted) return wait(drafted.waits, drafted.forFunds);
    // It was valid when it was signed: a limit of the chain may have changed for a while, or a node may be wrong.
    if (
      'refused' in drafted &&
      row.signedBlock !== null &&
      !(await isLastingRefusal(context, row, draftingOf(row.id)))
    )
      return wait(`Waiting: not valid now: ${drafted.refused}`);
    if ('refused' in drafted) {
      await this.abandon(context, row, drafted.refused, drafted.revert);
      return undefined;
    }
    const { draft } = drafted;
    // For new content, the same fees are an offer for something else.
    if (draft.offersNoMore && !isFirst && !row.needsAttempt) return wait(NO_FUNDS_REASON, true);
    memory.settled(draftingOf(row.id));
    const drafting = { row, subject: draft.subject, limits };
    if (!(await this.isAllowed(context, drafting))) return undefined;
    const failed = (error: unknown): Promise<undefined> =>
      wait(`Waiting for the signer: ${failureDetail(toDomainError(error))}`);
    const { signerId, networkType } = relayer;
    // The key of the sender, so that nothing is signed with the key of another account.
    const key = await this.keys.open({ signerId, networkType, address: row.sender }).catch(failed);
    if (!key) return undefined;
    // Drafting it and opening the key can take seconds.
    const now = await this.currentOf(context);
    if (!now || (now !== context && !(await this.isAllowed(now, drafting))) || hasExpired(row))
      return undefined;
    const attempt = await key.sign(draft.digest).then(draft.sign).catch(failed);
    if (!attempt) return undefined;
    memory.succeeded(renewalOf(row.id));
    return { ...drafting, attempt, digest: draft.digest, isRemote: key.isRemote };
  }

  private async store({ relayer, view }: LaneContext, signed: readonly Signed[]): Promise<Sendable[]> {
    const stored = await this.storeOne({ relayer, view, signed });
    for (const { row, before } of stored) if (before.status !== 'pending') this.metrics.countReplacement(row);
    return stored;
  }

  /** @returns the stored attempts of each lane */
  private async storeAll(lanes: readonly SignedLane[]): Promise<Stored[][]> {
    const changed = await this.rows.changeAll(
      lanes.flatMap(({ relayer, view, signed }) =>
        signed.map(({ row, attempt }) => ({
          row,
          changes: changesBy(attempt, row, view),
          audience: relayer,
        })),
      ),
    );
    const after = new Map(changed.map((row) => [row.id, row]));
    const saved = lanes.map(({ relayer, signed }) => ({
      relayer,
      attempts: signed.flatMap(({ row: before, digest, attempt }): Stored[] => {
        const row = after.get(before.id);
        return row ? [{ row, raw: attempt.raw, before, digest, attempt }] : [];
      }),
    }));
    const all = saved.flatMap(({ attempts }) => attempts);
    const added = all.filter(({ before, attempt }) => isNew(attempt, before));
    await this.rows.insertAttempts(
      added.map(({ row, attempt }) => attemptRow(row, attempt, row.hashes.length)),
    );
    for (const { relayer, attempts } of saved) await this.record(relayer, attempts);
    return saved.map(({ attempts }) => attempts);
  }

  private async record(relayer: ActingRelayer, stored: readonly Stored[]): Promise<void> {
    await this.audit.recordAll(
      stored.map(({ row, digest, attempt }) => attemptEntry(relayer, row, digest, attempt.content.hash)),
    );
    if (relayer.notificationId === null) return;
    const digests = stored.map(({ digest }) => ({ form: 'transaction' as const, digest }));
    await this.signatures.record(relayer.id, relayer.notificationId, digests);
  }

  /** Whether the newest attempt offers clearly more than the market asks for now. @throws RpcUnavailableError */
  async isOverpriced(context: LaneContext, row: TransactionEntity): Promise<boolean> {
    if (!row.attempt) return false;
    const kind = kindOf(row);
    const limits = feeLimitsOf(context.relayer.policies, kind);
    const order = await orderOf(context, this.rows, row, { kind, limits });
    return context.chain.isOverpriced(order, row.attempt);
  }

  /** Uses the nonce for a no-op. The transaction fails when that is mined. */
  private async abandon(
    { relayer, memory }: LaneContext,
    row: TransactionEntity,
    reason: string,
    revert?: Revert,
  ): Promise<void> {
    memory.succeeded(row.id);
    await this.unitOfWork.run(() => this.rows.change(row, failedBy(reason, revert), relayer, true));
  }

  private async explain(
    context: LaneContext,
    row: TransactionEntity,
    reason: string,
    forFunds = false,
  ): Promise<void> {
    if (forFunds) reportLackOfFunds(context, row);
    // The reason why it was abandoned is kept.
    const shown =
      row.abandonedAs === null ? statusReason(reason) : abandonedReason(row.statusReason, forFunds);
    if (row.statusReason === shown) return;
    await this.unitOfWork.run(() => this.rows.change(row, { statusReason: shown }, context.relayer));
  }
}

/** A no-op for a filler, and for a transaction that was canceled, has expired or has failed. */
export const kindOf = ({ isFiller, abandonedAs }: TransactionEntity): AttemptKind =>
  isFiller || abandonedAs !== null ? 'noop' : 'request';

/** The changes of a transaction that can never be executed: a no-op uses its nonce. */
export const failedBy = (reason: string, revert?: Revert): TransactionChanges => ({
  abandonedAs: 'failed',
  needsAttempt: true,
  statusReason: statusReason(reason),
  ...(revert && { revertReason: statusReason(revert.reason), revertData: revert.data }),
});

/** Whether the client has set the fees. If so, they are never changed. */
export const hasOwnFees = (row: TransactionEntity): boolean =>
  kindOf(row) === 'request' && row.request.speed === null;
