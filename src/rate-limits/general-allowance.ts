import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';
import { bucketOf } from './bucket';

/** The allowance of principals without a rate limit of their own. It can change while the service is running. */
@Injectable()
export class GeneralAllowance {
  private current: ReturnType<typeof bucketOf>;

  constructor(config: ConfigService<AppConfig, true>) {
    this.current = bucketOf(config.get('rateLimit', { infer: true }));
  }

  get bucket(): ReturnType<typeof bucketOf> {
    return this.current;
  }

  /** Changes the limit for all further requests. Used requests remain used. */
  change(rateLimit: AppConfig['rateLimit']): void {
    this.current = bucketOf(rateLimit);
  }
}
