import { Injectable, PipeTransform } from '@nestjs/common';
import { assertFirstPage, readChoice, readPerPage, readTime } from '../../common/pagination/page-parameters';
import { IDENTIFIER } from '../../common/validation/fields';
import { notificationEvents } from '../events/notification-event';
import { parseCursor } from '../../common/pagination/list-cursor';
import { DELIVERY_STATES } from './delivery.entity';
import type { DeliveryQuery } from './dto/delivery-query.dto';

/** Parses the filters of a list of deliveries; other query parameters are ignored. */
@Injectable()
export class DeliveryQueryPipe implements PipeTransform<Record<string, unknown>, DeliveryQuery> {
  transform(query: Record<string, unknown>): DeliveryQuery {
    const { state, event, since, until, page, cursor, per_page } = query;
    assertFirstPage(page);
    return {
      ...(state !== undefined && { state: readChoice('state', DELIVERY_STATES, state) }),
      ...(event !== undefined && { event: readChoice('event', notificationEvents(), event) }),
      ...(since !== undefined && { since: readTime('since', since) }),
      ...(until !== undefined && { until: readTime('until', until) }),
      ...(cursor !== undefined && cursor !== '' && { cursor: parseCursor(cursor, IDENTIFIER) }),
      per_page: readPerPage(per_page),
    };
  }
}
