import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import type { DeliveryEntity } from './delivery.entity';

/** Small, because attempts are deleted too: dozens per delivery if a receiver was down. */
const BATCH = 100;

/**
 * Deletes a batch of deliveries that meet a condition.
 *
 * @returns whether there were any
 */
export async function deleteSome(
  deliveries: Repository<DeliveryEntity>,
  kind: FindOptionsWhere<DeliveryEntity>,
): Promise<boolean> {
  const some = await deliveries.find({ select: { id: true }, where: kind, take: BATCH });
  if (some.length === 0) return false;
  // Repeats the condition, because a delivery may have been replayed since.
  await deliveries.delete({ ...kind, id: In(some.map(({ id }) => id)) });
  return true;
}
