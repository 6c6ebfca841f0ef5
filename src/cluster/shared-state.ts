import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Ipc } from '../common/cluster/ipc';
import { QUESTIONS } from '../common/cluster/primary-link';
import { silentProcesses } from '../common/cluster/silent-processes';
import type { ChargeQuestion } from '../common/throttling/primary-rate-limit.storage';
import { TokenBucketStorage } from '../common/throttling/token-bucket.storage';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What is one for all processes of the service: the rate limit, and the metrics as they are asked for. */
export class SharedState {
  private readonly storage = new TokenBucketStorage();
  private readonly links = new Map<Worker, Ipc>();
  private readonly serving = new Map<Worker, Ipc>();
  private readonly registry = new Registry();
  private readonly silent = silentProcesses(this.registry);

  connect(worker: Worker, link: Ipc): void {
    this.links.set(worker, link);
    link.handle(QUESTIONS.charge, (questions) =>
      Promise.all((questions as ChargeQuestion[]).map((question) => this.storage.charge(...question))),
    );
    link.handle(QUESTIONS.exposition, () => this.exposition());
  }

  /** From now on the process has metrics that count. */
  admit(worker: Worker): void {
    const link = this.links.get(worker);
    if (link) this.serving.set(worker, link);
  }

  /** For one that has ended or that cannot be asked any more. */
  release(worker: Worker): void {
    this.serving.delete(worker);
    this.links.delete(worker);
  }

  /** One process that does not answer leaves the figures of the others as they are. */
  private async exposition(): Promise<string> {
    const asked = [...this.serving.values()].map((link) => link.ask(QUESTIONS.metrics));
    const answers = await Promise.allSettled(asked);
    const metrics = answers
      .filter((answer) => answer.status === 'fulfilled')
      .map(({ value }) => value as Metrics);
    this.silent.set(answers.length - metrics.length);
    metrics.push(await this.registry.getMetricsAsJSON());
    return AggregatorRegistry.aggregate(metrics).metrics();
  }
}
