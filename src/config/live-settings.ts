import type { LogLevel } from '@nestjs/common';
import type { AppConfig } from './app-config';
import type { Read } from './read-setting';
import type { SettingName } from './settings';

/** The settings that SIGHUP applies to the running service; all others apply at startup. */
export interface LiveSettings {
  logLevel: LogLevel;
  rateLimit: AppConfig['rateLimit'];
}

export const LIVE_SETTINGS = [
  'LOG_LEVEL',
  'RATE_LIMIT_REQUESTS_PER_SECOND',
  'RATE_LIMIT_BURST_SIZE',
] as const satisfies SettingName[];

export const readLogLevel = (read: Read): LogLevel => read('LOG_LEVEL') ?? 'log';

export const readRateLimit = (read: Read): AppConfig['rateLimit'] => ({
  requestsPerSecond: read('RATE_LIMIT_REQUESTS_PER_SECOND'),
  burstSize: read('RATE_LIMIT_BURST_SIZE'),
});
