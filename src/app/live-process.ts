import type { GeneralRateLimit } from '../access/general-rate-limit';
import type { Primary } from '../cluster/primary';
import { CALLS } from '../cluster/primary-link';
import type { ServiceLogger } from '../common/logging/service-logger';
import type { Environment } from '../config/env-file';
import type { LiveSettings } from '../config/live-settings';

/**
 * Applies live settings in this process. In the primary of a cluster, it also applies them in all present and future
 * workers.
 */
export class LiveProcess {
  private latest: LiveSettings | undefined;
  private general: GeneralRateLimit | undefined;
  private primary: Primary | undefined;

  constructor(private readonly logger: ServiceLogger) {}

  readonly apply = (live: LiveSettings, texts: Environment = {}): void => {
    this.latest = live;
    this.logger.changeLevel(live.logLevel);
    this.general?.change(live.rateLimit);
    if (this.primary) void this.pass(this.primary, live, texts);
  };

  /** Sets the rate limit of the application, which may be created only after the first SIGHUP. */
  limit(general: GeneralRateLimit): void {
    this.general = general;
    if (this.latest) general.change(this.latest.rateLimit);
  }

  attach(primary: Primary): void {
    this.primary = primary;
  }

  private async pass(primary: Primary, live: LiveSettings, texts: Environment): Promise<void> {
    // Workers that start later inherit the environment.
    for (const [name, text] of Object.entries(texts)) {
      if (text === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = text;
    }
    const silent = await primary.callAll(CALLS.settings, live);
    if (silent > 0)
      this.logger.warn('Processes did not confirm the reloaded settings', { processes: silent }, 'Main');
  }
}
