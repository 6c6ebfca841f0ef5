import { type FindOperator, Raw } from 'typeorm';

/** The condition for ids of notifications that have pending deliveries, or for those that have none. */
export function withPending(have: boolean): FindOperator<string> {
  const pending = (id: string): string =>
    `EXISTS (SELECT 1 FROM deliveries pending WHERE pending.notification_id = ${id} AND pending.state = 'pending')`;
  return Raw((id) => (have ? pending(id) : `NOT ${pending(id)}`)) as FindOperator<string>;
}
