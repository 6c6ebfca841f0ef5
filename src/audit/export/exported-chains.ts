import { Injectable, Logger } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';
import { type Claim, LeasedRows } from '../../background/leased-rows';
import type { ClaimRequest } from '../../background/worker';
import { WorkerMetrics } from '../../background/worker.metrics';
import { UnitOfWork } from '../../database/unit-of-work';
import { AuditChainEntity } from '../audit-chain.entity';
import { AuditEventEntity } from '../audit-event.entity';
import { type AuditPart, readPart } from '../audit-part';

/** The number of chains that the metrics consider. More are behind only after a long outage of the sink. */
const MAX_WATCHED = 100;

/** A chain that may be claimed. */
export type ExportCandidate = Pick<AuditChainEntity, 'id'>;

export type ExportClaim = Claim<AuditChainEntity>;

/** Tracks which rows of each chain the sink has received. */
@Injectable()
export class ExportedChains {
  private readonly logger = new Logger(ExportedChains.name);
  private readonly rows: LeasedRows<AuditChainEntity, ExportCandidate>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    metrics: WorkerMetrics,
    private readonly leaseMs: number,
    longestRetryMs: number,
  ) {
    this.rows = new LeasedRows(unitOfWork, metrics, {
      entity: AuditChainEntity,
      worker: 'audit_export',
      dueAt: 'exportAt',
      withoutTime: 'finished',
      dueWithin: [{ ms: Math.max(leaseMs, longestRetryMs) }],
      candidate: [],
    });
  }

  /** Claims chains with rows to export. Only one instance exports a chain at a time. */
  claim({ limit, since, admit }: ClaimRequest<ExportCandidate, ExportCandidate>): Promise<ExportClaim[]> {
    const lease = new Date(Date.now() + this.leaseMs);
    return this.rows.claim({ limit, since, lease, choose: (chains) => chains.filter(admit) });
  }

  /** The next rows of a chain that have not been exported. */
  next({ row }: ExportClaim, exported: number, limit: number): Promise<AuditPart> {
    const selection = this.unitOfWork
      .repository(AuditEventEntity)
      .createQueryBuilder('event')
      .where({ chain: Number(row.id), sequence: MoreThan(exported) })
      .orderBy('event.sequence', 'ASC');
    return readPart(selection, limit);
  }

  /** Saves the progress of the export and continues it. @returns whether the claim is still valid */
  progress(claim: ExportClaim, exported: number): Promise<boolean> {
    return this.rows.complete(claim, { exported });
  }

  /** Ends a claim before everything is exported. @param dueAt when to export the rest */
  async continue(claim: ExportClaim, exported: number, dueAt: Date): Promise<void> {
    await this.rows.complete(claim, { exported, exportAt: dueAt });
  }

  /** Ends a claim after the last row that was found. */
  async end(claim: ExportClaim, exported: number): Promise<void> {
    const { id, sequence: atLeast, prunedAt } = claim.row;
    if (exported < atLeast) {
      // Rows are committed together with their head, so missing rows were purged, or somebody has removed them.
      if (!prunedAt)
        this.logger.error('Audit events are missing: run audit:verify', { chain: id, after: exported });
      await this.rows.complete(claim, { exported: atLeast, exportAt: null });
      return;
    }
    const head = await this.unitOfWork.repository(AuditChainEntity).findOneBy({ id });
    const isAll =
      head?.sequence === exported &&
      (await this.rows.complete(claim, { exported, exportAt: null }, { sequence: exported }));
    // Further rows have been written meanwhile.
    if (!isAll) await this.continue(claim, exported, new Date());
  }

  /** How long the oldest row has been waiting for export, in seconds. */
  async lagSeconds(): Promise<number> {
    const behind = await this.unitOfWork.repository(AuditChainEntity).find({
      where: { exportAt: Not(IsNull()) },
      order: { exportAt: 'ASC' },
      take: MAX_WATCHED,
    });
    const events = this.unitOfWork.repository(AuditEventEntity);
    const first = await Promise.all(
      behind
        .filter(({ exported, sequence }) => exported < sequence)
        .map(({ id, exported }) => events.findOneBy({ chain: Number(id), sequence: exported + 1 })),
    );
    const oldest = Math.min(...first.flatMap((event) => (event ? [event.at.getTime()] : [])), Date.now());
    return (Date.now() - oldest) / 1000;
  }
}
