import type { ServiceLogger } from '../common/logging/service-logger';
import { ConfigurationError } from '../config/configuration-error';
import type { Environment } from '../config/env-file';
import type { LiveSettings } from '../config/live-settings';
import type { ReloadedSettings } from '../config/settings-reload';

/**
 * Applies live settings that were read again. @param texts the texts of their variables, for processes that start later
 */
export type Apply = (live: LiveSettings, texts: Environment) => void;

/**
 * Handles SIGHUP: reads the settings again, applies those that can change while the service is running, and logs what
 * changed and what applies only at the next start. If any setting is invalid, nothing changes.
 *
 * @param read throws ConfigurationError if the settings are invalid
 * @returns whether they were applied
 */
export function reloadSettings(read: () => ReloadedSettings, logger: ServiceLogger, apply: Apply): boolean {
  try {
    const reloaded = read();
    // Logs at the old or the new level, whichever shows the lines.
    const isShown = logger.isLevelEnabled('log');
    if (isShown) report(reloaded, logger);
    apply(reloaded.live, reloaded.texts);
    if (!isShown) report(reloaded, logger);
    return true;
  } catch (error) {
    const faults = error instanceof ConfigurationError ? error.faults : ['The settings cannot be read'];
    logger.error('Settings were not reloaded: the previous ones stay', { faults }, 'Main');
    return false;
  }
}

function report({ live, changed, forNextStart }: ReloadedSettings, logger: ServiceLogger): void {
  const { logLevel, rateLimit } = live;
  logger.log(
    'Settings reloaded',
    {
      changed,
      log_level: logLevel === 'log' ? 'info' : logLevel,
      requests_per_second: rateLimit.requestsPerSecond,
      burst_size: rateLimit.burstSize,
    },
    'Main',
  );
  if (forNextStart.length > 0)
    logger.warn('Settings that changed apply at the next start', { settings: forNextStart }, 'Main');
}
