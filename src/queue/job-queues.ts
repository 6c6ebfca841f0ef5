import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { JobQueue } from './job-queue';
import type { QueueCounter, QueueMetrics } from './queue.metrics';

/** Opens the queue of a name. */
export type OpenQueue = (name: string, counter: QueueCounter) => JobQueue;

/** The queues of the service, by name. They close before the database does. */
export class JobQueues implements BeforeApplicationShutdown {
  private readonly queues = new Map<string, JobQueue>();

  constructor(
    private readonly open: OpenQueue,
    private readonly metrics: QueueMetrics,
  ) {}

  /** The queue of this name. */
  named(name: string): JobQueue {
    const known = this.queues.get(name);
    if (known) return known;
    const queue = this.open(name, this.metrics.counterOf(name));
    this.queues.set(name, queue);
    this.metrics.show(name, queue);
    return queue;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}
