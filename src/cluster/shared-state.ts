import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Ipc } from '../common/cluster/ipc';
import { QUESTIONS } from '../common/cluster/primary-link';
import type { ChargeQuestion } from '../common/throttling/primary-rate-limit.storage';
import { TokenBucketStorage } from '../common/throttling/token-bucket.storage';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What is one for all processes of the service: the rate limit, and the metrics as they are asked for. */
export class SharedState {
  private readonly storage = new TokenBucketStorage();
  private readonly links = new Map<Worker, Ipc>();
  private readonly serving = new Set<Worker>();

  connect(worker: Worker, link: Ipc): void {
    this.links.set(worker, link);
    link.handle(QUESTIONS.charge, (questions) =>
      Promise.all((questions as ChargeQuestion[]).map((question) => this.storage.charge(...question))),
    );
    link.handle(QUESTIONS.exposition, () => this.exposition());
  }

  /** From now on the process has metrics that count. */
  admit(worker: Worker): void {
    this.serving.add(worker);
  }

  release(worker: Worker): void {
    this.serving.delete(worker);
    this.links.delete(worker);
  }

  private async exposition(): Promise<string> {
    const metrics = await Promise.all(
      [...this.serving].map((worker) => this.links.get(worker)?.ask(QUESTIONS.metrics) as Promise<Metrics>),
    );
    return AggregatorRegistry.aggregate(metrics).metrics();
  }
}
