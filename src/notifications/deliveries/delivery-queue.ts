import { Injectable } from '@nestjs/common';
import type { JobQueue } from '../../queue/job-queue';
import { JobQueues } from '../../queue/job-queues';

/** The queue that carries the ids of deliveries which are due now. */
@Injectable()
export class DeliveryQueue {
  private readonly queue: JobQueue;

  constructor(queues: JobQueues) {
    this.queue = queues.named('deliveries');
  }

  /** Hands deliveries over; what gets lost here the sweeper finds. */
  add(ids: readonly string[]): void {
    void this.queue.add(ids);
  }

  process(concurrency: number, work: (id: string) => Promise<void>): void {
    this.queue.process(concurrency, work);
  }
}
