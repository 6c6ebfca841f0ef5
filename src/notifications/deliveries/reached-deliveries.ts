import { type FindOperator, type FindOptionsWhere, In, IsNull, Raw, type Repository } from 'typeorm';
import type { LargeRowList } from '../../database/large-row-pages';
import type { SparseRows } from '../../database/sparse-pages';
import type { DeliveryEntity, DeliveryState } from './delivery.entity';

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
  finishedAt?: FindOperator<Date>;
}

/** A list of deliveries by time of creation. */
export const deliveryList = (
  repository: () => Repository<DeliveryEntity>,
  order: 'ASC' | 'DESC',
): LargeRowList<DeliveryEntity> => ({
  repository,
  find: ({ lock: _, ...query }) => repository().find(query),
  largeColumns: ['payload'],
  order,
  indexOf: ({ relayerId, state }) => {
    if (relayerId) return undefined;
    return state ? 'ix_deliveries_state' : 'ix_deliveries_notification_id';
  },
});

/** The deliveries that match a filter and that a limited API key reaches. */
export function reachedRows(
  filter: DeliveryFilter,
  { relayers, includesTests, condition }: ReachedDeliveries,
): SparseRows<DeliveryEntity> {
  const { event, finishedAt, ...part } = filter;
  return {
    selected: relayers && selected(filter, relayers, includesTests),
    searched: [
      {
        part,
        shown: { relayerId: condition, ...(event && { event }), ...(finishedAt && { finishedAt }) },
      },
    ],
  };
}

function selected(
  { notificationId, state, event, ...others }: DeliveryFilter,
  relayers: readonly string[],
  includesTests: boolean,
): SparseRows<DeliveryEntity>['selected'] {
  const about = { notificationId, relayerId: In(relayers) };
  const aboutNone = { notificationId, relayerId: IsNull() };
  // The sign keeps SQLite from using the index of states.
  const inState = Raw((column) => `+${column} = :state`, { state }) as FindOperator<DeliveryState>;
  const tested: FindOptionsWhere<DeliveryEntity> = { ...others, ...(state && { state: inState }) };
  const tests = includesTests && (event ?? 'test') === 'test';
  return {
    all: [about, ...(tests ? [aboutNone] : [])],
    matching: [
      { ...about, ...tested, ...(event && { event }) },
      ...(tests ? [{ ...aboutNone, ...tested, event: 'test' }] : []),
    ],
  };
}
