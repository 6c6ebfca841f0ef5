import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Between, MoreThan } from 'typeorm';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import type { AuditChainEntity } from '../audit-chain.entity';
import { AuditEventEntity } from '../audit-event.entity';
import { AuditLog } from '../audit-log';
import { changesOf } from '../changed-fields';
import { ChainRegister } from '../chain-register';

/** The number of rows per statement. */
const BATCH = 1000;
/** How long after its beginning a chain may still get a row: a day, plus an hour for clocks that differ. */
const LENGTH_MS = 25 * 3_600_000;
/** The number of chains that cannot be purged after which no others are looked for. */
const MAX_SKIPPED = 100;

/** A chain and its first row. */
interface OldestChain {
  head: Readonly<AuditChainEntity>;
  sequence: number;
}

/** Purges entire chains that are older than the retention period. Their signed heads are kept. */
@Injectable()
export class AuditRetention extends Purge {
  private readonly withoutHead = new Set<number>();
  private readonly retentionMs: number | undefined;
  private readonly waitsForSink: boolean;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly register: ChainRegister,
    private readonly audit: AuditLog,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'audit events');
    const { retentionMs, sink } = config.get('audit', { infer: true });
    this.retentionMs = retentionMs;
    this.waitsForSink = sink !== undefined;
  }

  /**
   * Deletes some rows of the oldest chain whose last row is older than the retention period. The head is marked first,
   * so that the rows do not count as missing. Rows that a sink has not received are kept.
   *
   * @throws RowAlteredError
   */
  async purgeSome(): Promise<boolean> {
    if (this.retentionMs === undefined) return false;
    const oldest = await this.findOldest(Date.now() - this.retentionMs - LENGTH_MS);
    if (!oldest) return false;
    const { head, sequence } = oldest;
    if (!head.prunedAt) await this.unitOfWork.run(() => this.mark(head));
    const rows = Between(sequence, sequence + BATCH - 1);
    await this.unitOfWork.run(() => this.events.delete({ chain: Number(head.id), sequence: rows }));
    return true;
  }

  /**
   * The first chain that can be purged. Rows without a head are evidence of tampering, so they are kept, but others do
   * not wait for them, nor for a chain that was begun by a clock that was ahead, or that a sink has not received.
   *
   * @param before the time before which it was begun, in milliseconds
   */
  private async findOldest(before: number): Promise<OldestChain | undefined> {
    let last = 0;
    for (let skipped = 0; skipped <= MAX_SKIPPED; skipped += 1) {
      const first = await this.events.findOne({
        select: { chain: true, sequence: true },
        where: { chain: MoreThan(last) },
        order: { chain: 'ASC', sequence: 'ASC' },
      });
      if (!first) return undefined;
      const head = await this.register.rows.findById(String(first.chain));
      if (!head) this.warn(first.chain);
      else if (head.createdAt.getTime() <= before && !this.isAwaited(head))
        return { head, sequence: first.sequence };
      last = first.chain;
    }
    return undefined;
  }

  /** Whether a sink has not received all rows of a chain. */
  private isAwaited({ exported, sequence }: Readonly<AuditChainEntity>): boolean {
    return this.waitsForSink && exported < sequence;
  }

  private warn(chain: number): void {
    if (this.withoutHead.has(chain)) return;
    this.withoutHead.add(chain);
    this.logger.warn('Audit events without a chain are kept: run audit:verify', { chain });
  }

  private async mark({ id }: Readonly<AuditChainEntity>): Promise<void> {
    const head = await this.register.rows.findToChange(id);
    // Another instance has already marked it.
    if (!head || head.prunedAt) return;
    await this.register.rows.update(head, { prunedAt: new Date() });
    const { name, sequence } = head;
    await this.audit.record({ action: 'audit.prune', changes: changesOf(id, { name, sequence }, null) });
  }

  private get events() {
    return this.unitOfWork.repository(AuditEventEntity);
  }
}
