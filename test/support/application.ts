import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app/app.module';
import { readAddedModules } from '../../src/app/added-modules';
import type { ServiceModule } from '../../src/plugins/plugins';
import { listen } from '../../src/app/servers';
import { createApplication } from '../../src/app/create-application';
import { ServiceLogger } from '../../src/common/logging/service-logger';
import type {
  AppConfig,
  HttpSettings,
  RelayerCheckSettings,
  TransactionSettings,
  WebhookSettings,
} from '../../src/config/app-config';
import type { Environment } from '../../src/config/env-file';
import { readConfig } from '../../src/config/environment';
import type { TestDatabase } from './databases';
import { type HttpResponse, type Call, send } from './http';
import { departures } from './openapi';

/** Records what production would print, in the same form. */
class RecordingLogger extends ServiceLogger {
  readonly lines: string[] = [];

  protected override printAsJson(...[message, options]: Parameters<ServiceLogger['printAsJson']>): void {
    this.lines.push(this.stringifyJsonLogObject(this.getJsonLogObject(message, options)));
  }
}

const DEFAULTS: Environment = {
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_REQUESTS_PER_SECOND: '100000',
  RATE_LIMIT_BURST_SIZE: '100000',
  // The servers that tests call are on this machine.
  OUTBOUND_ALLOW: '127.0.0.0/8, ::1',
  // Most relayers in tests are on public networks, which no test may call.
  RELAYER_CHECK_INTERVAL_SECONDS: '0',
  LOG_LEVEL: 'verbose',
  LOG_FORMAT: 'json',
  NODE_ENV: 'production',
};

/** Connections that a test leaves open end with the service. */
const SHUTDOWN_MS = 500;

const newSecrets = (): Environment => ({
  API_KEY: `test-${randomBytes(24).toString('hex')}`,
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
});

/** Parts of the service's configuration that have no environment variable, and modules that a test adds. */
export interface Overrides {
  /** How relayers are checked; if omitted, not at all. */
  checks?: Partial<RelayerCheckSettings>;
  /** How events are delivered to their receivers. */
  webhooks?: Partial<WebhookSettings>;
  /** How transactions are sent. */
  transactions?: Partial<TransactionSettings>;
  /** Limits on requests and connections. */
  http?: Partial<HttpSettings>;
  /** Plugins. */
  modules?: readonly ServiceModule[];
  /** Wraps the application module, if a test adds modules to it. */
  root?: (module: DynamicModule) => Type | DynamicModule;
}

/** The state of a service since its last start. */
interface Running {
  app: NestExpressApplication;
  config: AppConfig;
  url: string;
  logger: RecordingLogger;
  responses: string[];
  departures: string[];
  secrets: string[];
}

/** The service as it runs in production, on a free port. Everything that leaves it is recorded. */
export class TestApplication {
  private current: Running | undefined;
  private open = false;

  /**
   * Starts the service on a database.
   *
   * @param settings environment variables
   */
  static async start(
    database: TestDatabase,
    settings: Environment = {},
    overrides: Overrides = {},
  ): Promise<TestApplication> {
    const service = new TestApplication();
    await service.start(database, settings, overrides);
    return service;
  }

  /** Like the static method. The same object may be started again once it is closed. */
  async start(
    database: TestDatabase,
    settings: Environment = {},
    { root = (module) => module, modules = [], checks, webhooks, transactions, http }: Overrides = {},
  ): Promise<void> {
    const read = readConfig({ ...DEFAULTS, ...newSecrets(), DATABASE_URL: database.url, ...settings });
    const config = {
      ...read,
      relayerChecks: { ...read.relayerChecks, ...checks },
      webhooks: { ...read.webhooks, ...webhooks },
      transactions: { ...read.transactions, ...transactions },
      http: { ...read.http, shutdownTimeoutMs: SHUTDOWN_MS, ...http },
    };
    const plugins = readAddedModules(modules);
    const logger = new RecordingLogger(config.log, []);
    const app = await createApplication(root(AppModule.register(config, plugins)), config, logger);
    try {
      await listen(app, config, 0);
    } catch (error) {
      // Otherwise the parts that have started would continue alongside the following tests, and keep the process from
      // ending.
      await app.close();
      throw error;
    }
    const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    const secrets = [...config.apiKeys, ...config.storageKeys].map((secret) => secret.reveal());
    this.current = { app, config, url, logger, secrets, responses: [], departures: [] };
    this.open = true;
  }

  get isOpen(): boolean {
    return this.open;
  }

  get app(): NestExpressApplication {
    return this.now.app;
  }

  get config(): AppConfig {
    return this.now.config;
  }

  get url(): string {
    return this.now.url;
  }

  /** Sends a request with the API key, unless the call has its own `authorization` (undefined for none). */
  async call(call: Call): Promise<HttpResponse> {
    const { authorization = `Bearer ${this.config.apiKeys[0].reveal()}`, ...headers } = { ...call.headers };
    const withToken = 'authorization' in (call.headers ?? {}) && call.headers?.authorization === undefined;
    const response = await send(this.url, {
      ...call,
      headers: withToken ? headers : { ...headers, authorization },
    });
    this.record(call, response);
    return response;
  }

  get(path: string, headers?: Call['headers']): Promise<HttpResponse> {
    return this.call({ path, ...(headers && { headers }) });
  }

  post(path: string, body: unknown): Promise<HttpResponse> {
    return this.call({ method: 'POST', path, body });
  }

  patch(path: string, body: unknown): Promise<HttpResponse> {
    return this.call({ method: 'PATCH', path, body });
  }

  /** Declares a text that must never leave the service; {@link close} searches for it in everything that did. */
  keepSecret(secret: string): string {
    this.now.secrets.push(secret);
    return secret;
  }

  get logs(): readonly string[] {
    return this.now.logger.lines;
  }

  /** Stops the service. Fails if a secret has left it, or a response did not conform to the OpenAPI document. */
  async close(): Promise<void> {
    const { app, url, logger, responses, departures: departed, secrets } = this.now;
    // On a new connection, because the service may be closing an idle one at this moment.
    const metrics = await send(url, { path: '/debug/metrics/scrape' }, new Agent());
    await app.close();
    this.open = false;
    const left = [...responses, ...logger.lines, metrics.text];
    const leaks = secrets.flatMap((secret) => left.filter((text) => text.includes(secret)));
    expect(leaks).toEqual([]);
    expect(departed).toEqual([]);
  }

  private get now(): Running {
    if (!this.current) throw new Error('The service was not started');
    return this.current;
  }

  private record({ method = 'GET', path }: Call, response: HttpResponse): void {
    this.now.responses.push(JSON.stringify(response.headers) + response.text);
    this.now.departures.push(...departures(method, path, response));
  }
}
