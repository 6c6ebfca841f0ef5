import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';
import { bucketOf } from './bucket';

/** The allowance of principals without their own rate limit. It can change while the service runs. */
@Injectable()
export class GeneralAllowance {
  private current: ReturnType<typeof bucketOf>;

  constructor(config: ConfigService<AppConfig, true>) {
    this.current = bucketOf(config.get('rateLimit', { infer: true }));
  }

  get bucket(): ReturnType<typeof bucketOf> {
    return this.current;
  }

  /** Applies to every request from now on. Used requests stay used. */
  change(rateLimit: AppConfig['rateLimit']): void {
    this.current = bucketOf(rateLimit);
  }
}
