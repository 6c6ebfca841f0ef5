import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { PrototypedExpressAdapter } from '../common/http/prototyped-express.adapter';
import { BodyBudget } from '../common/http/body/body-budget';
import { MonitoringPages } from './monitoring/monitoring-pages';
import { MonitoringServer } from './monitoring/monitoring-server';
import type { Connections } from '../common/http/server/connections';
import { protectServer } from '../common/http/server/protect-server';
import { UnreadResponses } from '../common/http/server/unread-responses';
import type { AppConfig, HttpSettings } from '../config/app-config';
import { HttpMetrics } from '../metrics/http-metrics';
import { HttpServerMetrics } from '../metrics/http-server.metrics';

/** Whether Express trusts an address to report the clients for whom it forwards; 0 is the peer of the connection. */
type TrustProxy = (address: string, hop: number) => boolean;

/** Limits what clients may take of the servers of the application: one or, with a port for metrics, two. */
export function limitServers(
  app: NestExpressApplication,
  adapter: PrototypedExpressAdapter,
  http: HttpSettings,
): void {
  const application = adapter.getInstance<Express>();
  const [requests, metrics] = [app.get(HttpMetrics), app.get(HttpServerMetrics)];
  const trustsProxy = application.get('trust proxy fn') as TrustProxy;

  const unread = new UnreadResponses(http.maxUnreadBytes);
  unread.watch(application);
  metrics.watchBytes('unread_responses', unread);
  metrics.watchBytes('request_bodies', app.get(BodyBudget));

  const protect = (server: Server): Connections => {
    const connections = protectServer(server, http, (address) => trustsProxy(address, 0), {
      connectionClosed: (reason) => {
        metrics.connectionClosed(reason);
      },
      requestRejected: (status, code) => {
        requests.observeRejected(status, code);
      },
    });
    metrics.watchConnections(connections);
    return connections;
  };
  protect(app.getHttpServer());
  if (http.metricsPort === undefined) return;
  const server = adapter.createServer();
  app.get(MonitoringPages).separate(protect(server));
  app.get(MonitoringServer).attach(server);
}

/** Listens on `port`, and where it is set on the port for metrics. */
export async function listen(
  app: NestExpressApplication,
  { http }: AppConfig,
  port = http.port,
): Promise<void> {
  await app.listen(port, http.host);
  if (http.metricsPort !== undefined) await app.get(MonitoringServer).listen(http.metricsPort, http.host);
}
