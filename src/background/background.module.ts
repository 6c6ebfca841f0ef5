import { Global, Module } from '@nestjs/common';
import { WorkerMetrics } from './worker.metrics';

/** What workers share; the workers themselves belong to the modules whose rows they process. */
@Global()
@Module({ providers: [WorkerMetrics], exports: [WorkerMetrics] })
export class BackgroundModule {}
