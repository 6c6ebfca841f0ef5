import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';

/** The rate limit of principals without one of their own. It can change while the service is running. */
@Injectable()
export class GeneralRateLimit {
  private limit: AppConfig['rateLimit'];

  constructor(config: ConfigService<AppConfig, true>) {
    this.limit = config.get('rateLimit', { infer: true });
  }

  get current(): AppConfig['rateLimit'] {
    return this.limit;
  }

  /** Changes the limit for all further requests. Used requests remain used. */
  change(limit: AppConfig['rateLimit']): void {
    this.limit = limit;
  }
}
