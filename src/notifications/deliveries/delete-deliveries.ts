import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import type { DeliveryEntity } from './delivery.entity';

/** Their attempts go with them, some dozens each where a receiver was away. */
const BATCH = 100;

/** Deletes some deliveries of a kind, no more than a database does in a moment. False where there were none. */
export async function deleteSome(
  deliveries: Repository<DeliveryEntity>,
  kind: FindOptionsWhere<DeliveryEntity>,
): Promise<boolean> {
  const some = await deliveries.find({ select: { id: true }, where: kind, take: BATCH });
  if (some.length === 0) return false;
  // Asked again: one may have been replayed since.
  await deliveries.delete({ ...kind, id: In(some.map(({ id }) => id)) });
  return true;
}
