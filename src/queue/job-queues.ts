import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { RedisService } from '../redis/redis.service';
import { BullMqQueue, QUEUE_CONNECTION } from './bullmq.queue';
import { InProcessQueue } from './in-process.queue';
import type { JobQueue } from './job-queue';
import { QueueMetrics } from './queue.metrics';

/** The queues of the service, by name. They close before the database does. */
@Injectable()
export class JobQueues implements BeforeApplicationShutdown {
  private readonly queues = new Map<string, JobQueue>();

  constructor(
    private readonly redis: RedisService,
    private readonly metrics: QueueMetrics,
  ) {}

  /** The queue of this name: on Redis where one is configured, in this process otherwise. */
  named(name: string): JobQueue {
    const known = this.queues.get(name);
    if (known) return known;
    const queue = this.open(name);
    this.queues.set(name, queue);
    this.metrics.show(name, queue);
    return queue;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private open(name: string): JobQueue {
    const counter = this.metrics.counterOf(name);
    if (!this.redis.configured) return new InProcessQueue(name, counter);
    return new BullMqQueue(name, this.redis.connect(`queue ${name}`, QUEUE_CONNECTION), counter);
  }
}
