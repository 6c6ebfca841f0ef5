import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';

/**
 * Whether the refusal of what was valid before has lasted for long enough to be believed. If the reason may be that
 * blocks have less gas now, it is not: that may change again, so `Renewal.giveUp` waits for longer.
 *
 * @param doubt the key in the memory of the lane, which must be settled once it is not refused
 */
export async function isLastingRefusal(
  { chain, memory, view }: LaneContext,
  { attempt }: TransactionEntity,
  doubt: string,
): Promise<boolean> {
  const hasLasted = memory.hasLasted(doubt, view.head);
  return hasLasted && attempt !== null && (await chain.fit(attempt)) === 'now';
}
