import { And, type FindOperator, LessThan, MoreThanOrEqual } from 'typeorm';

/** The condition on rows created at `since` or later, and before `until`. */
export function createdWithin(
  since: Date | undefined,
  until: Date | undefined,
): { createdAt?: FindOperator<Date> } {
  const times = [...(since ? [MoreThanOrEqual(since)] : []), ...(until ? [LessThan(until)] : [])];
  return times.length > 0 ? { createdAt: And(...times) } : {};
}
