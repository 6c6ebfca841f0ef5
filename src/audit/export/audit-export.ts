import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { GroupSlots } from '../../background/slots';
import { Worker } from '../../background/worker';
import { WorkerMetrics } from '../../background/worker.metrics';
import { TimeLimit } from '../../common/event-loop/time-limit';
import { causeOf, errorCodeOf } from '../../common/errors/error-cause';
import type { AppConfig } from '../../config/app-config';
import { ConfigurationError } from '../../config/configuration-error';
import { UnitOfWork } from '../../database/unit-of-work';
import { OutboundHttp } from '../../outbound/outbound-http';
import type { AuditChainEntity } from '../audit-chain.entity';
import type { AuditEventEntity } from '../audit-event.entity';
import { AuditExportMetrics } from './audit-export.metrics';
import type { AuditSink } from './audit-sink';
import { type ExportCandidate, type ExportClaim, ExportedChains } from './exported-chains';
import { FileSink } from './file-sink';
import { HttpsSink } from './https-sink';
import { SyslogSink } from './syslog-sink';

/** Audit events that are sent to the sink at once. @limit Audit log */
const BATCH = 500;
/** The number of chains that a process exports at the same time; the others wait in the database. */
const SLOTS = 4;
const PACE_MS = 100;
const STOP_MS = 3000;
/** Time for the sink to accept a batch. @limit Audit log */
const WRITE_TIMEOUT_MS = 10_000;
/**
 * A claim sends batches for this long, and its lease leaves enough time for one more batch that runs into its timeout.
 */
const CLAIM_MS = 20_000;
const LEASE_MS = CLAIM_MS + 3 * WRITE_TIMEOUT_MS;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Sends every audit event to the sink that the operator has configured, if any. It reads committed rows, so that a
 * failing sink affects nothing else.
 */
@Injectable()
export class AuditExport implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditExport.name);
  private readonly worker: Worker<ExportCandidate, ExportCandidate, AuditChainEntity, unknown> | undefined;
  private failures = 0;

  constructor(
    unitOfWork: UnitOfWork,
    workers: WorkerMetrics,
    http: OutboundHttp,
    private readonly metrics: AuditExportMetrics,
    private readonly config: ConfigService<AppConfig, true>,
  ) {
    const sink = this.openSink(http);
    if (!sink) return;
    const chains = new ExportedChains(unitOfWork, workers, LEASE_MS, LONGEST_RETRY_MS);
    metrics.watch(() => chains.lagSeconds());
    this.worker = new Worker({
      name: 'audit_export',
      slots: new GroupSlots<ExportCandidate>(SLOTS, 1, ({ id }) => id),
      batch: SLOTS,
      paceMs: PACE_MS,
      stopMs: STOP_MS,
      claim: (request) => chains.claim(request),
      process: (claim, cutOff) => this.export(chains, sink, claim, cutOff),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('background', { infer: true })) this.worker?.resume();
  }

  async onModuleDestroy(): Promise<void> {
    await this.worker?.stop();
  }

  /** @throws ConfigurationError if the file of a sink cannot be written, which prevents startup */
  private openSink(http: OutboundHttp): AuditSink | undefined {
    const { sink, sinkCa: ca } = this.config.get('audit', { infer: true });
    switch (sink?.kind) {
      case undefined:
        return undefined;
      case 'file':
        return openFile(sink.path);
      case 'syslog':
        return new SyslogSink({ ...sink, ca });
      case 'https':
        return new HttpsSink(http, sink.url, WRITE_TIMEOUT_MS);
    }
  }

  private async export(
    chains: ExportedChains,
    sink: AuditSink,
    claim: ExportClaim,
    cutOff: AbortSignal,
  ): Promise<undefined> {
    let { exported } = claim.row;
    const send = async (events: readonly AuditEventEntity[]): Promise<void> => {
      const last = events.at(-1);
      if (!last) return;
      const limit = new TimeLimit(WRITE_TIMEOUT_MS, cutOff);
      try {
        await sink.write(events, limit.signal);
      } finally {
        limit.clear();
      }
      exported = last.sequence;
      this.failures = 0;
      this.metrics.countExported(events.length);
    };
    const until = performance.now() + CLAIM_MS;
    try {
      let isLast = false;
      for (let isMine = true; isMine && !isLast && performance.now() < until;) {
        const part = await chains.next(claim, exported, BATCH);
        isLast = part.isLast;
        await send(part.events);
        if (!isLast) isMine = await chains.progress(claim, exported);
      }
      await (isLast ? chains.end(claim, exported) : chains.continue(claim, exported, new Date()));
    } catch (error) {
      if (!cutOff.aborted) this.reportFailure(error);
      const pauseMs = cutOff.aborted ? 0 : this.retryMs;
      await chains.continue(claim, exported, new Date(Date.now() + pauseMs));
    }
    return undefined;
  }

  private reportFailure(error: unknown): void {
    this.failures += 1;
    this.metrics.countFailure();
    this.logger.warn('The audit sink did not accept events; they will be sent again', {
      cause: causeOf(error),
    });
  }

  private get retryMs(): number {
    return Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.failures - 1, 10), LONGEST_RETRY_MS);
  }
}

function openFile(path: string): FileSink {
  try {
    return FileSink.open(path);
  } catch (error) {
    throw new ConfigurationError([`AUDIT_SINK names a file that cannot be opened: ${errorCodeOf(error)}`]);
  }
}
