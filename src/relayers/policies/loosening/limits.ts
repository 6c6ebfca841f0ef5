import type { JsonInteger } from '../../../common/validation/big-integer';

/** Whether an upper limit was raised or removed; undefined means no limit. */
export function isRaised(before: JsonInteger | undefined, after: JsonInteger | undefined): boolean {
  if (before === undefined) return false;
  return after === undefined || BigInt(after) > BigInt(before);
}
