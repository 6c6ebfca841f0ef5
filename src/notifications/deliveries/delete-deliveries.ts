import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import type { DeliveryEntity } from './delivery.entity';

/** Small, because attempts are deleted too: dozens per delivery if a receiver was down. */
const BATCH = 100;

/**
 * Deletes a batch of deliveries that meet a condition.
 *
 * @returns `found`: whether there were any. `deleted`: whether any were deleted by this call. In a transaction, rows that
 * another one has deleted since are still found, each time.
 */
export async function deleteSome(
  deliveries: Repository<DeliveryEntity>,
  kind: FindOptionsWhere<DeliveryEntity>,
): Promise<{ found: boolean; deleted: boolean }> {
  const some = await deliveries.find({ select: { id: true }, where: kind, take: BATCH });
  if (some.length === 0) return { found: false, deleted: false };
  // Repeats the condition, because a delivery may have been replayed since.
  const { affected } = await deliveries.delete({ ...kind, id: In(some.map(({ id }) => id)) });
  return { found: true, deleted: (affected ?? 0) > 0 };
}
