import { Injectable } from '@nestjs/common';
import {
  And,
  type FindOptionsWhere,
  In,
  Between,
  IsNull,
  LessThan,
  MoreThan,
  MoreThanOrEqual,
} from 'typeorm';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { ofAccount, TransactionRows } from '../transaction-rows';
import { isUnmined, UNMINED } from '../transaction-status';
import type { TransactionEntity } from '../transaction.entity';
import { countTogether } from './count-together';
import type { LaneContext } from './lane-context';

/** The number of new transactions that are signed and sent together. */
export const MAX_UNSENT = 64;
/** The number of waiting transactions to read: those that can be mined next. */
const MAX_WAITING = 64;

/** If an account has fewer open transactions than this, they are read at once. */
const FEW = 50;

/** The account of a relayer. */
export type Account = Pick<LaneContext, 'relayer' | 'ledger'>;

/** The open transactions of an account by processing step, lowest nonce first. */
export interface OpenOfAccount {
  /** The nonces of those that are not mined; none if they are read on demand. */
  readonly nonces: readonly number[];
  /**
   * Mined transactions in the order of their nonces, which is the order of their blocks.
   *
   * @param after the nonce of the last one that was read
   */
  mined(limit: number, after: number): Promise<TransactionEntity[]>;
  /** Transactions that are not known to be mined, but whose nonce has been used on the chain; read as `mined`. */
  used(limit: number, after: number): Promise<TransactionEntity[]>;
  /** Transactions that are not mined, and whose nonce has not been used. */
  waiting(): Promise<TransactionEntity[]>;
  /** Whether open transactions may be left. */
  any(): Promise<boolean>;
}

/** Reads the open transactions of an account, but never all of them if there are many. */
@Injectable()
export class OpenTransactions {
  constructor(
    private readonly rows: TransactionRows,
    private readonly integrity: RowIntegrity,
  ) {}

  /**
   * Transactions that are not acknowledged yet, lowest nonce first. @param end the first nonce beyond the limit of
   * transactions in flight
   */
  unsent(context: LaneContext, end: number): Promise<TransactionEntity[]> {
    const nonce = And(MoreThanOrEqual(context.view.nonce), LessThan(end));
    return this.find(context, { status: In(['pending', 'sent']), nonce }, MAX_UNSENT);
  }

  /** Transactions that nothing was signed for, and that do not show why. */
  unexplained(account: Account): Promise<TransactionEntity[]> {
    return this.find(
      account,
      { status: 'pending', statusReason: IsNull(), abandonedAs: IsNull() },
      MAX_UNSENT,
    );
  }

  /** Reads all at once if there are few; otherwise reads each part on demand. */
  async read(context: LaneContext): Promise<OpenOfAccount> {
    const { memory } = context;
    const few = memory.hasMany ? undefined : await this.few(context);
    memory.hasMany = few === undefined;
    return few ? this.among(context, few) : this.byQueries(context);
  }

  private among(context: LaneContext, rows: readonly TransactionEntity[]): OpenOfAccount {
    const isUsed = ({ nonce }: TransactionEntity): boolean => nonce < context.view.nonce;
    const unmined = rows.filter(({ status }) => isUnmined(status));
    const found = (some: TransactionEntity[]) => Promise.resolve(some);
    return {
      nonces: unmined.map(({ nonce }) => nonce),
      mined: (_limit, after) =>
        found(rows.filter(({ status, nonce }) => status === 'mined' && nonce > after)),
      used: (_limit, after) => found(unmined.filter((row) => isUsed(row) && row.nonce > after)),
      waiting: () => found(unmined.filter((row) => !isUsed(row)).slice(0, MAX_WAITING)),
      // Unmined transactions are still open, except those that have just lost their nonce; the next step notices that.
      any: () => (unmined.length > 0 ? Promise.resolve(true) : this.any(context)),
    };
  }

  private byQueries(context: LaneContext): OpenOfAccount {
    const { memory, view } = context;
    return {
      nonces: [],
      mined: (limit, after) => this.findWithin(context, { status: 'mined', nonce: MoreThan(after) }, limit),
      used: (limit, after) =>
        this.findWithin(context, { status: In(UNMINED), nonce: Between(after + 1, view.nonce - 1) }, limit),
      waiting: async () => {
        const unused = { status: In(UNMINED), nonce: MoreThanOrEqual(view.nonce) };
        const waiting = await this.find(context, unused, MAX_WAITING);
        memory.hasMany = waiting.length === MAX_WAITING;
        return waiting;
      },
      any: () => this.any(context),
    };
  }

  private any({ relayer, ledger }: LaneContext): Promise<boolean> {
    return this.rows.repository.existsBy({ openRelayerId: relayer.id, ...ofAccount(ledger.id) });
  }

  /** All open transactions, lowest nonce first; undefined if there are many. */
  private async few(context: LaneContext): Promise<TransactionEntity[] | undefined> {
    // Sorted here, because the index is ordered by status first.
    const { intact, altered } = await this.rows.findIntact({
      where: { openRelayerId: context.relayer.id },
      take: FEW,
    });
    if (intact.length + altered.length === FEW) return undefined;
    return this.ownOf(context, intact).sort((one, other) => one.nonce - other.nonce);
  }

  /** As {@link find}, but fewer if they are large: there may be more even if there are fewer than the limit. */
  private async findWithin(
    context: LaneContext,
    where: FindOptionsWhere<TransactionEntity>,
    limit: number,
  ): Promise<TransactionEntity[]> {
    const open = { ...where, openRelayerId: context.relayer.id };
    return this.find(context, where, await countTogether(this.rows, open, limit));
  }

  private async find(
    account: Account,
    where: FindOptionsWhere<TransactionEntity>,
    limit: number,
  ): Promise<TransactionEntity[]> {
    const { intact } = await this.rows.findIntact({
      where: { ...where, openRelayerId: account.relayer.id },
      order: { nonce: 'ASC' },
      take: limit,
    });
    return this.ownOf(account, intact);
  }

  /**
   * The transactions that were accepted for this relayer and account. The column by which they were found has no MAC, so
   * it may name a relayer with another key and other policies.
   */
  private ownOf({ relayer, ledger }: Account, rows: readonly TransactionEntity[]): TransactionEntity[] {
    return rows.filter(({ id, relayerId, accountId, sender }) => {
      const isOwn = relayerId === relayer.id && accountId === ledger.id && sender === relayer.address;
      if (!isOwn)
        this.integrity.reportAltered('transactions', id, 'is open for a relayer or an account of another');
      return isOwn;
    });
  }
}
