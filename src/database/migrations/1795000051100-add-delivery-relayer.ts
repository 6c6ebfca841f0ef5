import { type TableColumnOptions, TableIndex } from 'typeorm';
import { AddColumnsMigration } from './create-table';

/**
 * The relayer that a delivery is about, for API keys that are limited to some relayers. Existing deliveries have none,
 * so such keys do not see them; they are purged within `WEBHOOK_RETENTION_DAYS`.
 */
export class AddDeliveryRelayer1795000051100 extends AddColumnsMigration {
  readonly table = 'deliveries';
  readonly columns: TableColumnOptions[] = [
    { name: 'relayer_id', type: 'varchar', length: '36', isNullable: true },
  ];
  override readonly index = new TableIndex({
    name: 'ix_deliveries_relayer_id',
    columnNames: ['notification_id', 'relayer_id', 'created_at', 'id'],
  });
}
