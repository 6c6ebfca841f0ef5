import type { UnitOfWork } from '../database/unit-of-work';
import { tooManySubscribers } from './notification.errors';

/**
 * Notifications that name an event that is sent regardless of the relayer (`signer_deleted`, `change_update`, those of
 * plugins): each gets a delivery in the unit of work of the change. More get 409. @limit Webhooks
 */
const MAX_SUBSCRIBERS = 100;

/**
 * Must be called in the unit of work that stores another notification of this kind, before it does so. Units of work
 * that call this run one after the other, so that each counts what the others have stored.
 *
 * @throws DomainError `too_many_subscribers`
 */
export async function assertRoomForSubscriber(unitOfWork: UnitOfWork): Promise<void> {
  const { manager, locksRows, forUpdate, forShare } = unitOfWork;
  // Every database has this row, and nothing else locks it. The range of subscribers would be locked by several at once.
  if (locksRows) await manager.query(`SELECT id FROM migrations ORDER BY id LIMIT 1${forUpdate}`);
  // Without a lock, a unit of work only sees what was committed before its first read.
  const [row] = await manager.query<{ count: number | string }[]>(
    `SELECT COUNT(*) AS count FROM notifications WHERE is_subscriber = 1 AND deleted_at IS NULL${forShare}`,
  );
  if (Number(row?.count) >= MAX_SUBSCRIBERS) throw tooManySubscribers(MAX_SUBSCRIBERS);
}
