import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import type { Handler, Ipc } from './ipc';
import { QUESTIONS } from './primary-link';
import { silentProcesses } from './silent-processes';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** What all processes of the service share: what the primary counts for them, and the metrics of all when they are scraped. */
export class SharedState {
  private readonly links = new Map<Worker, Ipc>();
  private readonly serving = new Map<Worker, Ipc>();
  private readonly told = new Map<Worker, Metrics>();
  private readonly registry = new Registry();
  private readonly silent = silentProcesses(this.registry);

  /** @param services what the primary does for the processes, by kind of request */
  constructor(private readonly services: Readonly<Record<string, Handler>> = {}) {}

  connect(worker: Worker, link: Ipc): void {
    this.links.set(worker, link);
    for (const [kind, handler] of Object.entries(this.services)) link.handle(kind, handler);
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
