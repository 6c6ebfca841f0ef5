import type { AddressInfo } from 'node:net';
import type { Abstract, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '../config/app-config';
import type { RelayerServiceConfig } from './relayer-service-config';
import { localOrigin } from './local-origin';
import { listen } from './servers';
import { leaveSignals, stopOnSignals } from './shutdown-signals';

/**
 * The running service.
 *
 * @public
 */
export class RelayerService {
  private releaseSignals: () => void = leaveSignals;

  /** @internal */
  constructor(
    private readonly app: NestExpressApplication,
    private readonly config: AppConfig,
    private readonly handlesSignals: boolean,
    private readonly reloadFrom: (config?: RelayerServiceConfig) => boolean,
  ) {}

  /**
   * Serves HTTP, and begins with work in the background.
   *
   * @param port 0 for any that is free; that of the setting `PORT` where it is left out
   * @returns the address, such as `http://127.0.0.1:8080`
   * @throws ConfigurationError where a port cannot be opened
   */
  async listen(port?: number): Promise<string> {
    if (this.handlesSignals) {
      this.releaseSignals();
      this.releaseSignals = stopOnSignals(this.app, this.config);
    }
    await listen(this.app, this.config, port);
    return localOrigin(this.app.getHttpServer().address() as AddressInfo);
  }

  /** A provider of any module: a port of the service, or what a plugin provides. @throws Error where there is none */
  get<T>(token: Type<T> | Abstract<T> | string | symbol): T {
    return this.app.get<T>(token, { strict: false });
  }

  /**
   * Reads the settings again, as SIGHUP has `npm start` do: the log level and the rate limits apply at once, and the log says which other
   * settings wait for the next start. Where one is not valid, all stay as they were, and the log says why.
   *
   * @param config takes the place of the `config` that the service was created with, or, where it was created without one, of `.env`
   * @returns whether the settings were applied
   */
  reload(config?: RelayerServiceConfig): boolean {
    return this.reloadFrom(config);
  }

  /** Ends the service: requests in progress have a bounded time to finish. */
  close(): Promise<void> {
    this.releaseSignals();
    return this.app.close();
  }
}
