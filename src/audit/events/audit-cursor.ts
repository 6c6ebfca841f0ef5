import { invalidRequest } from '../../common/errors/domain-error';
import { MAX_TIME } from '../../common/validation/rfc3339';

/** A position in the list of events, which is ordered by these three members. */
export interface AuditCursor {
  at: Date;
  chain: number;
  sequence: number;
}

const CURSOR = /^(\d{1,15}):([1-9]\d{0,9}):([1-9]\d{0,15})$/;

/** The cursor in the form that callers see: opaque, and safe in a URL. */
export const formatAuditCursor = ({ at, chain, sequence }: AuditCursor): string =>
  Buffer.from(`${at.getTime()}:${chain}:${sequence}`).toString('base64url');

/** @throws DomainError `invalid_request` for a text that {@link formatAuditCursor} did not return */
export function parseAuditCursor(text: unknown): AuditCursor {
  const decoded = typeof text === 'string' ? Buffer.from(text, 'base64url').toString() : '';
  const [, at, chain, sequence] = CURSOR.exec(decoded) ?? [];
  const cursor = { at: new Date(Number(at)), chain: Number(chain), sequence: Number(sequence) };
  if (at === undefined || Number(at) > MAX_TIME || formatAuditCursor(cursor) !== text)
    throw invalidRequest('cursor must be given once, as next_cursor of an earlier response');
  return cursor;
}
