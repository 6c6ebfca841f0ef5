import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Ipc } from './ipc';
import { QUESTIONS } from './primary-link';
import { silentProcesses } from './silent-processes';
import type { ChargeQuestion } from '../rate-limits/primary-rate-limit.storage';
import { TokenBucketStorage } from '../rate-limits/token-bucket.storage';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What is one for all processes of the service: the rate limit, and the metrics as they are asked for. */
export class SharedState {
  private readonly storage = new TokenBucketStorage();
  private readonly links = new Map<Worker, Ipc>();
  private readonly serving = new Map<Worker, Ipc>();
  private readonly told = new Map<Worker, Metrics>();
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
    this.told.delete(worker);
  }

  /**
   * The figures of all processes. Of one that does not answer they are what it told last: a counter that fell and came back
   * would be taken for a restart, and all of it for growth.
   */
  private async exposition(): Promise<string> {
    const asked = [...this.serving].map(([worker, link]) => this.ask(worker, link));
    const answered = await Promise.all(asked);
    this.silent.set(answered.filter((answer) => !answer).length);
    const metrics = [...this.told.values(), await this.registry.getMetricsAsJSON()];
    return AggregatorRegistry.aggregate(metrics).metrics();
  }

  /** @returns whether the process answered */
  private async ask(worker: Worker, link: Ipc): Promise<boolean> {
    try {
      const metrics = (await link.ask(QUESTIONS.metrics)) as Metrics;
      if (this.serving.has(worker)) this.told.set(worker, metrics);
      return true;
    } catch {
      return false;
    }
  }
}
