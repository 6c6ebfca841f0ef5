import type { Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';
import type { SharedState } from './shared-state';

const LOOK_MS = 5_000;
/** Half a minute in total: neither a busy machine nor a garbage collection takes that long. */
const MAX_MISSED = 6;

/**
 * Ends workers that no longer respond. A worker whose event loop has stopped would keep its connections forever, while
 * liveness probes only reach the others.
 */
export class HungWorkers {
  private readonly logger = new Logger(HungWorkers.name);
  private readonly missed = new Map<Worker, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly shared: Pick<SharedState, 'silentWorkers'>,
    everyMs = LOOK_MS,
  ) {
    this.timer = setInterval(() => void this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const silent = await this.shared.silentWorkers();
    for (const worker of this.missed.keys()) if (!silent.has(worker)) this.missed.delete(worker);
    for (const worker of silent) {
      const missed = (this.missed.get(worker) ?? 0) + 1;
      this.missed.set(worker, missed);
      if (missed !== MAX_MISSED) continue;
      this.logger.error('A process hangs and is ended', { worker_pid: worker.process.pid });
      worker.process.kill('SIGKILL');
    }
  }
}
