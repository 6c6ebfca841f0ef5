import { Injectable, Logger } from '@nestjs/common';
import { type FindOptionsWhere, LessThan, MoreThanOrEqual, Not } from 'typeorm';
import { OngoingAccess } from '../access/ongoing-access';
import { AuditLog } from '../audit/audit-log';
import { UnitOfWork } from '../database/unit-of-work';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { RelayersService } from '../relayers/relayers.service';
import { AccountLedger } from './accepting/account-ledger';
import { NonceEvents } from './nonce-events';
import { nonceSynced } from './transaction-audit';
import { TransactionMetrics } from './transaction.metrics';
import { type Move, TransactionRows } from './transaction-rows';
import type { TransactionEntity } from './transaction.entity';

/** The number of requests that are read and moved together; each may have 128 KiB of data. */
const MOVED_TOGETHER = 50;

interface Lowered {
  chainId: string;
  from: number;
  to: number;
}

/** The result of one database transaction. */
interface Step {
  /** The nonce to continue from. */
  next?: number;
  lowered?: Lowered;
}

/** Lowers the ledger of an account that a faulty node has raised too far. */
@Injectable()
export class NonceLowering {
  private readonly logger = new Logger(NonceLowering.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: TransactionRows,
    private readonly ledger: AccountLedger,
    private readonly events: NonceEvents,
    private readonly metrics: TransactionMetrics,
    private readonly audit: AuditLog,
    private readonly access: OngoingAccess,
    private readonly relayers: RelayersService,
  ) {}

  /**
   * Lowers the ledger to the nonce on the chain, or to the nonce after the highest one that anything was signed with.
   * Requests with higher nonces, for which nothing was signed, move down in order, so no nonce is used for two
   * transactions. They move a few at a time, so that others wait only briefly for the lock on the ledger. If
   * interrupted, it continues when it is called again. Each step is recorded in the audit log.
   *
   * @returns whether the ledger was lowered
   * @throws DomainError `unauthorized`, `forbidden`, `relayer_not_found` if the caller loses its rights meanwhile
   */
  async lower(id: string, relayer: ActingRelayer, chainNonce: number): Promise<boolean> {
    const first = Math.max(chainNonce, await this.signedEnd(id));
    let from: number | undefined = first;
    while (from !== undefined) {
      const start: number = from;
      const step: Step = await this.unitOfWork.run(() => this.lowerOnce(id, relayer, first, start));
      if (step.lowered) {
        this.report(id, step.lowered);
        return true;
      }
      from = step.next;
    }
    return false;
  }

  /**
   * Moves some requests down, beginning with the lowest nonce from `from` on. After the last of them, the ledger is
   * lowered.
   */
  private async lowerOnce(id: string, relayer: ActingRelayer, first: number, from: number): Promise<Step> {
    const ledger = await this.ledger.findToChange(id);
    // With thousands of requests, or a locked ledger, the caller may have lost the scope, or the relayer, meanwhile.
    await this.access.recheck('transactions:write');
    await this.relayers.getOrThrow(relayer.id);
    if (!ledger) return {};
    const rows = await this.rows.find({
      where: { accountId: id, nonce: MoreThanOrEqual(from) },
      order: { nonce: 'ASC' },
      take: MOVED_TOGETHER,
      lock: 'wait',
    });
    // One of them was signed meanwhile, so the ledger cannot go below its nonce.
    if (rows.some(({ status }) => status !== 'pending')) return {};
    const to = Math.max(first, await this.endOf({ accountId: id, nonce: LessThan(from) }));
    const moves = movesTo(to, rows);
    await this.rows.renumber(moves, relayer);
    const { nextNonce, chainId } = ledger;
    const last = rows.at(-1);
    const isLast = !last || rows.length < MOVED_TOGETHER;
    const end = isLast ? Math.min(to + rows.length, nextNonce) : nextNonce;
    if (moves.length > 0 || end < nextNonce)
      await this.audit.record(nonceSynced(relayer, { before: nextNonce, after: end }, moves));
    if (!isLast) return { next: last.nonce + 1 };
    if (end === nextNonce) return {};
    await this.ledger.lower(ledger, end);
    await this.events.record(ledger, relayer, { kind: 'lowered', from: nextNonce, to: end });
    return { lowered: { chainId, from: nextNonce, to: end } };
  }

  private report(account: string, { chainId, from, to }: Lowered): void {
    this.metrics.countRepair(chainId, 'lowered');
    this.logger.warn('The ledger was lowered', { account, from, to });
  }

  /** The nonce after the highest one that anything was, or may have been, signed with. */
  private signedEnd(accountId: string): Promise<number> {
    return this.endOf({ accountId, status: Not('pending') });
  }

  private async endOf(where: FindOptionsWhere<TransactionEntity>): Promise<number> {
    const highest = await this.rows.repository.findOne({
      select: { id: true, nonce: true },
      where,
      order: { nonce: 'DESC' },
    });
    return highest ? highest.nonce + 1 : 0;
  }
}

/** Assigns consecutive nonces from `first` on, omitting rows that already have theirs. */
const movesTo = (first: number, rows: readonly TransactionEntity[]): Move[] =>
  rows
    .map((row, i) => ({
      row,
      nonce: first + i,
      statusReason:
        row.statusReason ?? `The nodes reported a nonce that was too high; continues with nonce ${first + i}`,
    }))
    .filter(({ row, nonce }) => row.nonce !== nonce);
