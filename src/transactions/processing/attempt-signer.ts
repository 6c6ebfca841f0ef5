import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log';
import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { ChainView, Revert, SignedAttempt } from '../../chains/transaction-chain';
import { parseBigInteger } from '../../common/validation/big-integer';
import { SharedUnits } from '../../database/shared-units';
import { UnitOfWork } from '../../database/unit-of-work';
import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { RelayersService } from '../../relayers/relayers.service';
import { DomainError } from '../../common/errors/domain-error';
import { failureDetail } from '../../common/errors/failure-log';
import { toDomainError } from '../../common/errors/to-domain-error';
import { SignerKeys } from '../../signers/opening/signer-keys';
import { authorizeSignature } from '../../signing/authorization/authorize-signature';
import { SignatureEvents } from '../../signing/signature-events';
import { statusReason } from '../status-reason';
import { inStep } from '../transaction-trace';
import { attemptEntry } from '../transaction-audit';
import { type TransactionChanges, TransactionRows } from '../transaction-rows';
import { TransactionMetrics } from '../transaction.metrics';
import type { AttemptKind, TransactionAttemptEntity } from '../transaction-attempt.entity';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';
import { draftingOf, renewalOf } from './lane-memory';
import { isLastingRefusal } from './lasting-refusal';

export const FROZEN_REASON = 'Waiting: signing is frozen';
export const NO_FUNDS_REASON = 'Waiting for funds: the balance of the relayer does not cover value and fees';

/** A signed attempt that has not been stored yet. */
interface Signed {
  row: TransactionEntity;
  attempt: SignedAttempt;
  digest: Uint8Array;
}

/** A row whose newest attempt is stored and can be sent. */
export interface Sendable {
  row: TransactionEntity;
  raw: string;
}

/** Signs attempts, and stores them before their first byte is sent. */
@Injectable()
export class AttemptSigner {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly units: SharedUnits,
    private readonly rows: TransactionRows,
    private readonly keys: SignerKeys,
    private readonly relayers: RelayersService,
    private readonly signatures: SignatureEvents,
    private readonly metrics: TransactionMetrics,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Signs the next attempt of each transaction, in order, and stores all of them together. If one cannot be priced or
   * signed now, the list ends there, because later ones would have to wait for it.
   *
   * @returns those that can be sent now
   */
  async sign(context: LaneContext, rows: readonly TransactionEntity[]): Promise<Sendable[]> {
    if (rows.length === 0) return [];
    if (context.isFrozen) return this.wait(context, rows, FROZEN_REASON);
    const signed: Signed[] = [];
    for (const row of rows) {
      const next = await inStep('sign transaction', [row], () => this.signOne(context, row));
      if (!next) break;
      signed.push(next);
    }
    if (signed.length === 0 || (await this.isForbidden(context))) return [];
    return this.store(context, signed);
  }

  /** Undefined if the transaction cannot be signed now; its `status_reason` then explains why. */
  private async signOne(context: LaneContext, row: TransactionEntity): Promise<Signed | undefined> {
    const { chain, relayer, memory } = context;
    const policies: EvmPolicies = relayer.policies;
    const kind = kindOf(row);
    const drafted = await chain.draft({
      kind,
      sender: row.sender,
      nonce: row.nonce,
      request: row.request,
      wasSigned: row.signedBlock !== null,
      replaces: await this.replacedBy(row),
      limits: {
        cap: parseBigInteger(policies.gas_price_cap),
        maxFee: kind === 'noop' ? undefined : parseBigInteger(policies.transactions?.max_fee),
        legacy: policies.eip1559_pricing === false,
      },
    });
    const isFirst = row.status === 'pending';
    const pause = isFirst ? row.id : renewalOf(row.id);
    if ('waits' in drafted) {
      memory.failed(pause);
      if (drafted.forFunds) this.metrics.countSend(row, 'insufficient_funds');
      await this.explain(context, row, drafted.waits);
      return undefined;
    }
    // It was valid when it was signed: a limit of the chain may have changed for a while.
    if (
      'refused' in drafted &&
      row.signedBlock !== null &&
      !drafted.revert &&
      !(await isLastingRefusal(context, row, draftingOf(row.id)))
    ) {
      memory.failed(pause);
      await this.explain(context, row, `Waiting: not valid now: ${drafted.refused}`);
      return undefined;
    }
    if ('refused' in drafted) {
      await this.abandon(context, row, drafted.refused, drafted.revert);
      return undefined;
    }
    const { draft } = drafted;
    // For new content, the same fees are an offer for something else.
    if (draft.offersNoMore && !isFirst && !row.needsAttempt) {
      memory.failed(pause);
      this.metrics.countSend(row, 'insufficient_funds');
      await this.explain(context, row, NO_FUNDS_REASON);
      return undefined;
    }
    memory.settled(draftingOf(row.id));
    // Policies apply to the first signature of the content. A transaction that may have been sent must not get stuck
    // because of a later policy change.
    if (kind === 'request' && row.signedBlock === null) {
      const rule = brokenPolicy(policies, draft.subject, row);
      if (rule !== undefined) {
        await this.abandon(context, row, rule);
        return undefined;
      }
    }
    try {
      const key = await this.keys.open(relayer);
      const attempt = draft.sign(await key.sign(draft.digest));
      memory.succeeded(renewalOf(row.id));
      return { row, digest: draft.digest, attempt };
    } catch (error) {
      memory.failed(pause);
      await this.explain(context, row, `Waiting for the signer: ${failureDetail(toDomainError(error))}`);
      return undefined;
    }
  }

  /** Checked again: a key service may take seconds, during which signing can be frozen. */
  private async isForbidden({ relayer }: LaneContext): Promise<boolean> {
    const now = await this.relayers.findForProcessing(relayer.id);
    return now?.isFrozen !== false;
  }

  private async store(context: LaneContext, signed: readonly Signed[]): Promise<Sendable[]> {
    const { relayer, view } = context;
    const stored = await this.units.run(async () => {
      const decisions = signed.map(({ row, attempt }) => ({ row, changes: changesBy(attempt, row, view) }));
      const after = new Map((await this.rows.changeAll(decisions, relayer)).map((row) => [row.id, row]));
      const saved = signed.flatMap(({ row: before, digest, attempt }) => {
        const row = after.get(before.id);
        return row ? [{ row, raw: attempt.raw, before, digest, attempt }] : [];
      });
      const attempts = saved
        .filter(({ before, attempt }) => isNew(attempt, before))
        .map(({ row, attempt }) => attemptOf(row, attempt));
      await this.rows.insertAttempts(attempts);
      await this.audit.recordAll(
        saved.map(({ row, digest, attempt }) => attemptEntry(relayer, row, digest, attempt.content.hash)),
      );
      if (relayer.notificationId !== null) {
        const digests = saved.map(({ digest }) => ({ form: 'transaction' as const, digest }));
        await this.signatures.record(relayer.id, relayer.notificationId, digests);
      }
      return saved;
    });
    for (const { row, before } of stored) if (before.status !== 'pending') this.metrics.countReplacement(row);
    return stored;
  }

  /** The attempts with the same nonce that nodes may have. */
  private async replacedBy(row: TransactionEntity) {
    if (row.hashes.length === 0) return [];
    const attempts = await this.rows.attemptsOf(row.id);
    return attempts.filter(({ nonce }) => nonce === row.nonce).map(({ content }) => content);
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

  private async explain({ relayer }: LaneContext, row: TransactionEntity, reason: string): Promise<void> {
    const shown = statusReason(reason);
    // The reason why it was abandoned is kept.
    if (row.abandonedAs !== null || row.statusReason === shown) return;
    await this.unitOfWork.run(() => this.rows.change(row, { statusReason: shown }, relayer));
  }

  private async wait(
    context: LaneContext,
    [first]: readonly TransactionEntity[],
    reason: string,
  ): Promise<Sendable[]> {
    if (first) await this.explain(context, first, reason);
    return [];
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

function brokenPolicy(
  policies: EvmPolicies,
  transaction: UnsignedTransaction,
  { request }: TransactionEntity,
): string | undefined {
  try {
    authorizeSignature(policies, {
      ...{ form: 'transaction', transaction, isSent: true },
      ...(request.is_approved === true && { isApproved: true }),
    });
    return undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'transaction_not_allowed') return error.detail;
    throw error;
  }
}

/** Signing the same content again results in the same attempt. */
const isNew = ({ content }: SignedAttempt, { hashes }: TransactionEntity): boolean =>
  !hashes.includes(content.hash);

const changesBy = (
  attempt: SignedAttempt,
  row: TransactionEntity,
  { head }: ChainView,
): TransactionChanges => ({
  status: row.status === 'pending' ? 'sent' : row.status,
  attempt: attempt.content,
  ...(isNew(attempt, row) && { hashes: [...row.hashes, attempt.content.hash] }),
  needsAttempt: false,
  signedBlock: row.signedBlock ?? head,
  broadcastAt: null,
  // The reason why it was abandoned is kept.
  ...(row.status === 'pending' && row.abandonedAs === null && { statusReason: null }),
});

function attemptOf(row: TransactionEntity, { content, raw }: SignedAttempt): TransactionAttemptEntity {
  return {
    transactionId: row.id,
    number: row.hashes.length,
    kind: content.kind,
    nonce: row.nonce,
    hash: content.hash,
    raw,
    content,
    acknowledgedAt: null,
    createdAt: new Date(),
  };
}
