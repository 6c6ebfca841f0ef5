import {
  type Abstract,
  type FactoryProvider,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { ConfigurationError } from '../config/configuration-error';
import { readGivenConfig, warnOfUnusedNames } from '../config/given-config';
import { withConfigFile } from '../config/required-config-file';
import { readAddedModules } from './added-modules';
import { AppModule } from './app.module';
import { Stopping } from '../lifecycle/stopping';
import { createApplication } from './create-application';
import { assertOneProcess, type RelayerServiceOptions } from './create-relayer-service';
import type { RelayerServiceConfig } from './relayer-service-config';
import { listenForMetrics } from './servers';
import { startModules } from './start-modules';

export const EMBEDDED_OPTIONS = Symbol('options of the embedded service');

/** @public */
export interface EmbeddedServiceOptions extends RelayerServiceOptions {
  config: RelayerServiceConfig;
  /**
   * The path of the service in the host application: `/relayer` serves `/relayer/api/v1/relayers`. The service handles
   * every request below it, and no others.
   */
  path: string;
}

/** One or more segments, without a trailing slash. */
const PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** The service as a separate application, mounted below a path of a host. */
export class EmbeddedService implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  static readonly provider: FactoryProvider<EmbeddedService> = {
    provide: EmbeddedService,
    inject: [HttpAdapterHost, EMBEDDED_OPTIONS],
    useFactory: (host: HttpAdapterHost, options: EmbeddedServiceOptions) =>
      EmbeddedService.create(host, options),
  };

  private mountedOn: Express | undefined;

  private constructor(
    private readonly host: HttpAdapterHost,
    private readonly app: NestExpressApplication,
    private readonly path: string,
  ) {}

  private static async create(
    host: HttpAdapterHost,
    { config, modules = [], path }: EmbeddedServiceOptions,
  ): Promise<EmbeddedService> {
    if (!PATH.test(path)) throw new ConfigurationError([`path must be like /relayer, and is ${path}`]);
    const settings = withConfigFile(config, readGivenConfig);
    assertOneProcess(settings);
    const plugins = readAddedModules(modules);
    expressOf(host);
    // Without a logger of its own, it uses the host's.
    const app = await createApplication(AppModule.register(settings, plugins), settings, undefined, path);
    try {
      const service = new EmbeddedService(host, app, path);
      warnOfUnusedNames(config);
      await startModules(app);
      await listenForMetrics(app, settings.http);
      service.mount();
      return service;
    } catch (error) {
      // Otherwise background work would continue in a host that failed to start.
      await app.close();
      throw error;
    }
  }

  get<T>(token: Type<T> | Abstract<T>): T {
    return this.app.get<T>(token, { strict: false });
  }

  /** Not called earlier: an application that a test creates from a compiled module has no adapter until then. */
  onModuleInit(): void {
    this.mount();
  }

  /** Earlier than the end of the service, because the host's server first waits for requests that wait for a status. */
  onModuleDestroy(): void {
    this.app.get(Stopping).begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.app.close();
  }

  /** Mounts the service before all middleware of the host, in particular before its body parser. */
  private mount(): void {
    const application = expressOf(this.host);
    if (!application || application === this.mountedOn) return;
    const serve: Express = this.app.getHttpAdapter().getInstance();
    // Wrapped in a function, because an Express application would inherit settings of the host.
    application.use(this.path, (request: Request, response: Response) => serve(request, response));
    const { stack } = application.router;
    const mounted = stack.pop();
    if (mounted) stack.unshift(mounted);
    this.mountedOn = application;
  }
}

/** Undefined if the host does not serve HTTP. @throws ConfigurationError if it serves HTTP without Express */
function expressOf(host: HttpAdapterHost): Express | undefined {
  const adapter = host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
  if (!adapter) return undefined;
  const application: unknown = adapter.getInstance();
  if (!isExpress(application)) throw new ConfigurationError(['The host application must be on Express']);
  return application;
}

const isExpress = (application: unknown): application is Express =>
  typeof application === 'function' && 'router' in application;
