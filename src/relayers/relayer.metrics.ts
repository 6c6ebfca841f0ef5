import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { UnitOfWork } from '../database/unit-of-work';
import { RelayerEntity } from './relayer.entity';

/** The metrics are public and never limited: however often they are asked for, the relayers are counted this often. */
const SHARED_FOR_MS = 1000;

const STATES = ['enabled', 'paused', 'disabled'] as const;
type State = (typeof STATES)[number];

/** How many relayers are in which state, counted when somebody asks. */
@Injectable()
export class RelayerMetrics {
  private readonly logger = new Logger(RelayerMetrics.name);
  private readonly gauge: Gauge<'state'>;
  private counting: Promise<void> = Promise.resolve();
  private countedAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.gauge = new Gauge({
      name: 'relayers',
      help: 'Relayers by state; one that is both paused and disabled counts as paused',
      labelNames: ['state'],
      registers: [registry],
      collect: () => this.collectOnce(),
    });
  }

  private collectOnce(): Promise<void> {
    if (performance.now() - this.countedAt > SHARED_FOR_MS) {
      this.countedAt = performance.now();
      this.counting = this.collect();
    }
    return this.counting;
  }

  /** Without a database the gauge has no values: a scrape still tells everything else. */
  private async collect(): Promise<void> {
    this.gauge.reset();
    try {
      const counts = await this.count();
      for (const state of STATES) this.gauge.set({ state }, counts[state]);
    } catch (error) {
      this.logger.warn('Relayers could not be counted', {
        cause: error instanceof Error ? error.message : typeof error,
      });
    }
  }

  private async count(): Promise<Record<State, number>> {
    const rows = await this.unitOfWork
      .repository(RelayerEntity)
      .createQueryBuilder('relayer')
      .select('relayer.paused', 'paused')
      .addSelect('relayer.systemDisabled', 'disabled')
      .addSelect('COUNT(*)', 'count')
      .groupBy('relayer.paused')
      .addGroupBy('relayer.systemDisabled')
      .getRawMany<{ paused: unknown; disabled: unknown; count: unknown }>();
    const counts = { enabled: 0, paused: 0, disabled: 0 };
    for (const { paused, disabled, count } of rows) {
      const state = Number(paused) === 1 ? 'paused' : Number(disabled) === 1 ? 'disabled' : 'enabled';
      counts[state] += Number(count);
    }
    return counts;
  }
}
