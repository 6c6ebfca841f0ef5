import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { MAX_DECISION_AGE_MS, OngoingAccess } from '../access/ongoing-access';
import { AuditLog } from '../audit/audit-log';
import { UnitOfWork } from '../database/unit-of-work';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService } from '../relayers/relayers.service';
import { SignatureRecords } from '../signing/signature-records';
import { assertMembers } from './accepting/accepted-request';
import { AccountLedger } from './accepting/account-ledger';
import { LaneWorker } from './lanes/lane-worker';
import { SpendLimits } from './spending/spend-limits';
import { replacementFailure, transactionEntry } from './transaction-audit';
import { beingCanceled, invalidState, tooManyAttempts, transactionNotFound } from './transaction.errors';
import { type TransactionChanges, TransactionRows } from './transaction-rows';
import { isUnmined, UNMINED } from './transaction-status';
import { TransactionsService } from './transactions.service';
import type { StoredRequest, TransactionEntity } from './transaction.entity';

/** The transactions of a request to cancel all. */
export interface CanceledTransactions {
  canceled: string[];
  failed: string[];
}

type Operation = 'replace' | 'cancel';

/** The number of transactions that are read and canceled together; each may have 128 KiB of data. */
const CANCELED_TOGETHER = 50;

/** Attempts of a transaction that can be replaced; with more it can only be canceled. @limit Transactions */
const MAX_ATTEMPTS = 100;

const CANCELED = {
  isCanceled: true,
  abandonedAs: 'canceled',
  needsAttempt: true,
  statusReason: 'Transaction canceled by user, replacing with NOOP',
} as const;

/**
 * Changes that clients request for transactions that have not been mined. The outcome depends on which attempt is
 * mined.
 */
@Injectable()
export class TransactionChangesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: TransactionRows,
    private readonly ledger: AccountLedger,
    private readonly relayers: RelayersService,
    private readonly transactions: TransactionsService,
    private readonly lanes: LaneWorker,
    private readonly spending: SpendLimits,
    private readonly access: OngoingAccess,
    private readonly audit: AuditLog,
    private readonly records: SignatureRecords,
  ) {}

  /**
   * Replaces the content of a transaction, which keeps its nonce. The next attempt has the new content, and fees high
   * enough to replace the earlier attempts.
   *
   * @throws DomainError as `TransactionsService.submit`; `transaction_not_found`; `invalid_request` if it is mined or
   * canceled, or has too many attempts
   */
  async replace(relayerId: string, id: string, body: unknown): Promise<TransactionEntity> {
    try {
      return await this.replaceContent(relayerId, id, body);
    } catch (error) {
      // Otherwise policies could be probed unseen.
      await this.records.saveFailure(replacementFailure(relayerId, id, error), error);
      throw error;
    }
  }

  private async replaceContent(relayerId: string, id: string, body: unknown): Promise<TransactionEntity> {
    const members = assertMembers(body);
    await this.relayers.getOrThrow(relayerId);
    // Before the policies decide, so that they decide only about transactions that can be replaced.
    assertUnmined(await this.rows.findOneBy({ id }), 'replace', relayerId, id);
    const { request, validUntil, metadata } = await this.transactions.readReplacement(relayerId, members);
    return this.change(relayerId, id, 'replace', async (row, relayer) => {
      if (row.abandonedAs !== null || row.isFiller) throw beingCanceled();
      if (row.hashes.length >= MAX_ATTEMPTS) throw tooManyAttempts(MAX_ATTEMPTS);
      const reserved = await this.spending.reserveReplacement(relayer, row, request);
      return this.rows.changeProtected(
        row,
        {
          request: { ...reserved, replaced_after: row.hashes.length },
          needsAttempt: true,
          // Until the new content is signed, the transaction shows its newest attempt.
          attempt: row.attempt && { data: dataOf(row.request), ...row.attempt },
          // The new content has not been sent yet.
          signedBlock: null,
          statusReason: null,
          ...(validUntil && { validUntil }),
          ...(metadata && { metadata }),
        },
        relayer,
      );
    });
  }

  /**
   * Sends a no-op with the nonce of a transaction, whose status does not change until one of its attempts is mined.
   * Allowed even if the relayer is paused or disabled, because canceling can only stop something.
   *
   * @throws DomainError `relayer_not_found`, `transaction_not_found`, `invalid_request`
   */
  async cancel(relayerId: string, id: string): Promise<TransactionEntity> {
    return this.change(relayerId, id, 'cancel', async (row, audience) => {
      if (row.isCanceled) return row;
      const after = await this.rows.change(row, cancellationOf(row), audience, true);
      if (!after) throw new Error('A transaction was changed although it was locked');
      return after;
    });
  }

  /** Cancels all transactions of a relayer that have not been mined. @throws DomainError as {@link cancel} */
  async cancelAll(relayerId: string): Promise<CanceledTransactions> {
    await this.relayers.getOrThrow(relayerId);
    const result: CanceledTransactions = { canceled: [], failed: [] };
    const open = await this.rows.repository.find({
      select: { id: true },
      where: { openRelayerId: relayerId, status: In(UNMINED), isCanceled: false, isFiller: false },
      order: { nonce: 'ASC' },
    });
    const ids = open.map(({ id }) => id);
    for (let start = 0; start < ids.length; start += CANCELED_TOGETHER) {
      const some = ids.slice(start, start + CANCELED_TOGETHER);
      const canceled = await this.cancelTogether(some, relayerId);
      result.canceled.push(...some.filter((id) => canceled.has(id)));
      result.failed.push(...some.filter((id) => !canceled.has(id)));
    }
    return result;
  }

  /** @returns the ids of the canceled ones, which excludes those mined meanwhile or altered */
  private async cancelTogether(ids: string[], relayerId: string): Promise<Set<string>> {
    const canceled = await this.unitOfWork.run(async () => {
      const { intact } = await this.rows.findIntact({ where: { id: In(ids) }, lock: 'wait' });
      // With thousands of transactions, or locked ones, the caller may have lost the scope, or the relayer, meanwhile.
      const relayer = await this.check(relayerId, 'cancel');
      const unmined = intact.filter(({ status }) => isUnmined(status));
      const decisions = unmined
        .filter(({ isCanceled }) => !isCanceled)
        .map((row) => ({ row, changes: cancellationOf(row), audience: relayer }));
      const after = await this.rows.changeAll(decisions, true);
      await this.audit.recordAll(after.map((row) => transactionEntry('transaction.cancel', relayer, row)));
      for (const accountId of accountsOf(unmined)) await this.ledger.demand(accountId);
      return unmined;
    });
    for (const accountId of accountsOf(canceled)) this.lanes.wake(accountId, true);
    return new Set(canceled.map(({ id }) => id));
  }

  private async change(
    relayerId: string,
    id: string,
    operation: Operation,
    apply: (row: TransactionEntity, relayer: ActingRelayer) => Promise<TransactionEntity>,
  ): Promise<TransactionEntity> {
    let relayer = await this.check(relayerId, operation);
    const checkedAt = performance.now();
    const changed = await this.unitOfWork.run(async () => {
      const row = await this.rows.findToChange(id);
      if (row && operation === 'replace') await this.ledger.findToChange(row.accountId);
      // The rows may have been locked for seconds.
      if (performance.now() - checkedAt > MAX_DECISION_AGE_MS)
        relayer = await this.check(relayerId, operation);
      assertUnmined(row, operation, relayerId, id);
      const after = await apply(row, relayer);
      if (after !== row)
        await this.audit.record(transactionEntry(`transaction.${operation}`, relayer, after));
      await this.ledger.demand(row.accountId);
      return after;
    });
    this.lanes.wake(changed.accountId, true);
    return changed;
  }

  /** The relayer, if the request may still change its transactions. A cancellation is always allowed. */
  private async check(relayerId: string, operation: Operation): Promise<ActingRelayer> {
    await this.access.recheck('transactions:write');
    return operation === 'replace'
      ? this.relayers.getForSending(relayerId)
      : this.relayers.getOrThrow(relayerId);
  }
}

/** Asserts that a transaction belongs to a relayer and can still be changed. */
function assertUnmined(
  row: TransactionEntity | null,
  operation: Operation,
  relayerId: string,
  id: string,
): asserts row is TransactionEntity {
  if (row?.relayerId !== relayerId) throw transactionNotFound(id);
  if (!isUnmined(row.status)) throw invalidState(operation, row.status);
}

/** If it has expired or failed, a no-op is on its way already, and decides the final status. */
const cancellationOf = ({ abandonedAs }: TransactionEntity): TransactionChanges =>
  abandonedAs === null ? CANCELED : { isCanceled: true };

const dataOf = ({ data }: StoredRequest): string => (typeof data === 'string' ? data : '0x');

const accountsOf = (rows: readonly TransactionEntity[]): Set<string> =>
  new Set(rows.map(({ accountId }) => accountId));
