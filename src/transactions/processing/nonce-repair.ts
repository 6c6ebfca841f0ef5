import { Injectable, Logger } from '@nestjs/common';
import { Between } from 'typeorm';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { isAcknowledged } from '../../chains/send-cause';
import type { OutgoingAttempt } from '../../chains/transaction-chain';
import { orOn } from '../../common/errors/or-on';
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
import { UnownedNonces } from './unowned-nonces';

/** The number of nonces that are compared, beginning with the next one on the chain. */
const MAX_REPAIRED = 100;

/** A final transaction that has disappeared from the chain. */
interface Lost {
  row: TransactionEntity;
  /** What may be sent again; undefined if there is nothing. */
  attempt: OutgoingAttempt | undefined;
}

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
    private readonly unowned: UnownedNonces,
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
      // If it was lowered since the chain was read, the nonce may be the one that was wrong.
      if (locked?.lowerings !== ledger.lowerings || locked.nextNonce >= nonce) return false;
      await this.ledger.assign([{ ledger: locked, relayerId: locked.relayerId, nextNonce: nonce }]);
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
   * fillers than the chain can include next; if the ledger is far ahead, there are none.
   *
   * @param known nonces of which the step has read that they have an open owner
   * @returns whether they agree
   */
  async compare(context: LaneContext, known: readonly number[] = []): Promise<boolean> {
    const { ledger, relayer, view, memory } = context;
    const end = Math.min(ledger.nextNonce, view.nonce + MAX_REPAIRED);
    const where = {
      openRelayerId: relayer.id,
      accountId: ledger.id,
      nonce: Between(view.nonce, end - 1),
    };
    const expected = end - view.nonce;
    const ofThese = known.filter((nonce) => nonce >= view.nonce && nonce < end).length;
    if (ofThese >= expected || (await this.rows.repository.countBy(where)) >= expected) {
      memory.agreed();
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
   * sent again; other nonces get a filler, and so does the next one if its transaction is not mined again for a long
   * time. Nonces that most endpoints report as used are left as they are.
   *
   * @returns whether every nonce has an owner
   */
  private async repair(context: LaneContext, missing: readonly number[]): Promise<boolean> {
    const { ledger, view, memory } = context;
    if (missing.length === 0) {
      memory.agreed();
      return true;
    }
    if (!memory.hasLasted('gap', view.head)) return false;
    memory.settled('gap');
    const current = await this.agreedContext(context);
    if (!current || (await this.unowned.areTooMany(current))) return false;
    // One endpoint may lag behind for a long time, and nonces that were used need no filler.
    const unused = missing.filter((nonce) => nonce >= current.view.nonce);
    if (unused.length === 0) return false;
    const owners = await this.ownersOf(ledger.id, unused);
    const lost = await Promise.all(
      owners.filter(({ status }) => isFinal(status)).map((row) => this.lost(current, row)),
    );
    const resent = await this.resend(current, lost);
    const filled = await this.fill(
      current,
      unused.filter((nonce) => !owners.some((row) => row.nonce === nonce)),
      lost.flatMap(({ row, attempt }) => (attempt ? [] : [row])),
    );
    this.logger.warn('Nonces had no owner', { account: ledger.id, resent, filled });
    return false;
  }

  /**
   * The same with the next nonce that most endpoints report that follow the chain, if it is higher; undefined while too
   * few respond. Only the repair waits for them.
   */
  private async agreedContext(context: LaneContext): Promise<LaneContext | undefined> {
    const { chain, ledger, view } = context;
    const agreed = await orOn(RpcUnavailableError, undefined, () => chain.agreedCurrentNonce(ledger.address));
    return agreed === undefined
      ? undefined
      : { ...context, view: { ...view, nonce: Math.max(view.nonce, agreed) } };
  }

  /** Lowest nonce first. */
  private async ownersOf(accountId: string, nonces: readonly number[]): Promise<TransactionEntity[]> {
    const first = nonces[0] ?? 0;
    const found = await this.rows.find({
      where: { accountId, nonce: Between(first, nonces.at(-1) ?? first) },
      order: { nonce: 'ASC' },
    });
    return found.filter(({ nonce }) => nonces.includes(nonce));
  }

  private async lost({ view, memory }: LaneContext, row: TransactionEntity): Promise<Lost> {
    const { id, inclusion, attempt } = row;
    if (row.nonce === view.nonce && memory.waits.isLost(row.nonce, view.head))
      return { row, attempt: undefined };
    // A request that was ended without being mined must not be executed now, nor one that failed: the client may have
    // sent it again as another.
    const hasFailed = row.status === 'failed' && inclusion?.succeeded === false;
    if ((!inclusion && attempt?.kind !== 'noop') || hasFailed) return { row, attempt: undefined };
    // On some chains the hash in the block is not that of the attempt.
    for (const hash of [inclusion?.hash, attempt?.hash]) {
      const raw = hash === undefined ? null : await this.rows.bytesOf(id, hash);
      if (hash !== undefined && raw !== null) return { row, attempt: { raw, hash } };
    }
    return { row, attempt: undefined };
  }

  private async resend(context: LaneContext, lost: readonly Lost[]): Promise<number[]> {
    const { chain, ledger } = context;
    const resent: number[] = [];
    for (const { row, attempt } of lost) {
      if (!attempt) continue;
      const [cause = 'unavailable'] = await chain.send([attempt], isPrivate(context, row));
      this.metrics.countSend(row, cause);
      if (isAcknowledged(cause)) resent.push(row.nonce);
      else break;
    }
    this.metrics.countRepair(ledger.chainId, 'resent', resent.length);
    await this.reportResent(context, resent);
    return resent;
  }

  /** Reports each nonce only once, although its bytes are sent repeatedly until they are mined. */
  private async reportResent(
    { ledger, relayer, view, memory }: LaneContext,
    resent: readonly number[],
  ): Promise<void> {
    const nonces = memory.waits.unreported(resent, view.nonce);
    if (nonces.length === 0) return;
    await this.unitOfWork.run(() => this.events.record(ledger, relayer, { kind: 'resent', nonces }));
    memory.waits.reported(nonces);
  }

  /**
   * Stores fillers.
   *
   * @param nonces those without any owner
   * @param ended final transactions that cannot be sent again, which lose their nonces
   */
  private async fill(
    { ledger, relayer }: LaneContext,
    nonces: readonly number[],
    ended: readonly TransactionEntity[],
  ): Promise<number[]> {
    const all = [...nonces, ...ended.map(({ nonce }) => nonce)].sort((one, other) => one - other);
    if (all.length === 0) return [];
    const fillers = all.map((nonce) =>
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
      const owned = due.map(({ nonce }) => nonce);
      await this.free(ended.filter(({ nonce }) => owned.includes(nonce)));
      await this.rows.insert([{ rows: due, audience: relayer }]);
      await this.events.record(ledger, relayer, { kind: 'gap_filled', nonces: owned });
      return owned;
    });
    this.metrics.countRepair(ledger.chainId, 'gap_filled', filled.length);
    return filled;
  }

  private async free(ended: readonly TransactionEntity[]): Promise<void> {
    for (const { id, nonce } of ended) {
      const row = await this.rows.findToChange(id);
      if (row?.nonce === nonce && isFinal(row.status)) await this.rows.freeNonce(row);
    }
  }
}
