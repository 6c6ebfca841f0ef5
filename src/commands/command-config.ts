import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { keepInspectorClosed } from '../app/inspector';
import { ServiceLogger } from '../common/logging/service-logger';
import { type AppConfig, secretsOf } from '../config/app-config';
import { processEnvironment } from '../config/env-file';
import { readConfig } from '../config/environment';

type Environment = Parameters<typeof readConfig>[0];

/** The configuration of a command, which from then on writes its log as the service does. @throws ConfigurationError */
export function commandConfig(environment: Environment = processEnvironment()): AppConfig {
  keepInspectorClosed(environment);
  const config = readConfig(environment);
  Logger.overrideLogger(new ServiceLogger(config.log, secretsOf(config)));
  return config;
}

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
