import { Module } from '@nestjs/common';
import { JobQueues } from './job-queues';

@Module({ providers: [JobQueues], exports: [JobQueues] })
export class QueueModule {}
