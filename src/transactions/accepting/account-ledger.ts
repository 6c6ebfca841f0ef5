import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work';
import { type Account, accountId, AccountNonceEntity } from '../account-nonce.entity';

/** The ledgers of accounts. What assigns a nonce holds the lock of the row. */
@Injectable()
export class AccountLedger {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<AccountNonceEntity | null> {
    return this.rows.findOneBy({ id });
  }

  /**
   * Locks the ledger of an account until the end of the unit of work; creates it where the account has none yet.
   *
   * @param next the nonce that a new ledger begins with
   */
  async lock(account: Account, relayerId: string, next: number): Promise<AccountNonceEntity> {
    const id = accountId(account);
    const found = await this.findToChange(id);
    if (found) return found;
    await this.rows.insert({
      id,
      ...account,
      relayerId,
      nextNonce: next,
      changes: 0,
      dueAt: null,
      comparedAt: null,
      createdAt: new Date(),
    });
    const created = await this.findToChange(id);
    if (!created) throw new Error(`The ledger of ${id} was not created`);
    return created;
  }

  /** Locks the ledger of an account until the end of the unit of work. */
  findToChange(id: string): Promise<AccountNonceEntity | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return this.rows.findOne({ where: { id }, ...(this.unitOfWork.locksRows && { lock }) });
  }

  /** Saves what was assigned from a locked ledger, and has the account processed. */
  async assign(ledger: AccountNonceEntity, relayerId: string, nextNonce: number): Promise<void> {
    await this.rows.update(
      { id: ledger.id },
      { relayerId, nextNonce, changes: ledger.changes + 1, ...(!ledger.dueAt && { dueAt: new Date() }) },
    );
  }

  /** Has the account of a transaction processed, and whoever does so now read it again. */
  async demand(id: string): Promise<void> {
    await this.rows.update({ id }, { changes: () => 'changes + 1' });
    await this.rows.update({ id, dueAt: IsNull() }, { dueAt: new Date() });
  }

  private get rows() {
    return this.unitOfWork.repository(AccountNonceEntity);
  }
}
