import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Loop } from '../../background/loop';
import { GroupSlots } from '../../background/slots';
import { Worker } from '../../background/worker';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig } from '../../config/app-config';
import type { AccountNonceEntity } from '../account-nonce.entity';
import { AccountStep } from '../processing/account-step';
import { AccountWaits } from '../processing/long-waits';
import { AccountLookup } from './account-lookup';
import { KnownNonces } from './known-nonces';
import { Lane } from './lane';
import { type LaneCandidate, type LaneClaim, LaneRows } from './lane-rows';

/** Accounts that an instance processes at the same time. @limit Transactions */
const MAX_LANES = 1024;
/** Of these, accounts on one chain id: a chain that hangs must not displace all others. @limit Transactions */
const MAX_LANES_PER_CHAIN = 512;
const BATCH = 100;
const PACE_MS = 20;
const STOP_MS = 2000;
const COMPARE_PAUSE_MS = 60_000;
const BUSY_PAUSE_MS = 1000;

/** Processes accounts with open transactions, each on one instance at a time, and compares idle ones with the chain. */
@Injectable()
export class LaneWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LaneWorker.name);
  private readonly lanes = new Map<string, Lane>();
  private readonly waits = new AccountWaits();
  private readonly isActive: boolean;
  private readonly laneMs: number;
  private isStopping = false;
  private readonly comparisons = new Loop(() => this.compareIdle());
  private readonly worker = new Worker<LaneCandidate, LaneCandidate, AccountNonceEntity, unknown>({
    name: 'transactions',
    slots: new GroupSlots<LaneCandidate>(MAX_LANES, MAX_LANES_PER_CHAIN, ({ chainId }) => chainId),
    batch: BATCH,
    paceMs: PACE_MS,
    stopMs: STOP_MS,
    claim: (request) => this.rows.claim(request),
    process: (claim) => this.process(claim),
  });

  constructor(
    private readonly rows: LaneRows,
    private readonly step: AccountStep,
    private readonly accounts: AccountLookup,
    private readonly known: KnownNonces,
    config: ConfigService<AppConfig, true>,
  ) {
    this.isActive = config.get('background', { infer: true });
    this.laneMs = config.get('transactions', { infer: true }).laneMs;
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.isActive) return;
    await this.rows.takeAll();
    this.worker.resume();
    this.comparisons.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const lane of this.lanes.values()) lane.stop();
    await Promise.all([this.comparisons.stop(), this.worker.stop()]);
  }

  /**
   * Must be called after the commit of a request that concerns an account.
   *
   * @param isWhole whether a transaction that was already sent is to be changed
   */
  wake(accountId: string, isWhole = false): void {
    const lane = this.lanes.get(accountId);
    if (lane) lane.wake(isWhole);
    else this.worker.wake();
  }

  private async process(claim: LaneClaim): Promise<void> {
    const { id } = claim.row;
    const lane = new Lane(
      claim,
      this.rows,
      this.step,
      () => this.accounts.find(id),
      ({ nonce }, { lowerings }) => this.known.set(id, { nonce, lowerings }),
      this.waits,
      this.laneMs,
    );
    this.lanes.set(id, lane);
    // It was claimed while the service stops: it is released at once.
    if (this.isStopping) lane.stop();
    try {
      await lane.run();
    } finally {
      if (this.lanes.get(id) === lane) this.lanes.delete(id);
    }
  }

  private async compareIdle(): Promise<number> {
    try {
      if (!(await this.rows.compareIdle())) return COMPARE_PAUSE_MS;
      this.worker.wake();
      return BUSY_PAUSE_MS;
    } catch (error) {
      this.logger.warn('Idle accounts could not be compared with the chain', { cause: causeOf(error) });
      return COMPARE_PAUSE_MS;
    }
  }
}
