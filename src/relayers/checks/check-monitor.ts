import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Subscription } from 'rxjs';
import type { AppConfig, RelayerCheckSettings } from '../../config/app-config';
import { NetworksService } from '../../networks/networks.service';
import { FailingCalls } from '../chain-access/failing-calls';
import type { RelayerEntity } from '../relayer.entity';
import { RelayersService } from '../relayers.service';
import { ChainCheck } from './chain-check';
import { CheckMetrics } from './check.metrics';
import { Pause } from '../../common/event-loop/pause';
import { ChecksUnderWay } from './checks-under-way';
import { type ClaimedCheck, RelayerChecks } from './relayer-checks';

/** Claimed at once; with the pause after it, no more than 80 checks begin per second. */
const BATCH = 20;
const BUSY_PAUSE_MS = 250;
const IDLE_PAUSE_MS = 1000;
/** After the database could not be asked. */
const FAILURE_PAUSE_MS = 5000;
/** How long a stop waits for checks that are under way; other instances repeat those that it cuts off. */
const STOP_MS = 1000;

/** Checks relayers when their time comes, beside the requests and never in front of them. */
@Injectable()
export class CheckMonitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CheckMonitor.name);
  private readonly settings: RelayerCheckSettings;
  private readonly subscriptions = new Subscription();
  private readonly underWay = new ChecksUnderWay();
  private readonly pause = new Pause();
  private stopped = false;

  constructor(
    private readonly checks: RelayerChecks,
    private readonly chainCheck: ChainCheck,
    private readonly metrics: CheckMetrics,
    private readonly relayers: RelayersService,
    private readonly networks: NetworksService,
    private readonly failingCalls: FailingCalls,
    config: ConfigService<AppConfig, true>,
  ) {
    const settings = config.get('relayerChecks', { infer: true });
    this.settings = { ...settings, enabled: settings.enabled && config.get('background', { infer: true }) };
  }

  onApplicationBootstrap(): void {
    if (!this.settings.enabled) return;
    const demands = [
      this.relayers.checkWanted.subscribe(() => {
        this.pause.end();
      }),
      this.networks.endpointsChanged.subscribe(({ networkType, name }) => {
        void this.demand(() => this.checks.demand({ networkType, network: name }));
      }),
      this.failingCalls.persistent.subscribe((id) => {
        void this.demand(() => this.checks.demand({ id, systemDisabled: false }));
      }),
    ];
    for (const demand of demands) this.subscriptions.add(demand);
    void this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.subscriptions.unsubscribe();
    this.pause.end();
    await Promise.race([this.underWay.ended(), sleep(STOP_MS, undefined, { ref: false })]);
  }

  /** For how long a relayer that is about to be made is left to {@link checkNew}; null where none is checked. */
  leaseForNew(): Date | null {
    return this.settings.enabled ? this.checks.newLease() : null;
  }

  /** Checks a relayer that was just made, and waits for that a little while; where there is no room for it, it is checked later. */
  async checkNew(relayer: RelayerEntity): Promise<void> {
    if (relayer.nextCheckAt === null || this.stopped) return;
    if (!this.underWay.hasRoomFor(relayer)) {
      await this.demand(() => this.checks.demand({ id: relayer.id }));
      return;
    }
    const patience = sleep(this.settings.firstCheckMs, undefined, { ref: false });
    await Promise.race([this.begin({ relayer, lease: relayer.nextCheckAt }), patience]);
  }

  private async run(): Promise<void> {
    await this.demand(() => this.checks.spreadOverStart());
    while (!this.stopped) await this.pause.take(await this.claim());
  }

  /** Begins what is due. Answers how long to pause, in milliseconds. */
  private async claim(): Promise<number> {
    const free = Math.min(BATCH, this.underWay.room);
    if (free <= 0) return BUSY_PAUSE_MS;
    try {
      const claimed = await this.checks.claimDue(free, this.underWay);
      for (const check of claimed) void this.begin(check);
      const isBusy = claimed.length === free || this.underWay.fullNetworks.length > 0;
      return isBusy ? BUSY_PAUSE_MS : IDLE_PAUSE_MS;
    } catch (error) {
      this.warn('Due checks could not be read', error);
      return FAILURE_PAUSE_MS;
    }
  }

  private begin(check: ClaimedCheck): Promise<void> {
    return this.underWay.add(check.relayer, this.check(check));
  }

  private async check(check: ClaimedCheck): Promise<void> {
    const { relayer } = check;
    try {
      const { reasons } = await this.metrics.observe(relayer.id, () => this.chainCheck.run(relayer));
      if (!this.stopped) await this.checks.note(check, reasons);
    } catch (error) {
      this.warn('Relayer could not be checked', error, relayer.id);
    }
  }

  private async demand(mark: () => Promise<void>): Promise<void> {
    try {
      await mark();
      this.pause.end();
    } catch (error) {
      this.warn('Checks could not be demanded', error);
    }
  }

  private warn(what: string, error: unknown, relayer?: string): void {
    if (this.stopped) return;
    const cause = error instanceof Error ? error.message : String(error);
    this.logger.warn(what, { cause, ...(relayer !== undefined && { relayer }) });
  }
}
