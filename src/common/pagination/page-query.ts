import { ApiPropertyOptional } from '@nestjs/swagger';

export const MAX_PER_PAGE = 1000;
export const DEFAULT_PER_PAGE = 10;

/** The part of a list that the caller requests. */
export class PageQuery {
  /** Starts at 1; 0 means 1. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, default: 1, example: 1 })
  page!: number;

  /** Items on a page; 0 returns an empty list with the true total. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_PER_PAGE,
    default: DEFAULT_PER_PAGE,
    example: 10,
  })
  per_page!: number;
}
