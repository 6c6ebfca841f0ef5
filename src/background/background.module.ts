import { Global, Module } from '@nestjs/common';
import { WorkerMetrics } from './worker.metrics';

/** Providers shared by all workers. The workers themselves belong to the modules whose rows they process. */
@Global()
@Module({ providers: [WorkerMetrics], exports: [WorkerMetrics] })
export class BackgroundModule {}
