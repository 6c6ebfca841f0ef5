/** Notes that a handler has recorded about its request. */
export interface Metadata {
  logs: { level: string; message: string }[];
  traces: never[];
}

export interface Pagination {
  current_page: number;
  per_page: number;
  total_items: number;
}

export interface CursorPagination {
  /** The `cursor` of the next request; null at the end of the list. */
  next_cursor: string | null;
  per_page: number;
}

/** The form of every JSON response under `/api/v1`, except on routes that skip the envelope. */
export interface Envelope<T> {
  success: boolean;
  data: T | null;
  error: string | null;
  message?: string;
  metadata?: Metadata;
  pagination?: Pagination | CursorPagination;
}

/** @param data null in the response if the handler returns nothing */
export function success<T>(data: T, metadata?: Metadata): Envelope<T> {
  return { success: true, data: data ?? null, error: null, ...(metadata && { metadata }) };
}

/**
 * @param message the short text for this kind of failure
 * @param error what is wrong, in terms that the caller can act on
 */
export function failure(message: string, error: string, metadata?: Metadata): Envelope<never> {
  return { success: false, data: null, error, message, ...(metadata && { metadata }) };
}
