import { Injectable } from '@nestjs/common';
import { NotificationEvents } from '../notifications/events/notification-events';
import { toTransactionResponse } from './dto/transaction.response';
import type { TransactionEntity } from './transaction.entity';

/** Records `transaction_update` in the unit of work of the change, with the resulting transaction. */
@Injectable()
export class TransactionEvents {
  constructor(private readonly events: NotificationEvents) {}

  async record(
    /** All of the same relayer. */
    rows: readonly Omit<TransactionEntity, 'mac'>[],
    { notificationId }: { notificationId: string | null },
  ): Promise<void> {
    const [first] = rows;
    if (notificationId === null || !first) return;
    await this.events.record(
      notificationId,
      'transaction_update',
      rows.map((row) => ({ payload_type: 'transaction', ...(toTransactionResponse(row) as object) })),
      {
        relayerId: first.relayerId,
        times: rows.map(({ eventAt }) => eventAt ?? new Date()),
        traces: rows.map(({ traceContext }) => traceContext),
      },
    );
  }
}
