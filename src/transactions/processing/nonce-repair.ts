import { Injectable, Logger } from '@nestjs/common';
import { Between } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work';
import { newTransaction } from '../new-transaction';
import { AccountLedger } from '../accepting/account-ledger';
import { NonceEvents } from '../nonce-events';
import { isFinal } from '../transaction-status';
import { TransactionMetrics } from '../transaction.metrics';
import { TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';
import { isPrivate } from './private-sending';

/** The number of nonces that are compared, beginning with the next one on the chain. */
const MAX_REPAIRED = 100;

/**
 * Compares the ledger of an account with the chain. Each nonce from the next one on the chain to the next one in the
 * ledger must have an owner that is being processed.
 */
@Injectable()
export class NonceRepair {
  private readonly logger = new Logger(NonceRepair.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: TransactionRows,
    private readonly ledger: AccountLedger,
    private readonly events: NonceEvents,
    private readonly metrics: TransactionMetrics,
  ) {}

  /**
   * Raises the ledger to the nonce on the chain, if the account was used elsewhere while no transaction was open.
   *
   * @returns whether it was raised
   */
  async raise({ ledger, relayer, view, memory }: LaneContext): Promise<boolean> {
    // The accepted nonce may be higher than the one that nodes report now.
    const nonce = Math.min(view.nonce, view.reported);
    if (nonce <= ledger.nextNonce) {
      memory.settled('raise');
      return false;
    }
    if (!memory.hasLasted('raise', view.head)) return false;
    memory.settled('raise');
    const isRaised = await this.unitOfWork.run(async () => {
      const locked = await this.ledger.findToChange(ledger.id);
      if (!locked || locked.nextNonce >= nonce) return false;
      await this.ledger.assign(locked, locked.relayerId, nonce);
      await this.events.record(ledger, relayer, { kind: 'raised', from: locked.nextNonce, to: nonce });
      return true;
    });
    if (isRaised) {
      this.metrics.countRepair(ledger.chainId, 'raised');
      this.logger.warn('The account was used elsewhere; the ledger follows the chain', {
        account: ledger.id,
        from: ledger.nextNonce,
        to: nonce,
      });
    }
    return isRaised;
  }

  /**
   * Compares ledger and chain for the nonces that can be used next, and repairs differences. Thus there are never more
   * fillers than the chain can include next, however far the ledger is ahead.
   *
   * @returns whether they agree
   */
  async compare(context: LaneContext): Promise<boolean> {
    const { ledger, relayer, view, memory } = context;
    const end = Math.min(ledger.nextNonce, view.nonce + MAX_REPAIRED);
    const where = {
      openRelayerId: relayer.id,
      accountId: ledger.id,
      nonce: Between(view.nonce, end - 1),
    };
    const owned = await this.rows.repository.countBy(where);
    if (owned >= end - view.nonce) {
      memory.settled('gap');
      memory.resent.clear();
      return true;
    }
    const open = await this.rows.repository.find({ select: { id: true, nonce: true }, where });
    const owners = new Set(open.map(({ nonce }) => nonce));
    const missing: number[] = [];
    for (let nonce = view.nonce; nonce < end; nonce += 1) if (!owners.has(nonce)) missing.push(nonce);
    return this.repair(context, missing);
  }

  /**
   * Repairs nonces without an open owner: if a final transaction has disappeared from the chain, its stored bytes are
   * sent again; other nonces get a filler.
   *
   * @returns whether every nonce has an owner
   */
  private async repair(context: LaneContext, missing: readonly number[]): Promise<boolean> {
    const { ledger, view, memory } = context;
    if (missing.length === 0) {
      memory.settled('gap');
      memory.resent.clear();
      return true;
    }
    if (!memory.hasLasted('gap', view.head)) return false;
    memory.settled('gap');
    const owners = await this.ownersOf(ledger.id, missing);
    const lost = missing.flatMap((nonce) => {
      const owner = owners.get(nonce);
      return owner && isFinal(owner.status) ? [owner] : [];
    });
    const resent = await this.resend(context, lost);
    const filled = await this.fill(
      context,
      missing.filter((nonce) => !owners.has(nonce)),
    );
    this.logger.warn('Nonces had no owner', { account: ledger.id, resent, filled });
    return false;
  }

  private async ownersOf(
    accountId: string,
    nonces: readonly number[],
  ): Promise<Map<number, TransactionEntity>> {
    const first = nonces[0] ?? 0;
    const found = await this.rows.find({
      where: { accountId, nonce: Between(first, nonces.at(-1) ?? first) },
    });
    return new Map(found.map((row) => [row.nonce, row]));
  }

  private async resend(context: LaneContext, rows: readonly TransactionEntity[]): Promise<number[]> {
    const { chain, ledger } = context;
    const resent: number[] = [];
    for (const row of [...rows].sort((a, b) => a.nonce - b.nonce)) {
      const { hash = row.attempt?.hash } = row.inclusion ?? {};
      const raw = hash === undefined ? null : await this.rows.bytesOf(row.id, hash);
      if (raw === null || hash === undefined) continue;
      const [cause = 'unavailable'] = await chain.send([{ raw, hash }], isPrivate(context, row));
      this.metrics.countSend(row, cause);
      if (cause === 'accepted' || cause === 'already_known') resent.push(row.nonce);
      else break;
    }
    this.metrics.countRepair(ledger.chainId, 'resent', resent.length);
    await this.reportResent(context, resent);
    return resent;
  }

  /** Reports each nonce only once, although its bytes are sent repeatedly until they are mined. */
  private async reportResent(
    { ledger, relayer, memory }: LaneContext,
    resent: readonly number[],
  ): Promise<void> {
    const nonces = resent.filter((nonce) => !memory.resent.has(nonce));
    if (nonces.length === 0) return;
    await this.unitOfWork.run(() => this.events.record(ledger, relayer, { kind: 'resent', nonces }));
    for (const nonce of nonces) memory.resent.add(nonce);
  }

  private async fill({ ledger, relayer }: LaneContext, nonces: readonly number[]): Promise<number[]> {
    if (nonces.length === 0) return [];
    const fillers = nonces.map((nonce) =>
      newTransaction({
        accountId: ledger.id,
        relayerId: relayer.id,
        sender: ledger.address,
        nonce,
        request: {},
        isFiller: true,
        statusReason: `Fills nonce ${nonce}, which had no owner`,
      }),
    );
    const filled = await this.unitOfWork.run(async () => {
      const locked = await this.ledger.findToChange(ledger.id);
      // The ledger may have been lowered meanwhile; nonces beyond it will be assigned to requests.
      const due = fillers.filter(({ nonce }) => nonce < (locked?.nextNonce ?? 0));
      if (due.length === 0) return [];
      await this.rows.insert(due, relayer);
      const owned = due.map(({ nonce }) => nonce);
      await this.events.record(ledger, relayer, { kind: 'gap_filled', nonces: owned });
      return owned;
    });
    this.metrics.countRepair(ledger.chainId, 'gap_filled', filled.length);
    return filled;
  }
}
