import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, LessThan, MoreThan, MoreThanOrEqual, Raw } from 'typeorm';
import { invalidRequest } from '../common/errors/domain-error';
import { CursorPage } from '../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../common/pagination/list-cursor';
import type { ListPage } from '../common/pagination/list-page';
import { Page } from '../common/pagination/page';
import { DEFAULT_PER_PAGE } from '../common/pagination/page-query';
import { IDENTIFIER } from '../common/validation/fields';
import type { RowQuery } from '../database/integrity/protected-rows';
import { UnitOfWork } from '../database/unit-of-work';
import { RelayersService } from '../relayers/relayers.service';
import type { TransactionListQuery } from './dto/transaction-list.query';
import { nonceNotFound, transactionNotFound } from './transaction.errors';
import { type ShownAttempt, TransactionRows } from './transaction-rows';
import type { TransactionStatus } from './transaction-status';
import type { TransactionEntity } from './transaction.entity';

type Conditions = FindOptionsWhere<TransactionEntity>;

/** A part of a list. */
type Place = Omit<RowQuery<TransactionEntity>, 'lock'> & { take: number };

/**
 * The stored size of the transactions of a page. A page by cursor ends there; a larger page by number is refused.
 * @limit Transactions
 */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** The columns that may be large. */
const LARGE_COLUMNS = ['request', 'attempt', 'hashes', 'revertData'];

const ORDER = { createdAt: 'ASC', id: 'ASC' } as const;

/** Reads transactions, regardless of the state of their relayer. */
@Injectable()
export class TransactionQueries {
  constructor(
    private readonly relayers: RelayersService,
    private readonly rows: TransactionRows,
    private readonly unitOfWork: UnitOfWork,
  ) {}

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
    const accountId = `${relayer.networkType}:${relayer.chainId}:${relayer.address}`;
    const row = await this.rows.findOneBy({ accountId, nonce: number, relayerId });
    if (!row) throw nonceNotFound(nonce);
    return row;
  }

  /** Lists transactions in the order of acceptance. @throws DomainError `relayer_not_found` */
  async list(relayerId: string, query: TransactionListQuery): Promise<ListPage<TransactionEntity>> {
    await this.relayers.getOrThrow(relayerId);
    const where = this.conditionsOf(relayerId, query);
    return query.cursor === undefined ? this.page(where, query) : this.after(where, query.cursor, query);
  }

  private async page(where: Conditions, query: TransactionListQuery): Promise<Page<TransactionEntity>> {
    const { page, per_page: perPage } = query;
    const skip = (page - 1) * perPage;
    const isEmpty = perPage === 0 || !Number.isSafeInteger(skip);
    const [found, total] = await Promise.all([
      isEmpty ? [] : this.readPage({ where, order: ORDER, skip, take: perPage }),
      this.rows.repository.countBy(where),
    ]);
    return new Page(found, page, perPage, total);
  }

  /**
   * @throws DomainError `invalid_request` if the page is too large, because a partial page would look like the last one
   */
  private async readPage(place: Place): Promise<TransactionEntity[]> {
    if ((await this.countWithin(place)) < place.take)
      throw invalidRequest(
        `the page has more than ${MAX_PAGE_BYTES / 1024 ** 2} MiB: request a smaller per_page, or page by cursor`,
      );
    return this.rows.find(place);
  }

  /** How many of these transactions fit into a page: at least one, and at most `take`. */
  private async countWithin(place: Place): Promise<number> {
    const { take } = place;
    // The default number always fits.
    if (take <= DEFAULT_PER_PAGE) return take;
    const size = LARGE_COLUMNS.map((column) => `COALESCE(OCTET_LENGTH(listed.${column}), 0)`).join(' + ');
    const sizes = await this.rows.repository
      .createQueryBuilder('listed')
      .select([])
      .setFindOptions(place)
      .addSelect(size, 'size')
      .getRawMany<{ size: number | string }>();
    let bytes = 0;
    const end = sizes.findIndex((row) => (bytes += Number(row.size)) > MAX_PAGE_BYTES);
    return end < 0 ? take : Math.max(end, 1);
  }

  private async after(
    where: Conditions,
    cursor: ListCursor | null,
    query: TransactionListQuery,
  ): Promise<CursorPage<TransactionEntity>> {
    const { per_page: perPage } = query;
    const following = cursor
      ? [
          { ...where, createdAt: And(...timesOf(query), MoreThan(cursor.createdAt)) },
          // The cursor's own time satisfies any filter by time that its page satisfied.
          { ...where, createdAt: cursor.createdAt, id: MoreThan(cursor.id) },
        ]
      : where;
    const count = await this.countWithin({ where: following, order: ORDER, take: perPage });
    const found = await this.rows.find({ where: following, order: ORDER, take: count + 1 });
    const items = found.slice(0, count);
    const last = found.length > count ? (items.at(-1) ?? cursor) : undefined;
    return new CursorPage(items, perPage, last ? formatCursor(last) : null);
  }

  private conditionsOf(relayerId: string, query: TransactionListQuery): Conditions {
    const { status, metadata } = query;
    const times = timesOf(query);
    return {
      relayerId,
      ...(status && { status }),
      ...(times.length > 0 && { createdAt: And(...times) }),
      ...(metadata && { metadata: this.metadataWith(metadata) as never }),
    };
  }

  /**
   * A condition on members of the metadata column. The names match {@link METADATA_NAME}, so they can be part of the
   * SQL. As texts, MySQL and MariaDB would ignore spaces at their ends.
   */
  private metadataWith(members: Readonly<Record<string, string>>) {
    const conditions = Object.keys(members).map((name, i) =>
      this.unitOfWork.locksRows
        ? (column: string) =>
            `CAST(JSON_UNQUOTE(JSON_EXTRACT(${column}, '$."${name}"')) AS BINARY) = CAST(:text${i} AS BINARY)`
        : (column: string) => `json_extract(${column}, '$."${name}"') = :text${i}`,
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

const timesOf = ({ createdAfter, createdBefore }: TransactionListQuery) => [
  ...(createdAfter ? [MoreThanOrEqual(createdAfter)] : []),
  ...(createdBefore ? [LessThan(createdBefore)] : []),
];
