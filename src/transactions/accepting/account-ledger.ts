import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { RowColumns } from '../../database/integrity/row-columns';
import { UnitOfWork } from '../../database/unit-of-work';
import { type Account, accountId, AccountNonceEntity } from '../account-nonce.entity';

/** The columns that change when a nonce is assigned. */
const ASSIGNED = ['relayerId', 'nextNonce', 'changes', 'dueAt'];
const LOWERED = ['nextNonce', 'lowerings', 'changes', 'dueAt'];

/** The ledgers of accounts. Code that assigns a nonce must hold the lock on the row. */
@Injectable()
export class AccountLedger {
  private columns: RowColumns<AccountNonceEntity> | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<AccountNonceEntity | null> {
    return this.rows.findOneBy({ id });
  }

  /**
   * Locks the ledger of an account until the end of the unit of work, and creates it if the account has none.
   *
   * @param next the nonce that a new ledger starts with
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
      lowerings: 0,
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
    return this.rows.findOne({ where: { id }, ...this.unitOfWork.lockingRows });
  }

  /** Saves the nonces that were assigned from a locked ledger, and makes the account due. */
  assign(ledger: AccountNonceEntity, relayerId: string, nextNonce: number): Promise<void> {
    return this.save(ledger, { relayerId, nextNonce }, ASSIGNED);
  }

  /** Lowers a locked ledger, and makes the account due. Nonces that were read before no longer raise it. */
  lower(ledger: AccountNonceEntity, nextNonce: number): Promise<void> {
    return this.save(ledger, { nextNonce, lowerings: ledger.lowerings + 1 }, LOWERED);
  }

  private async save(
    ledger: AccountNonceEntity,
    changed: Partial<AccountNonceEntity>,
    properties: readonly string[],
  ): Promise<void> {
    const { manager } = this.unitOfWork;
    this.columns ??= new RowColumns(manager.dataSource.getMetadata(AccountNonceEntity));
    const changes = ledger.changes + 1;
    const dueAt = ledger.dueAt ?? new Date();
    const saved = Object.assign(new AccountNonceEntity(), ledger, { ...changed, changes, dueAt });
    const { assignments, values } = this.columns.assignmentsOf(saved, properties);
    // TypeORM puts numbers into the text of an update, so SQLite would have to compile each one.
    await manager.query(`UPDATE ${this.columns.table} SET ${assignments} WHERE id = ?`, [
      ...values,
      ledger.id,
    ]);
  }

  /** Makes the account of a transaction due. An instance that is currently processing it reads it again. */
  async demand(id: string): Promise<void> {
    await this.rows.update({ id }, { changes: () => 'changes + 1' });
    await this.rows.update({ id, dueAt: IsNull() }, { dueAt: new Date() });
  }

  private get rows() {
    return this.unitOfWork.repository(AccountNonceEntity);
  }
}
