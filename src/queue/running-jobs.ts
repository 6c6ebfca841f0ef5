import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

/** The work of a queue that is under way. */
export class RunningJobs {
  private readonly logger = new Logger('JobQueue');
  private readonly jobs = new Set<Promise<void>>();

  constructor(private readonly queue: string) {}

  get count(): number {
    return this.jobs.size;
  }

  /** Resolves when the work is done; what it throws is logged. */
  run(id: string, work: (id: string) => Promise<void>): Promise<void> {
    const job = this.attempt(id, work).finally(() => {
      this.jobs.delete(job);
    });
    this.jobs.add(job);
    return job;
  }

  /** Waits until all is done, and no longer than the time given. */
  async settled(milliseconds: number): Promise<void> {
    await Promise.race([Promise.all(this.jobs), sleep(milliseconds, undefined, { ref: false })]);
  }

  private async attempt(id: string, work: (id: string) => Promise<void>): Promise<void> {
    try {
      await work(id);
    } catch (error) {
      const { message } = Object(error) as { message?: unknown };
      this.logger.warn('Job failed', { queue: this.queue, job: id, cause: String(message ?? typeof error) });
    }
  }
}
