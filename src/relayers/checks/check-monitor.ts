import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Subscription } from 'rxjs';
import type { Claim } from '../../background/leased-rows';
import { GroupSlots } from '../../background/slots';
import { Worker } from '../../background/worker';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig, RelayerCheckSettings } from '../../config/app-config';
import { NetworksService } from '../../networks/networks.service';
import { FailingCalls } from '../chain-access/failing-calls';
import type { RelayerEntity } from '../relayer.entity';
import { RelayerChangesService } from '../relayer-changes.service';
import { BalanceWatch } from './balance-watch';
import { ChainCheck } from './chain-check';
import { CheckMetrics } from './check.metrics';
import { type CheckCandidate, type NetworkName, RelayerChecks } from './relayer-checks';

/** Checks in progress of an instance. @limit Relayer checks */
const MAX_IN_PROGRESS = 128;
/**
 * Checks in progress of one network: a network that hangs must not displace all others.
 * @limit Relayer checks
 */
const MAX_PER_NETWORK = 16;
/**
 * The number of relayers that are claimed at once. With the pause after each claim, at most 80 checks begin per second.
 */
const BATCH = 20;
const PACE_MS = 250;
/** How long a stop waits for checks. Other instances repeat unfinished ones. */
const STOP_MS = 500;

/** Checks relayers in the background when they are due, without delaying requests. */
@Injectable()
export class CheckMonitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CheckMonitor.name);
  private readonly settings: RelayerCheckSettings;
  private readonly isOff: boolean;
  private readonly subscriptions = new Subscription();
  private readonly worker = new Worker<CheckCandidate, NetworkName, RelayerEntity, unknown>({
    name: 'checks',
    slots: new GroupSlots<NetworkName>(
      MAX_IN_PROGRESS,
      MAX_PER_NETWORK,
      ({ networkType, network }) => `${networkType}:${network}`,
    ),
    batch: BATCH,
    paceMs: PACE_MS,
    stopMs: STOP_MS,
    claim: ({ limit, full, admit }) => this.checks.claimDue(limit, full, admit),
    process: (claim, cutOff) => this.check(claim, cutOff),
  });

  constructor(
    private readonly checks: RelayerChecks,
    private readonly chainCheck: ChainCheck,
    private readonly balances: BalanceWatch,
    private readonly metrics: CheckMetrics,
    private readonly changes: RelayerChangesService,
    private readonly networks: NetworksService,
    private readonly failingCalls: FailingCalls,
    config: ConfigService<AppConfig, true>,
  ) {
    const settings = config.get('relayerChecks', { infer: true });
    const background = config.get('background', { infer: true });
    this.settings = { ...settings, enabled: settings.enabled && background };
    this.isOff = !settings.enabled && background;
  }

  onApplicationBootstrap(): void {
    if (this.isOff) void this.enableAll();
    if (!this.settings.enabled) return;
    const demands = [
      this.changes.checkWanted.subscribe(() => this.worker.wake()),
      this.networks.endpointsChanged.subscribe(({ networkType, name }) => {
        void this.demand(() => this.checks.demand({ networkType, network: name }));
      }),
      this.failingCalls.persistent.subscribe((id) => {
        void this.demand(() => this.checks.demand({ id, systemDisabled: false }));
      }),
    ];
    for (const demand of demands) this.subscriptions.add(demand);
    void this.demand(() => this.checks.spreadOverStart()).then(() => this.worker.resume());
  }

  async onModuleDestroy(): Promise<void> {
    this.subscriptions.unsubscribe();
    await this.worker.stop();
  }

  /**
   * The end of the lease with which {@link checkNew} checks a relayer that is about to be created; null if checks are
   * disabled.
   */
  leaseForNew(): Date | null {
    return this.settings.enabled ? this.checks.newLease() : null;
  }

  /**
   * Checks a relayer that was just created, and waits briefly for the result. If no slot is free, the relayer is
   * checked later.
   */
  async checkNew(relayer: RelayerEntity): Promise<void> {
    if (relayer.nextCheckAt === null) return;
    const check = this.worker.begin(relayer, { row: relayer, lease: relayer.nextCheckAt });
    if (!check) await this.demand(() => this.checks.demand({ id: relayer.id }));
    else await Promise.race([check, sleep(this.settings.firstCheckMs, undefined, { ref: false })]);
  }

  private async check(claim: Claim<RelayerEntity>, cutOff: AbortSignal): Promise<void> {
    const { row } = claim;
    const { reasons, balance } = await this.metrics.observe(row.id, () => this.chainCheck.run(row));
    if (cutOff.aborted) return;
    if (balance !== undefined) await this.balances.record(claim, balance);
    await this.checks.record(claim, reasons);
    if (balance !== undefined) this.balances.balanceRead.next({ relayer: row, balance });
  }

  private async enableAll(): Promise<void> {
    try {
      await this.checks.enableAll();
    } catch (error) {
      this.logger.warn('Disabled relayers could not be enabled', { cause: causeOf(error) });
    }
  }

  private async demand(mark: () => Promise<void>): Promise<void> {
    try {
      await mark();
      this.worker.wake();
    } catch (error) {
      this.logger.warn('Checks could not be scheduled', { cause: causeOf(error) });
    }
  }
}
