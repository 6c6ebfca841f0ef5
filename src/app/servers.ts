import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { PrototypedExpressAdapter } from '../common/http/prototyped-express.adapter';
import { causeOf, errorCodeOf } from '../common/errors/error-cause';
import { BodyBudget } from '../common/http/body/body-budget';
import { MonitoringPages } from './monitoring/monitoring-pages';
import { MonitoringServer } from './monitoring/monitoring-server';
import type { Connections } from '../common/http/server/connections';
import { protectServer } from '../common/http/server/protect-server';
import { UnreadResponses } from '../common/http/server/unread-responses';
import type { AppConfig, HttpSettings } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { Stopping } from '../lifecycle/stopping';
import type { TrustProxy } from '../common/http/client-address';
import { HttpMetrics } from '../metrics/http-metrics';
import { HttpServerMetrics } from '../metrics/http-server.metrics';
import { startModules } from './start-modules';

/**
 * Limits the connections and the memory that clients may use, on each server of the application: one or, with a port
 * for metrics, two.
 */
export function limitServers(
  app: NestExpressApplication,
  adapter: PrototypedExpressAdapter,
  http: HttpSettings,
): void {
  const application = adapter.getInstance<Express>();
  const [requests, metrics] = [app.get(HttpMetrics), app.get(HttpServerMetrics)];
  const stopping = app.get(Stopping);
  const trustsProxy = application.get('trust proxy fn') as TrustProxy;

  const unread = new UnreadResponses(http.maxUnreadBytes);
  unread.watch(application);
  metrics.watchBytes('unread_responses', unread);
  metrics.watchBytes('request_bodies', app.get(BodyBudget));

  const protect = (server: Server): Connections => {
    const connections = protectServer(server, http, (address) => trustsProxy(address, 0), {
      connectionClosed: (reason) => metrics.connectionClosed(reason),
      requestRejected: (status, code) => requests.observeRejected(status, code),
    });
    metrics.watchConnections(connections);
    stopping.onBegin(() => connections.endWithResponses(server));
    return connections;
  };
  protect(app.getHttpServer());
  if (http.metricsPort === undefined) return;
  const server = adapter.createServer();
  app.get(MonitoringPages).separate(protect(server));
  app.get(MonitoringServer).attach(server);
}

/** The meanings of the operating system's error codes. */
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not open it',
  EADDRINUSE: 'another process has it',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host is not known',
};

/**
 * Listens on `port` and, if it is set, on the port for metrics.
 *
 * @throws ConfigurationError if one of them cannot be opened
 */
export async function listen(
  app: NestExpressApplication,
  { http }: AppConfig,
  port = http.port,
): Promise<void> {
  // Called separately, so that a failing module is not reported as a failure of the port.
  await startModules(app);
  await open('PORT', port, http.host, () => app.listen(port, http.host));
  await listenForMetrics(app, http);
}

/** Opens the port for metrics, if one is set. @throws ConfigurationError if that fails */
export async function listenForMetrics(
  app: NestExpressApplication,
  { host, metricsPort }: HttpSettings,
): Promise<void> {
  if (metricsPort === undefined) return;
  await open('METRICS_PORT', metricsPort, host, () => app.get(MonitoringServer).listen(metricsPort, host));
}

async function open(
  variable: string,
  port: number,
  host: string,
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const code = errorCodeOf(error) ?? '';
    const fault = LISTEN_FAULTS[code];
    const reason = fault === undefined ? causeOf(error) : `${fault} (${code})`;
    throw new ConfigurationError([`${variable} ${port} of HOST ${host} cannot be opened: ${reason}`]);
  }
}
