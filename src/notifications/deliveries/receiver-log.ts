import { Logger } from '@nestjs/common';
import { setNewest } from '../../common/set-newest';
import type { DeliveryFailure } from './delivery-failure';

/** The number of failing receivers to remember; the oldest one is forgotten first, and logged again. */
const MAX_RECEIVERS = 1000;

/** Logs when a receiver begins to fail, and when it accepts deliveries again: one line each, however many there are. */
export class ReceiverLog {
  private readonly logger = new Logger('Receivers');
  private readonly failing = new Map<string, true>();

  /** @param status the status of the response, if there was one */
  record(notification: string, failure: DeliveryFailure | null, status: number | null): void {
    const wasFailing = this.failing.has(notification);
    if (failure === null) {
      if (!wasFailing) return;
      this.failing.delete(notification);
      this.logger.log('A receiver accepts deliveries again', { notification });
      return;
    }
    if (wasFailing) return;
    setNewest(this.failing, notification, true, MAX_RECEIVERS);
    this.logger.warn('A receiver does not accept deliveries', {
      notification,
      failure,
      status: status ?? undefined,
    });
  }
}
