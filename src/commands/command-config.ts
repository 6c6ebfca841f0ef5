import { randomBytes } from 'node:crypto';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { keepInspectorClosed } from '../app/inspector';
import type { RelayerServiceConfig } from '../app/relayer-service-config';
import { ServiceLogger } from '../common/logging/service-logger';
import { type AppConfig, secretsOf } from '../config/app-config';
import { processEnvironment } from '../config/env-file';
import { readConfig } from '../config/environment';
import { readGivenConfig } from '../config/given-config';
import { withoutGeneration } from '../config/missing-keys';

type Environment = Parameters<typeof readConfig>[0];

/**
 * The configuration of a command, which from then on writes its log as the service does. Keys that only a start creates
 * have placeholders.
 *
 * @param given settings that replace those of the environment
 * @throws ConfigurationError
 */
export function commandConfig(given?: RelayerServiceConfig): AppConfig {
  const environment = given ?? processEnvironment();
  keepInspectorClosed(environment);
  const config = given ? readGivenConfig(given) : readConfig(withoutGeneration(environment));
  Logger.overrideLogger(new ServiceLogger(config.log, secretsOf(config)));
  return config;
}

/** The log of an application that is not started: nothing but the reason why the command has failed. */
export const failuresOnly = new ConsoleLogger({ logLevels: ['fatal'] });

/** A configuration with random keys and no stored data, for an application that is not started. */
export function throwawayConfig(settings: Environment = {}): AppConfig {
  const key = randomBytes(32).toString('base64');
  return readConfig({
    API_KEY: key,
    STORAGE_ENCRYPTION_KEY: key,
    DATABASE_URL: 'sqlite::memory:',
    ...settings,
  });
}
