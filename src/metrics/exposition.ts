import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { RESPONSE_TIMEOUT_MS } from '../cluster/ipc';
import { primaryLink, CALLS } from '../cluster/primary-link';
import { silentProcesses } from '../cluster/silent-processes';

/** The primary itself waits for the other processes. */
const EXPOSITION_TIMEOUT_MS = 2 * RESPONSE_TIMEOUT_MS;

/** The metrics of the whole service in Prometheus' text format: of all its processes, where there are several. */
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
   * The figures of all processes. Processes that do not respond within 2 s are counted in `cluster_silent_processes`; their
   * figures are the last ones that they sent.
   *
   * @throws DomainError `unavailable` where the primary does not respond
   */
  async all(): Promise<string> {
    if (!primaryLink) return this.registry.metrics();
    return String(await primaryLink.call(CALLS.exposition, undefined, EXPOSITION_TIMEOUT_MS));
  }

  /** One metric of {@link names}; throws as {@link all} does. */
  async one(name: string): Promise<string> {
    if (!primaryLink) return this.registry.getSingleMetricAsString(name);
    const metrics = (await this.all()).split(/^(?=# HELP )/m);
    const found = metrics.find((metric) => metric.startsWith(`# HELP ${name} `))?.trimEnd();
    // The start of a process is no figure of the whole service.
    return found ?? this.registry.getSingleMetricAsString(name);
  }
}
