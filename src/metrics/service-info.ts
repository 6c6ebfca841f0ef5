import { Gauge, type Registry } from 'prom-client';
import { SERVICE_VERSION, serviceCommit } from '../common/service-version';

/**
 * Registers the version that is running as a gauge that is always 1, for joins and for alerts on instances that differ.
 */
export function registerServiceInfo(registry: Registry): void {
  new Gauge({
    name: 'service_info',
    help: 'Version of the service, and the commit that it was built from if the image states it; always 1',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version: SERVICE_VERSION, commit: serviceCommit() }, 1);
}
