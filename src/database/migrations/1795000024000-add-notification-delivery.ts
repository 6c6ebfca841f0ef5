import type { TableColumnOptions } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/** The columns of a notification that deliveries need. */
export class AddNotificationDelivery1795000024000 extends AddColumnsMigration {
  readonly table = 'notifications';
  readonly columns: TableColumnOptions[] = [
    { name: 'events', type: 'json', isNullable: true },
    { name: 'previous_signing_key', type: 'text', isNullable: true },
    { name: 'previous_key_until', type: 'datetime', precision: 6, isNullable: true },
    { name: 'failing_since', type: 'datetime', precision: 6, isNullable: true },
    { name: 'switched_off_at', type: 'datetime', precision: 6, isNullable: true },
  ];
}
