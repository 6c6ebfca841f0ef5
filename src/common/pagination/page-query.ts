import { ApiPropertyOptional } from '@nestjs/swagger';
import type { ListCursor } from './list-cursor';

/** Items of a page of a list (`per_page`). @limit Lists and batches */
export const MAX_PER_PAGE = 1000;
/** Items of a page if `per_page` is omitted. @limit Lists and batches */
export const DEFAULT_PER_PAGE = 10;

/** The OpenAPI schema of `per_page`. */
export const PER_PAGE_SCHEMA = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_PER_PAGE,
  default: DEFAULT_PER_PAGE,
  example: 10,
} as const;

/** The part of a list that the caller requests. */
export class PageQuery {
  /** Starts at 1; 0 means 1. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    example: 1,
  })
  page!: number;

  /** Items on a page; 0 returns an empty list with the true total. */
  @ApiPropertyOptional(PER_PAGE_SCHEMA)
  per_page!: number;

  /**
   * Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
   * page, then the `next_cursor` of the previous response. Not together with `page`.
   */
  @ApiPropertyOptional({ type: String, nullable: false })
  cursor?: ListCursor | null;
}
