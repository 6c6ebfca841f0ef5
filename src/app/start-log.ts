import type { AddressInfo } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { ServiceLogger } from '../common/logging/service-logger';
import { SERVICE_VERSION, serviceCommit } from '../common/service-version';
import type { AppConfig } from '../config/app-config';
import type { GeneratedKey } from '../config/missing-keys';
import { localOrigin } from './local-origin';
import { youngGenerationWarning } from './young-generation';

/** Logs what starts, and with how little memory. */
export function logStarting(logger: ServiceLogger): void {
  const details = { version: SERVICE_VERSION, commit: serviceCommit(), node: process.version };
  logger.log('Starting', details, 'Main');
  const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ''];
  const warning = youngGenerationWarning(getHeapStatistics().heap_size_limit, options);
  if (warning !== undefined) logger.warn(warning, 'Main');
}

/** Logs once where the first start has saved keys, which appear in no log. */
export function logGeneratedKeys(keys: readonly GeneratedKey[], logger: ServiceLogger): void {
  for (const { variable, file } of keys) logger.log('Key generated', { variable, file }, 'Main');
}

/** Logs where the application listens. @returns its origin, such as `http://127.0.0.1:8080` */
export function logListening(app: NestExpressApplication, { http }: AppConfig): string {
  const address = app.getHttpServer().address() as AddressInfo;
  const origin = localOrigin(address);
  const page = http.metricsPort === undefined ? { api_page: `${origin}/api-docs` } : {};
  new Logger('Main').log('Listening', { host: http.host, port: address.port, ...page });
  return origin;
}
