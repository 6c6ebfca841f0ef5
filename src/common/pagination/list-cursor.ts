import { invalidRequest } from '../errors/domain-error';
import { MAX_TIME } from '../validation/rfc3339';

/** A position in a list: after the row with this creation time and id. */
export interface ListCursor {
  createdAt: Date;
  id: string;
}

const CURSOR = /^(\d{1,15}):(.+)$/s;

/** The cursor in the form that callers see: opaque, and safe in a URL. */
export function formatCursor({ createdAt, id }: ListCursor): string {
  return Buffer.from(`${createdAt.getTime()}:${id}`).toString('base64url');
}

/**
 * @param ids the form of the ids in the list
 * @throws DomainError `invalid_request` for a text that {@link formatCursor} did not return
 */
export function parseCursor(text: unknown, ids = /^.+$/s): ListCursor {
  const decoded = typeof text === 'string' ? Buffer.from(text, 'base64url').toString() : '';
  const [, time, id] = CURSOR.exec(decoded) ?? [];
  const isPlace = id !== undefined && ids.test(id) && Number(time) <= MAX_TIME;
  const cursor = isPlace ? { createdAt: new Date(Number(time)), id } : undefined;
  if (!cursor || formatCursor(cursor) !== text)
    throw invalidRequest('cursor must be given once, as next_cursor of an earlier response');
  return cursor;
}
