import type { TableColumnOptions } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/** Distinguishes a receiver that keeps failing from one that failed long ago and has not been called since. */
export class AddNotificationLastFailure1795000026000 extends AddColumnsMigration {
  readonly table = 'notifications';
  readonly columns: TableColumnOptions[] = [
    { name: 'last_failed_at', type: 'datetime', precision: 6, isNullable: true },
  ];
}
