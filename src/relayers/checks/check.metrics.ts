import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Gauge, Histogram, Registry } from 'prom-client';
import { isFirstProcess } from '../../cluster/primary';
import type { AppConfig } from '../../config/app-config';
import type { CheckResult } from './chain-check';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A balance is no longer shown if no check of this instance has confirmed it for this many intervals. */
const SHOWN_FOR_INTERVALS = 3;

interface KnownBalance {
  wei: bigint;
  at: number;
}

/** Metrics of relayer checks and, if enabled, of balances. */
@Injectable()
export class CheckMetrics implements OnApplicationBootstrap {
  private readonly logger = new Logger(CheckMetrics.name);
  private readonly durations: Histogram<'outcome'>;
  private readonly balances: Map<string, KnownBalance> | undefined;

  constructor(
    registry: Registry,
    private readonly config: ConfigService<AppConfig, true>,
  ) {
    const registers = [registry];
    this.durations = new Histogram({
      name: 'relayer_check_duration_seconds',
      help: 'Checks of relayers against their chain; outcome is passed, failed, or error if no check was possible',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    });
    if (!config.get('balanceMetrics', { infer: true })) return;
    const balances = new Map<string, KnownBalance>();
    const { intervalMs } = config.get('relayerChecks', { infer: true });
    this.balances = balances;
    new Gauge({
      name: 'relayer_balance_wei',
      aggregator: 'max',
      help: 'Balance of a relayer as this instance last read it, rounded to a 64-bit float',
      labelNames: ['relayer'],
      registers,
      collect() {
        this.reset();
        for (const [relayer, { wei, at }] of balances) {
          if (performance.now() - at > SHOWN_FOR_INTERVALS * intervalMs) balances.delete(relayer);
          else this.set({ relayer }, Number(wei));
        }
      },
    });
  }

  /** Warns if there will be no balances to show, because only checks read them. */
  onApplicationBootstrap(): void {
    const { enabled } = this.config.get('relayerChecks', { infer: true });
    if (!this.balances || enabled || !this.config.get('background', { infer: true }) || !isFirstProcess())
      return;
    this.logger.warn('METRICS_RELAYER_BALANCES has no effect while RELAYER_CHECK_INTERVAL_SECONDS is 0');
  }

  /** @throws the error of `check` */
  async observe(relayerId: string, check: () => Promise<CheckResult>): Promise<CheckResult> {
    const stop = this.durations.startTimer();
    try {
      const result = await check();
      stop({ outcome: result.reasons.length === 0 ? 'passed' : 'failed' });
      if (result.balance !== undefined)
        this.balances?.set(relayerId, { wei: result.balance, at: performance.now() });
      return result;
    } catch (error) {
      stop({ outcome: 'error' });
      throw error;
    }
  }
}
