import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { MAX_PER_PAGE, type PageQuery } from '../common/pagination/page-query';
import { SecretUnreadableError } from '../secrets/secret-cipher';
import type { AppConfig } from '../config/app-config';
import type { FoundRows } from '../database/integrity/protected-rows';
import { NetworksService } from '../networks/networks.service';
import { NotificationsService } from '../notifications/notifications.service';
import { NO_PLAIN_HTTP, OutboundGuard } from '../outbound/outbound-guard';

/** Rows that are looked at, and ids that are logged, of each kind. */
const MAX_PAGES = 10;
const MAX_IDS = 20;

/**
 * Names at the start the networks and notifications whose URLs are stored with plain http and cannot be called: whoever
 * upgrades should not learn of it by the first call that fails. The URLs themselves are not logged.
 */
@Injectable()
export class PlainHttpReport {
  private readonly logger = new Logger(PlainHttpReport.name);

  constructor(
    private readonly config: ConfigService<AppConfig, true>,
    private readonly networks: NetworksService,
    private readonly notifications: NotificationsService,
    private readonly guard: OutboundGuard,
  ) {}

  /** To be called once the storage keys have been checked. */
  async logPlainHttp(): Promise<void> {
    const background = this.config.get('background', { infer: true });
    const production = this.config.get('production', { infer: true });
    const { plainHttp } = this.config.get('outbound', { infer: true });
    if (!background || !production || plainHttp) return;
    await this.report(
      'Networks have endpoints with plain http, which are not called',
      (query) => this.networks.listIntact(query),
      (network) => [network.horizonUrl ?? '', ...this.networks.rpcUrlsOf(network).map(({ url }) => url)],
      'rpc',
    );
    await this.report(
      'Notifications have receivers with plain http, which are not called',
      (query) => this.notifications.listIntact(query),
      (notification) => [this.notifications.urlOf(notification)],
      'webhook',
    );
  }

  private async report<Row extends { id: string }>(
    message: string,
    list: (query: PageQuery) => Promise<FoundRows<Row>>,
    urlsOf: (row: Row) => string[],
    purpose: 'rpc' | 'webhook',
  ): Promise<void> {
    const ids: string[] = [];
    const isPlain = (url: string): boolean => this.guard.refusalOf(url, purpose) === NO_PLAIN_HTTP;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { intact, altered } = await list({ page, per_page: MAX_PER_PAGE });
      ids.push(...intact.filter((row) => readable(() => urlsOf(row)).some(isPlain)).map(({ id }) => id));
      if (intact.length + altered.length < MAX_PER_PAGE) break;
    }
    if (ids.length > 0) this.logger.warn(message, { ids: ids.slice(0, MAX_IDS), count: ids.length });
  }
}

/** What cannot be decrypted is not called either, and says so then. */
function readable(urlsOf: () => string[]): string[] {
  try {
    return urlsOf();
  } catch (error) {
    if (error instanceof SecretUnreadableError) return [];
    throw error;
  }
}
