import { Injectable } from '@nestjs/common';
import { type FindOperator, type FindOptionsWhere, In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { CLOCK_DIFFERENCE_MS } from '../../background/clock-difference';
import { type Claim, LeasedRows } from '../../background/leased-rows';
import type { ClaimRequest } from '../../background/worker';
import { WorkerMetrics } from '../../background/worker.metrics';
import { RowLookup } from '../../database/integrity/row-lookup';
import { UnitOfWork } from '../../database/unit-of-work';
import { AccountNonceEntity } from '../account-nonce.entity';

/** How long an account still belongs to an instance that has died. */
const LEASE_MS = 6000;
/** How often an idle account is compared with the chain. */
const COMPARE_MS = 300_000;
/** The number of idle accounts that are compared with the chain at a time. */
const COMPARED_TOGETHER = 100;

export type LaneClaim = Claim<AccountNonceEntity>;
export type LaneCandidate = Pick<AccountNonceEntity, 'id' | 'chainId'>;

/** Manages the due times and leases of accounts. */
@Injectable()
export class LaneRows {
  private readonly due: LeasedRows<AccountNonceEntity, LaneCandidate>;
  private readonly ledgers: RowLookup<AccountNonceEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    metrics: WorkerMetrics,
  ) {
    this.ledgers = new RowLookup(unitOfWork, AccountNonceEntity);
    this.due = new LeasedRows(unitOfWork, metrics, {
      entity: AccountNonceEntity,
      worker: 'transactions',
      dueAt: 'dueAt',
      withoutTime: 'finished',
      dueWithin: [{ ms: LEASE_MS }],
      candidate: ['chainId'],
    });
  }

  claim({ limit, since, full, admit }: ClaimRequest<LaneCandidate, LaneCandidate>): Promise<LaneClaim[]> {
    return this.due.claim({
      limit,
      since,
      lease: new Date(Date.now() + LEASE_MS),
      ...(full.length > 0 && { where: [{ chainId: Not(In(full.map(({ chainId }) => chainId))) }] }),
      choose: (candidates) => candidates.filter((candidate) => admit(candidate)),
    });
  }

  /** Renews a lease. @returns the claim with its new end; undefined if the claim is no longer valid */
  async renew(claim: LaneClaim): Promise<LaneClaim | undefined> {
    const lease = new Date(Math.max(Date.now() + LEASE_MS, claim.lease.getTime() + 1));
    return (await this.due.complete(claim, { dueAt: lease })) ? { ...claim, lease } : undefined;
  }

  /**
   * Ends the work on an account without open transactions. @returns false if something has been requested since
   * `changes` was read
   */
  async finish(claim: LaneClaim, changes: number): Promise<boolean> {
    const done = { dueAt: null, comparedAt: new Date() };
    const claimed = { id: claim.row.id, dueAt: claim.lease, changes };
    const { affected } = await this.unitOfWork.runStatement(() => this.repository.update(claimed, done));
    return affected === 1;
  }

  release(claim: LaneClaim): Promise<void> {
    return this.due.release(claim);
  }

  find(id: string): Promise<Readonly<AccountNonceEntity> | null> {
    return this.ledgers.find(id);
  }

  /** Takes over all accounts that the previous process had claimed, if the database can only have one process. */
  async takeAll(): Promise<void> {
    if (this.unitOfWork.locksRows) return;
    await this.makeDue({ dueAt: MoreThan(new Date()) });
  }

  /** Makes idle accounts due for a comparison with the chain. @returns whether any was due */
  async compareIdle(): Promise<boolean> {
    const now = Date.now();
    const old = await this.idle(LessThan(new Date(now - COMPARE_MS)));
    // A comparison in the future dates from before the clock was set back.
    const idle = [...old, ...(await this.idle(MoreThan(new Date(now + CLOCK_DIFFERENCE_MS))))];
    if (idle.length === 0) return false;
    const ids = In(idle.map(({ id }) => id));
    await this.makeDue({ id: ids, dueAt: IsNull() });
    return true;
  }

  private idle(comparedAt: FindOperator<Date>): Promise<Pick<AccountNonceEntity, 'id'>[]> {
    return this.repository.find({
      select: { id: true },
      where: { dueAt: IsNull(), comparedAt },
      order: { comparedAt: 'ASC' },
      take: COMPARED_TOGETHER,
    });
  }

  private async makeDue(which: FindOptionsWhere<AccountNonceEntity>): Promise<void> {
    const due = { dueAt: new Date() };
    await this.unitOfWork.runStatement(() => this.repository.update(which, due));
  }

  private get repository() {
    return this.unitOfWork.repository(AccountNonceEntity);
  }
}
