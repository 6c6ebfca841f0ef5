import './app/thread-pool';
import 'reflect-metadata';
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { Logger } from '@nestjs/common';
import { AppModule } from './app/app.module';
import { allowSlowConnecting } from './app/connect-attempts';
import { listen } from './app/servers';
import { createApplication } from './app/create-application';
import {
  exitOnSignals,
  cancelExitOnSignals,
  longestStopMs,
  SHUTDOWN_SIGNALS,
  stopOnSignals,
} from './app/shutdown-signals';
import { isFirstProcess, Primary } from './cluster/primary';
import { CALLS, primaryLink } from './cluster/primary-link';
import { surviveLostWrites } from './common/logging/lost-writes';
import { logProcessWarnings } from './common/logging/process-warnings';
import { ServiceLogger } from './common/logging/service-logger';
import { logUncaughtErrors } from './common/logging/uncaught-errors';
import { ConfigurationError } from './config/configuration-error';
import { secretsOf } from './config/app-config';
import { generatedKeyFile } from './config/development-secrets';
import { presetVariables, processEnvironment } from './config/env-file';
import { readConfig } from './config/environment';
import { forgetSecretVariables, forgetUnverifiedTls } from './config/forget-variables';
import { warnOfMisspeltSettings } from './config/misspelt-settings';
import { keysToGenerate } from './config/missing-keys';
import { withConfigFile } from './config/required-config-file';
import { useNoProxies } from './config/no-proxies';
import { onDatabaseAndOthers, UnusableDatabaseError } from './database/unusable-database';
import { keepInspectorClosed } from './app/inspector';
import { LiveProcess } from './app/live-process';
import { logGeneratedKeys, logListening, logStarting } from './app/start-log';
import { reloadSettings } from './app/reload';
import type { LiveSettings } from './config/live-settings';
import { SettingsReload } from './config/settings-reload';
import { GeneralRateLimit } from './access/general-rate-limit';
import { chargeInPrimary } from './rate-limits/primary-rate-limit.storage';
import { DemonstrationService } from './provisioning/demonstration/demonstration.service';
import { contentOf, demonstrationCommand } from './provisioning/demonstration/demonstration-command';

async function main(): Promise<void> {
  // By default, V8 lets the heap double between collections, so that memory would grow by half under load before it
  // levels off.
  setFlagsFromString('--heap-growing-percent=50');
  allowSlowConnecting();
  surviveLostWrites();
  logUncaughtErrors();
  exitOnSignals();
  const preset = presetVariables();
  const environment = processEnvironment();
  keepInspectorClosed(environment);
  const proxies = useNoProxies();
  const generated = keysToGenerate(environment);
  const config = withConfigFile(environment, readConfig);
  const logger = new ServiceLogger(config.log, secretsOf(config));
  logProcessWarnings(logger);
  if (isFirstProcess()) {
    logStarting(logger);
    logGeneratedKeys(generated, logger);
  }
  if (forgetUnverifiedTls() && isFirstProcess())
    logger.warn('NODE_TLS_REJECT_UNAUTHORIZED is not used: certificates are verified', {}, 'Main');
  const live = new LiveProcess(logger);
  if (cluster.isPrimary) {
    const settings = new SettingsReload(preset, environment);
    process.on('SIGHUP', () => {
      reloadSettings(() => settings.read(), logger, live.apply);
    });
  } else {
    // The primary receives the signal too, and sends the settings to this process.
    process.on('SIGHUP', () => undefined);
    primaryLink?.handle(CALLS.settings, (settings) => live.apply(settings as LiveSettings));
  }
  if (proxies.length > 0 && isFirstProcess())
    logger.warn('Proxies of the environment are not used', { variables: proxies }, 'Main');
  if (cluster.isPrimary) warnOfMisspeltSettings(environment, logger);
  if (config.processes > 1 && cluster.isPrimary) {
    Logger.overrideLogger(logger);
    cancelExitOnSignals();
    const ports = config.http.metricsPort === undefined ? 1 : 2;
    const primary = new Primary(config.processes, longestStopMs(config), primaryServices(), { ports });
    live.attach(primary);
    process.exit(await primary.run(SHUTDOWN_SIGNALS));
  }
  forgetSecretVariables();
  const app = await onDatabaseAndOthers(config.database, async () => {
    const created = await createApplication(AppModule.register(config), config, logger);
    live.limit(created.get(GeneralRateLimit));
    stopOnSignals(created, config);
    await listen(created, config);
    return created;
  });

  if (!isFirstProcess()) return;
  const origin = logListening(app, config);
  if (app.get(DemonstrationService).active) {
    // The command reads the key from its file, because logs outlive keys.
    const token = config.apiKeyGenerated ? contentOf(generatedKeyFile('api-key')) : '$API_KEY';
    process.stdout.write(`${demonstrationCommand(origin, token)}\n`);
  }
}

/** The primary's handlers for calls of the workers. */
const primaryServices = () => ({ [CALLS.charge]: chargeInPrimary() });

/** For the log: the stack only if nothing else explains the failure. */
function causeOfFailure(error: unknown): unknown {
  if (error instanceof UnusableDatabaseError) return error.message;
  return error instanceof Error ? error.stack : error;
}

main().catch((error: unknown) => {
  const isFault = error instanceof ConfigurationError && !(error instanceof UnusableDatabaseError);
  if (isFault) process.stderr.write(`${error.message}\n`);
  else new Logger('Main').fatal('The service could not start', { cause: causeOfFailure(error) });
  process.exit(1);
});
