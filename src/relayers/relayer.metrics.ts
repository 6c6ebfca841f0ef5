import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ReadAtScrape } from '../database/read-at-scrape';
import { UnitOfWork } from '../database/unit-of-work';
import { DISABLED_REASON_TEXTS, type DisabledReason } from './disabled-reason';
import { RelayerEntity } from './relayer.entity';

/** Relayers are counted at most once in this time, however often the metrics are scraped. */
const SHARED_FOR_MS = 1000;

const NO_REASON = '';
/** Every combination of state and reason that a relayer can have. */
const GROUPS = [
  { state: 'enabled', reason: NO_REASON },
  { state: 'paused', reason: NO_REASON },
  ...[...Object.keys(DISABLED_REASON_TEXTS), 'Multiple'].map((reason) => ({ state: 'disabled', reason })),
];

interface Counted {
  paused: unknown;
  disabled: unknown;
  reason: string | null;
  low: unknown;
  count: unknown;
}

/**
 * The number of relayers by state and reason, and of those with a low balance, counted when the metrics are requested.
 */
@Injectable()
export class RelayerMetrics {
  private readonly gauge: Gauge<'state' | 'reason'>;
  private readonly low: Gauge;
  private readonly scrape = new ReadAtScrape(
    'Relayers',
    () => {
      this.gauge.reset();
      this.low.remove();
    },
    () => this.read(),
    SHARED_FOR_MS,
  );

  constructor(
    registry: Registry,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.gauge = new Gauge({
      name: 'relayers',
      aggregator: 'max',
      help: 'Relayers that are enabled, paused, or disabled with a reason, counted in the database at each scrape: do not sum it over instances. One that is both paused and disabled counts as paused',
      labelNames: ['state', 'reason'],
      registers: [registry],
      collect: () => this.scrape.collect(),
    });
    this.low = new Gauge({
      name: 'relayers_low_balance',
      aggregator: 'max',
      help: 'Relayers whose balance is below policies.low_balance, counted in the database at each scrape: do not sum it over instances',
      registers: [registry],
      collect: () => this.scrape.collect(),
    });
  }

  private async read(): Promise<void> {
    const counts = await this.count();
    for (const group of GROUPS) this.gauge.set(group, 0);
    this.low.set(0);
    for (const { paused, disabled, reason, low, count } of counts) {
      this.low.inc(Number(low));
      if (Number(paused) === 1) this.gauge.inc({ state: 'paused', reason: NO_REASON }, Number(count));
      else if (Number(disabled) === 0) this.gauge.inc({ state: 'enabled', reason: NO_REASON }, Number(count));
      else this.gauge.inc({ state: 'disabled', reason: reasonType(reason) }, Number(count));
    }
  }

  private count(): Promise<Counted[]> {
    return this.unitOfWork
      .repository(RelayerEntity)
      .createQueryBuilder('relayer')
      .select('relayer.paused', 'paused')
      .addSelect('relayer.systemDisabled', 'disabled')
      .addSelect('relayer.disabledReason', 'reason')
      .addSelect('SUM(relayer.lowBalance)', 'low')
      .addSelect('COUNT(*)', 'count')
      .groupBy('relayer.paused')
      .addGroupBy('relayer.systemDisabled')
      .addGroupBy('relayer.disabledReason')
      .getRawMany<Counted>();
  }
}

/** @param reason as JSON */
function reasonType(reason: string | null): string {
  const { type } = JSON.parse(reason ?? '{}') as Partial<DisabledReason>;
  return type ?? NO_REASON;
}
