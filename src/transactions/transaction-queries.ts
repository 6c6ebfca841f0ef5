import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, Raw } from 'typeorm';
import { invalidRequest } from '../common/errors/domain-error';
import type { ListPage } from '../common/pagination/list-page';
import { IDENTIFIER } from '../common/validation/fields';
import { createdWithin } from '../database/created-within';
import { LargeRowPages } from '../database/large-row-pages';
import { UnitOfWork } from '../database/unit-of-work';
import { RelayersService } from '../relayers/relayers.service';
import { accountId } from './account-nonce.entity';
import type { TransactionListQuery } from './dto/transaction-list.query';
import { nonceNotFound, transactionNotFound } from './transaction.errors';
import { type ShownAttempt, TransactionRows } from './transaction-rows';
import type { TransactionStatus } from './transaction-status';
import type { TransactionEntity } from './transaction.entity';

type Conditions = FindOptionsWhere<TransactionEntity>;

/** The columns that may be large. */
const LARGE_COLUMNS = ['request', 'attempt', 'hashes', 'revertData'] as const;

/** Reads transactions, regardless of the state of their relayer. */
@Injectable()
export class TransactionQueries {
  private readonly pages: LargeRowPages<TransactionEntity>;

  constructor(
    private readonly relayers: RelayersService,
    private readonly rows: TransactionRows,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.pages = new LargeRowPages({
      repository: () => rows.repository,
      find: (query) => rows.find(query),
      largeColumns: LARGE_COLUMNS,
      order: 'ASC',
      indexOf: ({ status }) => (status ? 'ix_transactions_status' : 'ix_transactions_relayer_id'),
    });
  }

  /** @throws DomainError `relayer_not_found`; `transaction_not_found`, also if it belongs to another relayer */
  async getOrThrow(relayerId: string, id: string): Promise<TransactionEntity> {
    await this.relayers.getOrThrow(relayerId);
    const row = IDENTIFIER.test(id) ? await this.rows.findOneBy({ id, relayerId }) : null;
    if (!row) throw transactionNotFound(id);
    return row;
  }

  /**
   * Reads only the status, for frequent polling: a transaction may have 128 KiB of data. @throws DomainError as {@link
   * getOrThrow}
   */
  async statusOf(relayerId: string, id: string): Promise<TransactionStatus> {
    await this.relayers.getOrThrow(relayerId);
    const select = { id: true, status: true } as const;
    const row = IDENTIFIER.test(id)
      ? await this.rows.repository.findOne({ select, where: { id, relayerId } })
      : null;
    if (!row) throw transactionNotFound(id);
    return row.status;
  }

  /** @throws DomainError `relayer_not_found`, `invalid_request`, `transaction_not_found` */
  async getByNonceOrThrow(relayerId: string, nonce: string): Promise<TransactionEntity> {
    const relayer = await this.relayers.getOrThrow(relayerId);
    const number = /^\d{1,16}$/.test(nonce) ? Number(nonce) : NaN;
    if (!Number.isSafeInteger(number)) throw invalidRequest('nonce must be an integer from 0 to 2^53-1');
    const row = await this.rows.findOneBy({ accountId: accountId(relayer), nonce: number, relayerId });
    if (!row) throw nonceNotFound(nonce);
    return row;
  }

  /** Lists transactions in the order of acceptance. @throws DomainError `relayer_not_found` */
  async list(relayerId: string, query: TransactionListQuery): Promise<ListPage<TransactionEntity>> {
    await this.relayers.getOrThrow(relayerId);
    return this.pages.list([this.conditionsOf(relayerId, query)], query);
  }

  private conditionsOf(relayerId: string, query: TransactionListQuery): Conditions {
    const { status, createdAfter, createdBefore, metadata } = query;
    return {
      relayerId,
      ...(status && { status }),
      ...createdWithin(createdAfter, createdBefore),
      ...(metadata && { metadata: this.metadataWith(metadata) as never }),
    };
  }

  /** A condition on members of the metadata column. */
  private metadataWith(members: Readonly<Record<string, string>>) {
    // MariaDB cannot parse a path to a name that begins with a dash.
    if (this.unitOfWork.locksRows)
      return Raw((column) => `JSON_CONTAINS(${column}, :metadata)`, { metadata: JSON.stringify(members) });
    // The names match METADATA_NAME, so they can be part of the SQL.
    const conditions = Object.keys(members).map(
      (name, i) => (column: string) => `json_extract(${column}, '$."${name}"') = :text${i}`,
    );
    const parameters = Object.fromEntries(Object.values(members).map((text, i) => [`text${i}`, text]));
    return Raw((column) => conditions.map((condition) => condition(column)).join(' AND '), parameters);
  }

  /** @throws DomainError as {@link getOrThrow} */
  async attemptsOf(relayerId: string, id: string): Promise<ShownAttempt[]> {
    const row = await this.getOrThrow(relayerId, id);
    return this.rows.attemptsOf(row.id);
  }
}
