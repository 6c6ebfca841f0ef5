import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { RowColumns } from '../../database/integrity/row-columns';
import { placeholders } from '../../database/placeholders';
import { UnitOfWork } from '../../database/unit-of-work';
import { type Account, accountId, AccountNonceEntity } from '../account-nonce.entity';

/** The columns that change when a nonce is assigned. */
const ASSIGNED = ['relayerId', 'nextNonce', 'changes', 'dueAt'];
const LOWERED = ['nextNonce', 'lowerings', 'changes', 'dueAt'];

/** The account of a relayer. */
export interface AccountOfRelayer {
  account: Account;
  relayerId: string;
  /** The nonce that a new ledger starts with. */
  next: number;
}

/** The next nonce to be stored in a locked ledger. */
export interface AssignedNonce {
  ledger: AccountNonceEntity;
  relayerId: string;
  nextNonce: number;
}

/** The ledgers of accounts. Code that assigns a nonce must hold the lock on the row. */
@Injectable()
export class AccountLedger {
  private columns: RowColumns<AccountNonceEntity> | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  find(id: string): Promise<AccountNonceEntity | null> {
    return this.rows.findOneBy({ id });
  }

  /**
   * Locks the ledgers of accounts until the end of the unit of work, and creates those that do not exist yet.
   *
   * @param accounts in the order of their ids, so that two instances that lock several ledgers do not deadlock
   * @returns the ledgers in the same order
   */
  async lockAll(accounts: readonly AccountOfRelayer[]): Promise<AccountNonceEntity[]> {
    const found = await this.rows.find({
      where: { id: In(accounts.map(({ account }) => accountId(account))) },
      order: { id: 'ASC' },
      ...this.unitOfWork.lockingRows,
    });
    const byId = new Map(found.map((ledger) => [ledger.id, ledger]));
    const ledgers: AccountNonceEntity[] = [];
    for (const each of accounts) ledgers.push(byId.get(accountId(each.account)) ?? (await this.create(each)));
    return ledgers;
  }

  private async create({ account, relayerId, next }: AccountOfRelayer): Promise<AccountNonceEntity> {
    const id = accountId(account);
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

  /** Saves the nonces that were assigned from locked ledgers, and makes the accounts due. */
  async assign(assigned: readonly AssignedNonce[]): Promise<void> {
    if (assigned.length === 0) return;
    const ledgers = assigned.map(({ ledger, relayerId, nextNonce }) =>
      changed(ledger, { relayerId, nextNonce }),
    );
    await this.save(ledgers, ASSIGNED);
  }

  /** Lowers a locked ledger, and makes the account due. Nonces that were read before no longer raise it. */
  lower(ledger: AccountNonceEntity, nextNonce: number): Promise<void> {
    return this.save([changed(ledger, { nextNonce, lowerings: ledger.lowerings + 1 })], LOWERED);
  }

  private async save(ledgers: readonly AccountNonceEntity[], properties: readonly string[]): Promise<void> {
    const { manager } = this.unitOfWork;
    this.columns ??= new RowColumns(manager.dataSource.getMetadata(AccountNonceEntity));
    const { assignments, values } = this.columns.assignmentsOfAll(ledgers, properties);
    const ids = ledgers.map(({ id }) => id);
    // TypeORM puts numbers into the text of an update, so SQLite would have to compile each one.
    await manager.query(
      `UPDATE ${this.columns.table} SET ${assignments} WHERE id IN (${placeholders(ids)})`,
      [...values, ...ids],
    );
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

const changed = (ledger: AccountNonceEntity, changes: Partial<AccountNonceEntity>): AccountNonceEntity =>
  Object.assign(new AccountNonceEntity(), ledger, changes, {
    changes: ledger.changes + 1,
    dueAt: ledger.dueAt ?? new Date(),
  });
