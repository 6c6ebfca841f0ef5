import { Module } from '@nestjs/common';
import { RedisService } from '../redis/redis.service';
import { BullMqQueue, QUEUE_CONNECTION } from './bullmq.queue';
import { InProcessQueue } from './in-process.queue';
import { JobQueues, type OpenQueue } from './job-queues';
import { QueueMetrics } from './queue.metrics';

/** Queues that carry ids of jobs: between instances where a Redis is configured, inside this process otherwise. */
@Module({
  providers: [
    { provide: JobQueues, inject: [RedisService, QueueMetrics], useFactory: createQueues },
    QueueMetrics,
  ],
  exports: [JobQueues],
})
export class QueueModule {}

async function createQueues(redis: RedisService, metrics: QueueMetrics): Promise<JobQueues> {
  return new JobQueues(redis.configured ? await onRedis(redis) : inProcess, metrics);
}

const inProcess: OpenQueue = (name, counter) => new InProcessQueue(name, counter);

async function onRedis(redis: RedisService): Promise<OpenQueue> {
  // Who runs without Redis need not hold it in memory.
  const bullmq = await import('bullmq');
  return (name, counter) =>
    new BullMqQueue(bullmq, name, redis.connect(`queue ${name}`, QUEUE_CONNECTION), counter);
}
