import { invalidRequest } from '../../common/errors/domain-error';
import type { DeliveryEntity } from './delivery.entity';

/** A place in the list of deliveries: what comes after the delivery that was made then and has this id. */
export type DeliveryCursor = Pick<DeliveryEntity, 'createdAt' | 'id'>;

const CURSOR = /^(\d{1,15}):([A-Za-z0-9_-]{1,36})$/;

/** The cursor as callers see it: opaque, and safe in a URL. */
export function formatCursor({ createdAt, id }: DeliveryCursor): string {
  return Buffer.from(`${createdAt.getTime()}:${id}`).toString('base64url');
}

/** @throws DomainError `invalid_request` for what {@link formatCursor} did not write */
export function parseCursor(text: unknown): DeliveryCursor {
  const decoded = typeof text === 'string' ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [, time, id] = CURSOR.exec(decoded) ?? [];
  const cursor = id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
  if (!cursor || formatCursor(cursor) !== text)
    throw invalidRequest('cursor must be given once, as next_cursor of an earlier response');
  return cursor;
}
