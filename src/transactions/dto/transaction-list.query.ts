import { Injectable, PipeTransform } from '@nestjs/common';
import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { invalidRequest } from '../../common/errors/domain-error';
import { DATE_TIME_SCHEMA, oneOfEnum } from '../../common/openapi/schemas';
import { readChoice, readTime } from '../../common/pagination/page-parameters';
import { PageQuery } from '../../common/pagination/page-query';
import type { PageRequest } from '../../common/pagination/page-request';
import { PageQueryPipe } from '../../common/pagination/page-query.pipe';
import { METADATA_NAME } from '../accepting/accepted-request';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../transaction-status';

const METADATA = 'metadata.';

/** The filters and the page of a list of transactions. */
export class TransactionListQuery extends PageQuery {
  /** Case does not matter. */
  @ApiPropertyOptional(oneOfEnum('TransactionStatus', TRANSACTION_STATUSES))
  status?: TransactionStatus;

  /** Accepted at this time or later. */
  @ApiPropertyOptional({ name: 'created_after', ...DATE_TIME_SCHEMA })
  createdAfter?: Date;

  /** Accepted before this time. */
  @ApiPropertyOptional({ name: 'created_before', ...DATE_TIME_SCHEMA })
  createdBefore?: Date;

  /** By member: `metadata.order=42` for transactions whose metadata has that text. */
  @ApiHideProperty()
  metadata?: Readonly<Record<string, string>>;
}

/** The filters and the part of a list that a caller within the process requests. */
export type TransactionListRequest = PageRequest & Omit<TransactionListQuery, keyof PageQuery>;

/** Reads the filters of a list of transactions; other query parameters are ignored. */
@Injectable()
export class TransactionListPipe implements PipeTransform<Record<string, unknown>, TransactionListQuery> {
  private readonly pages = new PageQueryPipe();

  transform(query: Record<string, unknown>): TransactionListQuery {
    const { status, created_after: after, created_before: before } = query;
    const metadata = Object.entries(query).filter(([name]) => name.startsWith(METADATA));
    return Object.assign(this.pages.transform(query), {
      ...(status !== undefined && { status: readChoice('status', TRANSACTION_STATUSES, lowerCase(status)) }),
      ...(after !== undefined && { createdAfter: readTime('created_after', after) }),
      ...(before !== undefined && { createdBefore: readTime('created_before', before) }),
      ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata.map(readMember)) }),
    });
  }
}

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

function readMember([parameter, value]: [string, unknown]): [string, string] {
  const name = parameter.slice(METADATA.length);
  if (typeof value === 'string' && METADATA_NAME.test(name)) return [name, value];
  throw invalidRequest(
    'metadata.<name> must be given once, with a name of letters, digits, ".", "_" and "-"',
  );
}
