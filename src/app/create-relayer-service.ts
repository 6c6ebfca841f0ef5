import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { surviveLostWrites } from '../common/logging/lost-writes';
import { ServiceLogger } from '../common/logging/service-logger';
import { logUncaughtErrors } from '../common/logging/uncaught-errors';
import { SERVICE_VERSION } from '../common/service-version';
import { type AppConfig, secretsOf } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { type Environment, presetVariables, processEnvironment } from '../config/env-file';
import { readConfig } from '../config/environment';
import { readGivenConfig, warnOfUnusedNames } from '../config/given-config';
import { forgetProxies, forgetSecretVariables, forgetUnverifiedTls } from '../config/forget-variables';
import { type GeneratedKey, keysToGenerate } from '../config/missing-keys';
import { withConfigFile } from '../config/required-config-file';
import { SettingsReload } from '../config/settings-reload';
import type { ServiceModule } from '../plugins/plugins';
import { GeneralRateLimit } from '../access/general-rate-limit';
import { readAddedModules } from './added-modules';
import { AppModule } from './app.module';
import { createApplication } from './create-application';
import { keepInspectorClosed } from './inspector';
import { LiveProcess } from './live-process';
import { RelayerService } from './relayer-service';
import type { RelayerServiceConfig } from './relayer-service-config';
import { reloadSettings } from './reload';
import { exitOnSignals, cancelExitOnSignals } from './shutdown-signals';
import { logGeneratedKeys, logStarting } from './start-log';

/** @public */
export interface RelayerServiceOptions {
  /**
   * If omitted, settings come from the environment and the file `.env`. Once they have been read, secrets and proxies
   * are removed from the environment of the process. If given, the environment is not read, and without `NODE_ENV` the
   * settings are those of production.
   */
  config?: RelayerServiceConfig;
  /** Plugins, and other modules that they require. */
  modules?: readonly ServiceModule[];
}

/**
 * Creates the whole service with additional modules: connects to the database, migrates it and registers the routes. It
 * accepts requests once `listen` is called, and calls of its ports also once `start` is called.
 *
 * @param options unless `handleSignals` is false, SIGTERM and SIGINT end the service and the process within a time
 * limit, the service survives a log that cannot be written, and an error that nothing catches is logged before it ends the
 * process. The caller handles other signals; it may call `reload` on SIGHUP
 * @throws ConfigurationError if settings or plugins are invalid, or the database cannot be used; the message has a line
 * for each fault
 * @public
 */
export async function createRelayerService({
  config,
  modules = [],
  handleSignals = true,
}: RelayerServiceOptions & { handleSignals?: boolean } = {}): Promise<RelayerService> {
  const { settings, reloads, proxies, generated } = config ? readGiven(config) : readEnvironment();
  assertOneProcess(settings);
  const plugins = readAddedModules(modules);
  const logger = new ServiceLogger(settings.log, secretsOf(settings));
  logStarting(logger);
  logGeneratedKeys(generated, logger);
  if (handleSignals) {
    exitOnSignals();
    surviveLostWrites();
    logUncaughtErrors();
  }
  let app: NestExpressApplication;
  try {
    app = await createApplication(AppModule.register(settings, plugins), settings, logger);
  } catch (error) {
    cancelExitOnSignals();
    throw error;
  }
  new Logger('Main').log('Created', { version: SERVICE_VERSION, modules: modules.map(classNameOf) });
  if (proxies.length > 0)
    logger.warn('Proxies of the environment are not used', { variables: proxies }, 'Main');
  if (config) warnOfUnusedNames(config);
  const live = new LiveProcess(logger);
  live.limit(app.get(GeneralRateLimit));
  const reload = (next = config): boolean =>
    reloadSettings(() => reloads.read(next && (() => next)), logger, live.apply);
  return new RelayerService(app, settings, handleSignals, reload);
}

const classNameOf = (module: ServiceModule): string =>
  'module' in module ? module.module.name : module.name;

/** The settings, the object that reads them again, removed variables of proxies, and keys that were generated. */
interface ReadSettings {
  settings: AppConfig;
  reloads: SettingsReload;
  proxies: string[];
  generated: GeneratedKey[];
}

function readGiven(config: RelayerServiceConfig): ReadSettings {
  return {
    settings: withConfigFile(config, readGivenConfig),
    reloads: new SettingsReload(new Set(), config),
    proxies: [],
    generated: [],
  };
}

function readEnvironment(): ReadSettings {
  const preset = presetVariables();
  const environment: Environment = processEnvironment();
  keepInspectorClosed(environment);
  const generated = keysToGenerate(environment);
  const settings = withConfigFile(environment, readConfig);
  const reloads = new SettingsReload(preset, environment);
  const proxies = forgetProxies();
  forgetSecretVariables();
  forgetUnverifiedTls();
  return { settings, reloads, proxies, generated };
}

/** @throws ConfigurationError */
export function assertOneProcess({ processes }: AppConfig): void {
  if (processes > 1)
    throw new ConfigurationError([
      'WEB_CONCURRENCY must be 1 if a program creates the service: start several instances instead',
    ]);
}
