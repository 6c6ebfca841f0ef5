import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';
import { bucketOf } from './bucket';

/** The allowance of whoever has none of their own. It can change while the service runs. */
@Injectable()
export class GeneralAllowance {
  private current: ReturnType<typeof bucketOf>;

  constructor(config: ConfigService<AppConfig, true>) {
    this.current = bucketOf(config.get('rateLimit', { infer: true }));
  }

  get bucket(): ReturnType<typeof bucketOf> {
    return this.current;
  }

  /** Applies to every request from now on. What was used up stays used up. */
  change(rateLimit: AppConfig['rateLimit']): void {
    this.current = bucketOf(rateLimit);
  }
}
