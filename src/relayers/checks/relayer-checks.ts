import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type FindOptionsWhere, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import type { NetworkType } from '../../chains/network-type';
import type { AppConfig, RelayerCheckSettings } from '../../config/app-config';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { UnitOfWork } from '../../database/unit-of-work';
import { ChecksUnderWay, type NetworkName } from './checks-under-way';
import { type DisabledReason, disabledReason, type SingleReasonType } from '../disabled-reason';
import { RelayerEntity } from '../relayer.entity';
import { RelayerEvents } from '../relayer-events';

/** When the service starts, all relayers are checked within this long, */
const START_WINDOW_MS = 30_000;
/** by so many in a step, */
const START_TOGETHER = 4;
/** which takes no longer than this. */
const START_STEP_MS = 1000;
/** Each is a statement. */
const MAX_START_STEPS = 250;

/** A relayer that is one instance's to check until `lease` passes, as it was when it was claimed. */
export interface ClaimedCheck {
  relayer: RelayerEntity;
  lease: Date;
}

/** Where the checks of relayers stand, in the database: whose turn it is, and what came of it. */
@Injectable()
export class RelayerChecks {
  private readonly logger = new Logger(RelayerChecks.name);
  private readonly settings: RelayerCheckSettings;
  private readonly rows: ProtectedRows<RelayerEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly events: RelayerEvents,
    integrity: RowIntegrity,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('relayerChecks', { infer: true });
    this.rows = new ProtectedRows(unitOfWork, integrity, RelayerEntity);
  }

  /** Until when a relayer that is checked now is left to whoever checks it. */
  newLease(): Date {
    return spread(this.settings.leaseMs);
  }

  /**
   * Takes up to `limit` relayers whose check is due, of each network as many as may begin beside those under way; the others
   * stay due. Of several instances one gets each. One whose row was altered is not checked; after the lease it is looked at
   * again.
   */
  async claimDue(limit: number, underWay = new ChecksUnderWay()): Promise<ClaimedCheck[]> {
    const where = [IsNull(), LessThanOrEqual(new Date())].flatMap((nextCheckAt) =>
      outside(underWay.fullNetworks).map((place) => ({ ...place, nextCheckAt })),
    );
    if (!(await this.relayers.exists({ where }))) return [];
    return this.unitOfWork.run(async () => {
      const order = { nextCheckAt: 'ASC' } as const;
      const { intact, altered } = await this.rows.findIntact({ where, order, take: limit, lock: 'skip' });
      const due = underWay.choose(intact);
      const lease = this.newLease();
      const ids = [...due.map(({ id }) => id), ...altered];
      if (ids.length > 0) await this.relayers.update({ id: In(ids) }, { nextCheckAt: lease });
      return due.map((relayer) => ({ relayer, lease }));
    });
  }

  /** Has relayers checked at once. What a check that is under way finds is not wanted any more. */
  async demand(which: FindOptionsWhere<RelayerEntity>): Promise<void> {
    await this.relayers.update(which, { nextCheckAt: null });
  }

  /**
   * Has all relayers checked when the service starts, a few each second. Those whose check was claimed last come last: among
   * them are those in which a process ended.
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
      await this.relayers.update({ ...claimed, id: In(ids) }, { nextCheckAt });
    }
  }

  /**
   * Notes what a check has found, unless another was claimed or demanded meanwhile. The second failure in a row disables
   * a relayer. Each change of its state is one event, kept together with it.
   */
  async note(check: ClaimedCheck, reasons: SingleReasonType[]): Promise<void> {
    const { systemDisabled, failedChecks } = check.relayer;
    const { leaseMs, intervalMs } = this.settings;
    const [first, ...others] = reasons;
    if (first === undefined) {
      if (systemDisabled) await this.enable(check);
      // Where the lease ends when the next check is due, most checks need no second statement.
      else if (failedChecks > 0 || leaseMs > intervalMs) await this.change(check, { failedChecks: 0 });
      return;
    }
    if (systemDisabled || failedChecks > 0) await this.disable(check, disabledReason([first, ...others]));
    else await this.change(check, { failedChecks: 1 });
  }

  private async enable(check: ClaimedCheck): Promise<void> {
    const { id, failedChecks } = check.relayer;
    const enabled = await this.unitOfWork.run(async () => {
      const changes = { systemDisabled: false, disabledReason: null, failedChecks: 0 };
      const changed = await this.change(check, changes);
      if (changed) await this.events.enabled(await this.reread(id), failedChecks);
      return changed;
    });
    if (enabled) this.logger.log('Relayer enabled', { relayer: id });
  }

  private async disable(check: ClaimedCheck, reason: DisabledReason): Promise<void> {
    const { id, disabledReason: known } = check.relayer;
    const failedChecks = check.relayer.failedChecks + 1;
    const changes = { systemDisabled: true, disabledReason: reason, failedChecks };
    const disabled = await this.unitOfWork.run(async () => {
      const changed = await this.change(check, { ...changes, nextCheckAt: this.nextRetry(failedChecks) });
      const isNews = changed && typesOf(known) !== typesOf(reason);
      if (isNews) await this.events.disabled(await this.reread(id), reason);
      return isNews;
    });
    if (disabled) this.logger.warn('Relayer disabled', { relayer: id, reason: reason.type });
  }

  /** Two failures disabled it, so the third is the first that comes of a retry. */
  private nextRetry(failedChecks: number): Date {
    const { retryMs, intervalMs } = this.settings;
    return spread(retryMs[Math.min(failedChecks - 2, retryMs.length - 1)] ?? intervalMs);
  }

  /**
   * The lease is still the one of this check only if nobody claimed or demanded another, and the state is still the one that was
   * claimed only if the check was not noted yet.
   */
  private async change({ relayer, lease }: ClaimedCheck, changes: object): Promise<boolean> {
    const { id, systemDisabled, failedChecks } = relayer;
    const { affected } = await this.relayers.update(
      { id, nextCheckAt: lease, systemDisabled, failedChecks },
      { nextCheckAt: spread(this.settings.intervalMs), ...changes },
    );
    return affected !== 0;
  }

  private async reread(id: string): Promise<RelayerEntity> {
    const relayer = await this.rows.findOneBy({ id });
    if (!relayer) throw new Error(`Relayer ${id} is not stored`);
    return relayer;
  }

  private get relayers() {
    return this.unitOfWork.repository(RelayerEntity);
  }
}

/** From now on, give or take a tenth, so that not all come at once. */
const spread = (milliseconds: number): Date =>
  new Date(Date.now() + milliseconds * (0.9 + 0.2 * Math.random()));

/** Conditions of which one holds for each relayer that is on none of these networks. */
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

/** Reasons are fixed sentences by type, so their types tell whether two are the same. */
function typesOf(reason: DisabledReason | null): string {
  if (reason?.type !== 'Multiple') return reason?.type ?? '';
  return reason.details.map(({ type }) => type).join();
}
