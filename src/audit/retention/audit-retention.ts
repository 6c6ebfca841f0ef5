import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { OldChains } from './old-chains';

/** Purges entire chains that are older than the retention period. Their signed heads are kept. */
@Injectable()
export class AuditRetention extends Purge {
  private readonly retentionMs: number | undefined;

  constructor(
    private readonly chains: OldChains,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'audit events');
    this.retentionMs = config.get('audit', { infer: true }).retentionMs;
  }

  async purgeSome(): Promise<boolean> {
    if (this.retentionMs === undefined) return false;
    return this.chains.purgeSome(new Date(Date.now() - this.retentionMs));
  }
}
