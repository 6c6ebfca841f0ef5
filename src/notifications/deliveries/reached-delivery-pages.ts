import { And, type FindOperator, In, IsNull, MoreThanOrEqual, Raw, type Repository } from 'typeorm';
import { CursorPage } from '../../common/pagination/cursor-page';
import { formatCursor, type ListCursor } from '../../common/pagination/list-cursor';
import type { LargeRowPages } from '../../database/large-row-pages';
import type { DeliveryEntity, DeliveryState } from './delivery.entity';

/**
 * Deliveries that a page reads at most to find those that a limited API key reaches; then it ends, and its cursor
 * continues. @limit Webhooks
 */
const MAX_SCANNED = 5000;

/** Which deliveries of a notification a limited API key reaches. */
export interface ReachedDeliveries {
  /** The ids of the relayers; undefined if they are too many. */
  relayers: readonly string[] | undefined;
  includesTests: boolean;
  /** The condition for both on `relayerId`. */
  condition: FindOperator<string>;
}

/** Filters of the list. */
export interface DeliveryFilter {
  notificationId: string;
  state?: DeliveryState;
  event?: string;
  createdAt?: FindOperator<Date>;
}

/**
 * Pages of the deliveries that a limited API key reaches. No index has the deliveries of several relayers in the order
 * of the list, so that a database could read every delivery of the notification for one page. If few deliveries are
 * about the relayers, all of them are looked up; otherwise the page searches the next ones.
 */
export class ReachedDeliveryPages {
  constructor(
    private readonly rows: () => Repository<DeliveryEntity>,
    private readonly pages: LargeRowPages<DeliveryEntity>,
  ) {}

  async after(
    filter: DeliveryFilter,
    reached: ReachedDeliveries,
    cursor: ListCursor | null,
    perPage: number,
  ): Promise<CursorPage<DeliveryEntity>> {
    const few = await this.few(filter, reached);
    if (!few) return this.amongNext(filter, reached, cursor, perPage);
    const ids = few
      .filter((row) => !cursor || isOlder(row, cursor))
      .sort((one, other) => (isOlder(one, other) ? 1 : -1))
      .slice(0, perPage + 1)
      .map(({ id }) => id);
    return this.pages.after([{ id: In(ids) }], null, perPage);
  }

  /** The deliveries that match, unsorted; undefined if many are about the relayers, whether they match or not. */
  private async few(
    { notificationId, state, event, ...times }: DeliveryFilter,
    { relayers, includesTests }: ReachedDeliveries,
  ): Promise<ListCursor[] | undefined> {
    if (!relayers) return undefined;
    const found: ListCursor[] = [];
    const select = { id: true, createdAt: true } as const;
    const alternatives = [
      { relayerId: In(relayers), ...(event && { event }) },
      ...(includesTests && (event ?? 'test') === 'test' ? [{ relayerId: IsNull(), event: 'test' }] : []),
    ];
    for (const { relayerId, ...ofEvent } of alternatives) {
      const about = { notificationId, relayerId };
      if ((await this.rows().find({ select, where: about, skip: MAX_SCANNED, take: 1 })).length > 0)
        return undefined;
      // The sign keeps databases from using the index of states.
      const inState = state && { state: Raw((column) => `+${column} = :state`, { state }) };
      found.push(
        ...(await this.rows().find({ select, where: { ...about, ...ofEvent, ...inState, ...times } })),
      );
    }
    return found;
  }

  /** Those among the next deliveries of the notification; if they are too few for a page, the cursor continues there. */
  private async amongNext(
    filter: DeliveryFilter,
    { condition }: ReachedDeliveries,
    cursor: ListCursor | null,
    perPage: number,
  ): Promise<CursorPage<DeliveryEntity>> {
    const { notificationId, state, createdAt: times } = filter;
    const indexed = { notificationId, ...(state && { state }), ...(times && { createdAt: times }) };
    const end = await this.pages.positionAfter([indexed], cursor, MAX_SCANNED);
    const from = end && MoreThanOrEqual(end.createdAt);
    const createdAt = from && times ? And(times, from) : (from ?? times);
    const where = { ...filter, relayerId: condition, ...(createdAt && { createdAt }) };
    const page = await this.pages.after([where], cursor, perPage);
    if (!end || page.nextCursor !== null) return page;
    const last = page.items.at(-1);
    return new CursorPage(page.items, perPage, formatCursor(last && isOlder(last, end) ? last : end));
  }
}

/** Whether a delivery follows another one in the list, which begins with the newest. */
const isOlder = (one: ListCursor, other: ListCursor): boolean =>
  one.createdAt.getTime() === other.createdAt.getTime() ? one.id < other.id : one.createdAt < other.createdAt;
