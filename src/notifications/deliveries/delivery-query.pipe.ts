import { Injectable, PipeTransform } from '@nestjs/common';
import { invalidRequest } from '../../common/errors/domain-error';
import { readPerPage } from '../../common/pagination/page-parameters';
import { IDENTIFIER } from '../../common/validation/fields';
import { DATE_TIME_RULE, parseDateTime } from '../../common/validation/rfc3339';
import { notificationEvents } from '../events/notification-event';
import { parseCursor } from '../../common/pagination/list-cursor';
import { DELIVERY_STATES } from './delivery.entity';
import type { DeliveryQuery } from './dto/delivery-query.dto';

/** Parses the filters of a list of deliveries; other query parameters are ignored. */
@Injectable()
export class DeliveryQueryPipe implements PipeTransform<Record<string, unknown>, DeliveryQuery> {
  transform({ state, event, since, until, cursor, per_page }: Record<string, unknown>): DeliveryQuery {
    return {
      ...(state !== undefined && { state: choice('state', DELIVERY_STATES, state) }),
      ...(event !== undefined && { event: choice('event', notificationEvents(), event) }),
      ...(since !== undefined && { since: dateTime('since', since) }),
      ...(until !== undefined && { until: dateTime('until', until) }),
      ...(cursor !== undefined && cursor !== '' && { cursor: parseCursor(cursor, IDENTIFIER) }),
      per_page: readPerPage(per_page),
    };
  }
}

function choice<T extends string>(name: string, choices: readonly T[], value: unknown): T {
  const chosen = choices.find((candidate) => candidate === value);
  if (chosen === undefined)
    throw invalidRequest(`${name} must be given once, as one of ${choices.join(', ')}`);
  return chosen;
}

function dateTime(name: string, value: unknown): Date {
  const date = parseDateTime(value);
  if (!date) throw invalidRequest(`${name} ${DATE_TIME_RULE}`);
  return date;
}
