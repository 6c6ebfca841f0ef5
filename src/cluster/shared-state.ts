import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { RecentResult } from '../common/recent-result';
import type { Handler, Ipc } from './ipc';
import { CALLS } from './primary-link';
import { silentProcesses } from './silent-processes';

// Collecting them takes the time of all processes, and the metrics are public by default.
/** How long the metrics of all processes are reused. @limit Connections and requests */
export const EXPOSITION_SHARED_FOR_MS = 500;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** State that all processes of the service share: the primary's services, and the metrics of all workers. */
export class SharedState {
  private readonly links = new Map<Worker, Ipc>();
  private readonly serving = new Map<Worker, Ipc>();
  private readonly lastMetrics = new Map<Worker, Metrics>();
  private readonly registry = new Registry();
  private readonly exposition = new RecentResult(() => this.expose(), EXPOSITION_SHARED_FOR_MS);
  private readonly silent = silentProcesses(this.registry);

  /** @param services the primary's handlers for calls of the workers, by kind */
  constructor(private readonly services: Readonly<Record<string, Handler>> = {}) {}

  connect(worker: Worker, link: Ipc): void {
    this.links.set(worker, link);
    for (const [kind, handler] of Object.entries(this.services)) link.handle(kind, handler);
    link.handle(CALLS.exposition, () => this.exposition.get());
  }

  /** Includes the metrics of a worker from now on. */
  admit(worker: Worker): void {
    const link = this.links.get(worker);
    if (link) this.serving.set(worker, link);
    this.exposition.forget();
  }

  /** Must be called when a worker has exited or disconnected. */
  release(worker: Worker): void {
    this.serving.delete(worker);
    this.links.delete(worker);
    this.lastMetrics.delete(worker);
    this.exposition.forget();
  }

  /** Calls all workers. @returns the number of workers that did not respond in time */
  async callAll(kind: string, request: unknown): Promise<number> {
    const calls = await Promise.allSettled([...this.links.values()].map((link) => link.call(kind, request)));
    return calls.filter(({ status }) => status === 'rejected').length;
  }

  /** The serving workers that do not respond in time. */
  async silentWorkers(): Promise<ReadonlySet<Worker>> {
    const silent = new Set<Worker>();
    const ping = async ([worker, link]: [Worker, Ipc]): Promise<void> => {
      await link.call(CALLS.ping).catch(() => silent.add(worker));
    };
    await Promise.all([...this.serving].map(ping));
    // Workers that have ended meanwhile do not count.
    return new Set([...silent].filter((worker) => this.serving.has(worker)));
  }

  /**
   * The metrics of all workers. If a worker does not respond, its last values are used: if a counter dropped and
   * recovered, that would look like a restart, and its whole value like an increase.
   */
  private async expose(): Promise<string> {
    const requests = [...this.serving].map(([worker, link]) => this.fetchMetrics(worker, link));
    const responded = await Promise.all(requests);
    this.silent.set(responded.filter((hasResponded) => !hasResponded).length);
    const metrics = [...this.lastMetrics.values(), await this.registry.getMetricsAsJSON()];
    return AggregatorRegistry.aggregate(metrics).metrics();
  }

  /** @returns whether the worker responded */
  private async fetchMetrics(worker: Worker, link: Ipc): Promise<boolean> {
    try {
      const metrics = (await link.call(CALLS.metrics)) as Metrics;
      if (this.serving.has(worker)) this.lastMetrics.set(worker, metrics);
      return true;
    } catch {
      return false;
    }
  }
}
