import { randomBytes } from 'node:crypto';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app/app.module';
import { listen } from '../../src/app/servers';
import { createApplication } from '../../src/app/create-application';
import { ServiceLogger } from '../../src/common/logging/service-logger';
import type {
  AppConfig,
  HttpSettings,
  RelayerCheckSettings,
  WebhookSettings,
} from '../../src/config/app-config';
import { type Environment, readConfig } from '../../src/config/environment';
import type { TestDatabase } from './databases';
import { type HttpResponse, type Call, send } from './http';
import { departures } from './openapi';

/** Keeps what production would print, in the same form. */
class RecordingLogger extends ServiceLogger {
  readonly lines: string[] = [];

  protected override printAsJson(...[message, options]: Parameters<ServiceLogger['printAsJson']>): void {
    this.lines.push(this.stringifyJsonLogObject(this.getJsonLogObject(message, options)));
  }
}

/** The service as it runs in production, on a free port, with everything recorded that leaves it. */
export class TestApplication {
  private readonly answers: string[] = [];
  private readonly departures: string[] = [];
  private readonly secrets: string[] = [];

  private constructor(
    readonly app: NestExpressApplication,
    readonly config: AppConfig,
    readonly url: string,
    private readonly logger: RecordingLogger,
  ) {}

  /**
   * @param root wraps the application module where a test adds modules to it
   * @param checks how relayers are checked; not at all where it is left out
   * @param webhooks how events reach their receivers, where it matters
   * @param http limits of requests and connections, where they matter
   */
  static async start(
    database: TestDatabase,
    settings: Environment = {},
    root: (module: DynamicModule) => Type | DynamicModule = (module) => module,
    checks: Partial<RelayerCheckSettings> = {},
    webhooks: Partial<WebhookSettings> = {},
    http: Partial<HttpSettings> = {},
  ): Promise<TestApplication> {
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      API_KEY: `test-${randomBytes(24).toString('hex')}`,
      STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: database.url,
      RATE_LIMIT_REQUESTS_PER_SECOND: '100000',
      RATE_LIMIT_BURST_SIZE: '100000',
      // What tests call is on this machine.
      OUTBOUND_ALLOW: '127.0.0.0/8, ::1',
      // Most relayers of tests are on public networks, which no test may call.
      RELAYER_CHECK_INTERVAL_SECONDS: '0',
      LOG_LEVEL: 'verbose',
      LOG_FORMAT: 'json',
      NODE_ENV: 'production',
      ...settings,
    };
    const read = readConfig(env);
    const config = {
      ...read,
      relayerChecks: { ...read.relayerChecks, ...checks },
      webhooks: { ...read.webhooks, ...webhooks },
      http: { ...read.http, ...http },
    };
    const logger = new RecordingLogger(config.log, []);
    const app = await createApplication(root(AppModule.register(config)), config, logger);
    await listen(app, config, 0);
    const application = new TestApplication(
      app,
      config,
      (await app.getUrl()).replace('[::1]', '127.0.0.1'),
      logger,
    );
    application.keepSecret(config.apiKey.reveal());
    for (const key of config.storageKeys) application.keepSecret(key.reveal());
    return application;
  }

  /** Sends a request with the API key, unless the call has its own `authorization` (undefined for none). */
  async call(call: Call): Promise<HttpResponse> {
    const { authorization = `Bearer ${this.config.apiKey.reveal()}`, ...headers } = { ...call.headers };
    const withToken = 'authorization' in (call.headers ?? {}) && call.headers?.authorization === undefined;
    const answer = await send(this.url, {
      ...call,
      headers: withToken ? headers : { ...headers, authorization },
    });
    this.record(call, answer);
    return answer;
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

  /** Names a text that must never leave the service; {@link close} looks for it in everything that did. */
  keepSecret(secret: string): string {
    this.secrets.push(secret);
    return secret;
  }

  get logs(): readonly string[] {
    return this.logger.lines;
  }

  /** Stops the service and fails if a secret left it or an answer departed from the OpenAPI document. */
  async close(): Promise<void> {
    const metrics = await send(this.url, { path: '/debug/metrics/scrape' });
    await this.app.close();
    const left = [...this.answers, ...this.logger.lines, metrics.text];
    const leaks = this.secrets.flatMap((secret) => left.filter((text) => text.includes(secret)));
    expect(leaks).toEqual([]);
    expect(this.departures).toEqual([]);
  }

  private record({ method = 'GET', path }: Call, answer: HttpResponse): void {
    this.answers.push(JSON.stringify(answer.headers) + answer.text);
    this.departures.push(...departures(method, path, answer));
  }
}
