import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, In, LessThan, MoreThan, MoreThanOrEqual, Raw } from 'typeorm';
import { TransactionRows } from '../transaction-rows';
import { UNMINED } from '../transaction-status';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

/** New transactions that are signed and sent together. */
const MAX_UNSENT = 64;
/** Transactions that are looked for on the chain together. */
const MAX_USED = 400;
/** Of those that wait, the ones that can be mined next. */
const MAX_WAITING = 64;

/** Reads the open transactions of an account by what is to be done with them, lowest nonce first; never all of them. */
@Injectable()
export class OpenTransactions {
  constructor(private readonly rows: TransactionRows) {}

  /** Not acknowledged yet. @param end the first nonce that would be one too many in flight */
  unsent(context: LaneContext, end: number): Promise<TransactionEntity[]> {
    const nonce = And(MoreThanOrEqual(context.view.nonce), LessThan(end));
    return this.find(context, { status: In(['pending', 'sent']), nonce }, MAX_UNSENT);
  }

  /** Not known to be mined, with nonces that something on the chain has used. */
  used(context: LaneContext): Promise<TransactionEntity[]> {
    return this.find(context, { status: In(UNMINED), nonce: LessThan(context.view.nonce) }, MAX_USED);
  }

  /** Not mined, with nonces that are not used. */
  waiting(context: LaneContext): Promise<TransactionEntity[]> {
    const nonce = MoreThanOrEqual(context.view.nonce);
    return this.find(context, { status: In(UNMINED), nonce }, MAX_WAITING);
  }

  /**
   * Mined, in the order of their nonces, which is that of their blocks.
   *
   * @param after the nonce of the last one that was read
   */
  mined(context: LaneContext, limit: number, after: number): Promise<TransactionEntity[]> {
    return this.find(context, { status: 'mined', nonce: MoreThan(after) }, limit);
  }

  /** Whether the account has any. */
  any({ relayer, ledger }: LaneContext): Promise<boolean> {
    // As an expression, so that no database prefers the index of the account, which has its whole history.
    const accountId = Raw((column) => `COALESCE(${column}, '') = :account`, { account: ledger.id });
    return this.rows.repository.existsBy({ openRelayerId: relayer.id, accountId });
  }

  private async find(
    { relayer, ledger }: LaneContext,
    where: FindOptionsWhere<TransactionEntity>,
    limit: number,
  ): Promise<TransactionEntity[]> {
    const { intact } = await this.rows.findIntact({
      where: { ...where, openRelayerId: relayer.id },
      order: { nonce: 'ASC' },
      take: limit,
    });
    return intact.filter(({ accountId }) => accountId === ledger.id);
  }
}
