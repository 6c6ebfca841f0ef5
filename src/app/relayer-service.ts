import type { Abstract, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '../config/app-config';
import type { RelayerServiceConfig } from './relayer-service-config';
import { listen } from './servers';
import { Stopping } from '../lifecycle/stopping';
import { cancelExitOnSignals, stopOnSignals } from './shutdown-signals';
import { logListening } from './start-log';
import { startModules } from './start-modules';

/**
 * The running service.
 *
 * @public
 */
export class RelayerService {
  private releaseSignals: () => void = cancelExitOnSignals;
  private starting: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private hasStarted = false;

  /** @internal */
  constructor(
    private readonly app: NestExpressApplication,
    private readonly config: AppConfig,
    private readonly handlesSignals: boolean,
    private readonly reloadFrom: (config?: RelayerServiceConfig) => boolean,
  ) {}

  /**
   * Starts the modules, among them plugins with their rules and signer kinds, and background work, but does not serve
   * HTTP. For programs that only call the ports, such as scripts; they end the service with {@link close}.
   *
   * @throws Error of a module that cannot start, or after {@link close}
   */
  async start(): Promise<void> {
    if (this.closing) throw new Error('The service was closed: create another one');
    await (this.starting ??= this.begin());
  }

  /**
   * Serves HTTP, after {@link start} if that was not called before, and logs the address.
   *
   * @param port 0 for any free port; the setting `PORT` if omitted
   * @returns the address, such as `http://127.0.0.1:8080`
   * @throws ConfigurationError if a port cannot be opened
   * @throws Error after {@link close}
   */
  async listen(port?: number): Promise<string> {
    await this.start();
    await listen(this.app, this.config, port);
    return logListening(this.app, this.config);
  }

  /**
   * A provider of any module: a port of the service, or a provider of a plugin.
   *
   * @throws Error if there is none, or before {@link start} or {@link listen}: plugins have not added their rules yet
   */
  get<T>(token: Type<T> | Abstract<T> | string | symbol): T {
    if (!this.hasStarted) throw new Error('The service has not started: call start or listen first');
    return this.app.get<T>(token, { strict: false });
  }

  /**
   * Reads the settings again, as `npm start` does on SIGHUP. The log level and the rate limits apply immediately; other
   * changed settings are logged and apply at the next start. If any setting is invalid, nothing changes, and the reason
   * is logged.
   *
   * @param config replaces the `config` that the service was created with or, if it was created without one, `.env`
   * @returns whether the settings were applied
   */
  reload(config?: RelayerServiceConfig): boolean {
    return this.reloadFrom(config);
  }

  private async begin(): Promise<void> {
    if (this.handlesSignals) {
      this.releaseSignals();
      this.releaseSignals = stopOnSignals(this.app, this.config);
    }
    await startModules(this.app);
    this.hasStarted = true;
  }

  /** Stops the service for good. Requests in progress have a limited time to finish. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  /** Signals still end the process in time, whatever blocks the stop. */
  private async end(): Promise<void> {
    try {
      this.app.get(Stopping).begin();
      await this.app.close();
    } finally {
      this.releaseSignals();
    }
  }
}
