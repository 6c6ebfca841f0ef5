import { Module } from '@nestjs/common';
import { JobQueues } from './job-queues';
import { QueueMetrics } from './queue.metrics';

/** Queues that carry ids of jobs, inside this process or between instances. */
@Module({ providers: [JobQueues, QueueMetrics], exports: [JobQueues] })
export class QueueModule {}
