import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type FindOptionsWhere, In, IsNull, Not } from 'typeorm';
import { type Claim, LeasedRows } from '../../background/leased-rows';
import { WorkerMetrics } from '../../background/worker.metrics';
import type { NetworkType } from '../../chains/network-type';
import type { AppConfig, RelayerCheckSettings } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import {
  type DisabledReason,
  disabledReason,
  singleReasons,
  type SingleReasonType,
} from '../disabled-reason';
import { RelayerEntity } from '../relayer.entity';
import { RelayerRows } from '../relayer-rows';
import { RelayerEvents } from '../relayer-events';

/** At startup, the checks of all relayers are spread over this time. */
const START_WINDOW_MS = 30_000;
/** The minimum number of relayers that become due in one step of that time. */
const START_TOGETHER = 4;
/** The maximum duration of a step. */
const START_STEP_MS = 1000;
/** The maximum number of steps, each of which is one statement. */
const MAX_START_STEPS = 250;

/** The state of a relayer whose check has passed. */
const ENABLED = { systemDisabled: false, disabledReason: null, failedChecks: 0 };

/** The columns that identify a relayer's network. */
export type NetworkName = Pick<RelayerEntity, 'networkType' | 'network'>;

/** A relayer whose check is due. */
export type CheckCandidate = NetworkName & Pick<RelayerEntity, 'id'>;

/** The state of relayer checks in the database: which are due, and their results. */
@Injectable()
export class RelayerChecks {
  private readonly logger = new Logger(RelayerChecks.name);
  private readonly settings: RelayerCheckSettings;
  private readonly due: LeasedRows<RelayerEntity, CheckCandidate>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: RelayerRows,
    private readonly events: RelayerEvents,
    metrics: WorkerMetrics,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('relayerChecks', { infer: true });
    const { enabled, leaseMs, intervalMs, retryMs } = this.settings;
    this.due = new LeasedRows(unitOfWork, metrics, {
      entity: RelayerEntity,
      worker: 'checks',
      isOff: !enabled,
      dueAt: 'nextCheckAt',
      withoutTime: 'due',
      dueWithin: [{ ms: longestSpread(Math.max(leaseMs, intervalMs, ...retryMs)) }],
      candidate: ['networkType', 'network'],
      read: (where) => rows.findIntact({ where, lock: 'skip' }),
    });
  }

  /** When the lease of a check that begins now ends. */
  newLease(): Date {
    return spread(this.settings.leaseMs);
  }

  /**
   * Claims relayers whose check is due: the admitted ones among at most `limit` candidates, none of them on full
   * networks. Only one instance gets each relayer. A relayer whose row was altered is not checked; it is read again
   * after the lease.
   */
  claimDue(
    limit: number,
    full: readonly NetworkName[] = [],
    admit: (candidate: CheckCandidate) => boolean = () => true,
  ): Promise<Claim<RelayerEntity>[]> {
    return this.due.claim({
      limit,
      lease: this.newLease(),
      where: outside(full),
      choose: (candidates) => candidates.filter((candidate) => admit(candidate)),
    });
  }

  /** Makes relayers due for an immediate check. The result of a check in progress is discarded. */
  async demand(which: FindOptionsWhere<RelayerEntity>): Promise<void> {
    await this.schedule(which, null);
  }

  /**
   * Makes all relayers due at startup, a few at a time. Those that were claimed last come last, because one of those
   * checks may have ended a process.
   */
  async spreadOverStart(): Promise<void> {
    const claimed = { nextCheckAt: Not(IsNull()) };
    const order = { nextCheckAt: 'ASC' as const };
    const found = await this.relayers.find({ select: { id: true }, where: claimed, order });
    const together = Math.max(START_TOGETHER, Math.ceil(found.length / MAX_START_STEPS));
    const steps = Math.ceil(found.length / together);
    const stepMs = Math.min(START_STEP_MS, Math.min(this.settings.intervalMs, START_WINDOW_MS) / steps);
    for (let step = 0; step < steps; step += 1) {
      const ids = found.slice(step * together, (step + 1) * together).map(({ id }) => id);
      const nextCheckAt = new Date(Date.now() + stepMs * (step + Math.random()));
      await this.schedule({ ...claimed, id: In(ids) }, nextCheckAt);
    }
  }

  /**
   * Saves the result of a check, unless another check was claimed or requested meanwhile. The second consecutive
   * failure disables a relayer. Each change of its state is an event, saved in the same transaction.
   */
  async record(check: Claim<RelayerEntity>, reasons: SingleReasonType[]): Promise<void> {
    const { systemDisabled, failedChecks } = check.row;
    const { leaseMs, intervalMs } = this.settings;
    const [first, ...others] = reasons;
    if (first === undefined) {
      if (systemDisabled) await this.enable(check.row, () => this.change(check, ENABLED));
      // If the lease ends when the next check is due, a passed check needs no statement of its own.
      else if (failedChecks > 0 || leaseMs > intervalMs) await this.change(check, { failedChecks: 0 });
      return;
    }
    if (systemDisabled || failedChecks > 0) await this.disable(check, disabledReason([first, ...others]));
    else await this.change(check, { failedChecks: 1 });
  }

  /**
   * Enables all relayers, because nothing else would where checks are off. Each one that changes is an event. A relayer
   * whose row was altered stays as it is.
   */
  async enableAll(): Promise<void> {
    const disabled = await this.relayers.find({ select: { id: true }, where: { systemDisabled: true } });
    for (const { id } of disabled) {
      const { intact } = await this.rows.findIntact({ where: { id } });
      for (const relayer of intact) await this.enable(relayer, () => this.enableOnce(id));
    }
  }

  private async enableOnce(id: string): Promise<boolean> {
    const changes = { ...ENABLED, nextCheckAt: null };
    const { affected } = await this.relayers.update({ id, systemDisabled: true }, changes);
    return affected === 1;
  }

  /** @param change enables the relayer; false if another change did so meanwhile */
  private async enable(relayer: RelayerEntity, change: () => Promise<boolean>): Promise<void> {
    const { id, failedChecks } = relayer;
    const enabled = await this.unitOfWork.run(async () => {
      const changed = await change();
      if (changed) await this.events.enabled(await this.rows.getOrThrow(id), failedChecks);
      return changed;
    });
    if (enabled) this.logger.log('Relayer enabled', { relayer_id: id });
  }

  private async disable(check: Claim<RelayerEntity>, reason: DisabledReason): Promise<void> {
    const { id, disabledReason: known } = check.row;
    const failedChecks = check.row.failedChecks + 1;
    const changes = { systemDisabled: true, disabledReason: reason, failedChecks };
    const disabled = await this.unitOfWork.run(async () => {
      const changed = await this.change(check, { ...changes, nextCheckAt: this.nextRetry(failedChecks) });
      const isNews = changed && typesOf(known) !== typesOf(reason);
      if (isNews) await this.events.disabled(await this.rows.getOrThrow(id), reason);
      return isNews;
    });
    if (disabled) this.logger.warn('Relayer disabled', { relayer_id: id, reason: reason.type });
  }

  /** Two failures disable a relayer, so the third is the first failed retry. */
  private nextRetry(failedChecks: number): Date {
    const { retryMs, intervalMs } = this.settings;
    return spread(retryMs[Math.min(failedChecks - 2, retryMs.length - 1)] ?? intervalMs);
  }

  /** The condition on the state holds only if the result has not been saved yet. */
  private change(check: Claim<RelayerEntity>, changes: Partial<RelayerEntity>): Promise<boolean> {
    const { systemDisabled, failedChecks } = check.row;
    const nextCheckAt = spread(this.settings.intervalMs);
    return this.due.complete(check, { nextCheckAt, ...changes }, { systemDisabled, failedChecks });
  }

  private async schedule(which: FindOptionsWhere<RelayerEntity>, nextCheckAt: Date | null): Promise<void> {
    await this.unitOfWork.runStatement(() => this.relayers.update(which, { nextCheckAt }));
  }

  private get relayers() {
    return this.unitOfWork.repository(RelayerEntity);
  }
}

/** A time this far in the future, plus or minus a tenth, so that not all relayers are due at once. */
const spread = (milliseconds: number): Date =>
  new Date(Date.now() + milliseconds * (0.9 + 0.2 * Math.random()));

/** The most that {@link spread} adds to the current time. */
const longestSpread = (milliseconds: number): number => 1.1 * milliseconds;

/** Alternative conditions for relayers that are on none of these networks. */
function outside(networks: readonly NetworkName[]): FindOptionsWhere<RelayerEntity>[] {
  const types = [...new Set(networks.map(({ networkType }) => networkType))];
  const namesOf = (type: NetworkType) =>
    networks.filter(({ networkType }) => networkType === type).map(({ network }) => network);
  if (types.length === 0) return [{}];
  return [
    { networkType: Not(In(types)) },
    ...types.map((networkType) => ({ networkType, network: Not(In(namesOf(networkType))) })),
  ];
}

/** Reasons are fixed sentences by type, so comparing the types suffices. */
const typesOf = (reason: DisabledReason | null): string =>
  (reason ? singleReasons(reason) : []).map(({ type }) => type).join();
