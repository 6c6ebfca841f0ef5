import { type DomainError, invalidRequest } from '../common/errors/domain-error';

/**
 * The stored size of a page of relayers, networks, transactions, deliveries or changes. A page by cursor ends there; a
 * larger page by number is refused. @limit Lists and batches
 */
export const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** The failure of a request for a page of a number that has more than {@link MAX_PAGE_BYTES}. */
export const pageTooLarge = (): DomainError =>
  invalidRequest(
    `the page has more than ${MAX_PAGE_BYTES / 1024 ** 2} MiB: request a smaller per_page, or page by cursor`,
  );
