import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { primaryLink, QUESTIONS } from '../common/cluster/primary-link';

/** The metrics of the whole service in Prometheus' text format: of all its processes, where there are several. */
@Injectable()
export class Exposition {
  constructor(private readonly registry: Registry) {
    primaryLink?.handle(QUESTIONS.metrics, () => registry.getMetricsAsJSON());
  }

  names(): string[] {
    return this.registry.getMetricsAsArray().map((metric) => metric.name);
  }

  /** @throws DomainError `unavailable` where another process does not answer */
  async all(): Promise<string> {
    return primaryLink ? String(await primaryLink.ask(QUESTIONS.exposition)) : this.registry.metrics();
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
