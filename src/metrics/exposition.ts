import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { RESPONSE_TIMEOUT_MS } from '../cluster/ipc';
import { primaryLink, CALLS } from '../cluster/primary-link';
import { silentProcesses } from '../cluster/silent-processes';

/** Longer than other calls, because the primary itself waits for the other processes. */
const EXPOSITION_TIMEOUT_MS = 2 * RESPONSE_TIMEOUT_MS;

/** The metrics of the whole service in Prometheus' text format, from all its processes. */
@Injectable()
export class Exposition {
  constructor(private readonly registry: Registry) {
    if (!primaryLink) return;
    silentProcesses(registry);
    primaryLink.handle(CALLS.metrics, () => registry.getMetricsAsJSON());
  }

  names(): string[] {
    return this.registry.getMetricsAsArray().map((metric) => metric.name);
  }

  /**
   * The metrics of all processes. Processes that do not respond within 2 s are counted in `cluster_silent_processes`;
   * their last values are used.
   *
   * @throws DomainError `unavailable` if the primary does not respond
   */
  async all(): Promise<string> {
    if (!primaryLink) return this.registry.metrics();
    return String(await primaryLink.call(CALLS.exposition, undefined, EXPOSITION_TIMEOUT_MS));
  }

  /** One metric of {@link names}. Throws the same errors as {@link all}. */
  async one(name: string): Promise<string> {
    if (!primaryLink) return this.registry.getSingleMetricAsString(name);
    const metrics = (await this.all()).split(/^(?=# HELP )/m);
    const found = metrics.find((metric) => metric.startsWith(`# HELP ${name} `))?.trimEnd();
    // The exposition does not contain the start times of processes, because they are not a metric of the whole service.
    return found ?? this.registry.getSingleMetricAsString(name);
  }
}
