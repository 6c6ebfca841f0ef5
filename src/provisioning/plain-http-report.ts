import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { MAX_PER_PAGE, type PageQuery } from '../common/pagination/page-query';
import { readableOr } from '../secrets/secret-cipher';
import type { AppConfig } from '../config/app-config';
import type { FoundRows } from '../database/integrity/protected-rows';
import { NetworksService } from '../networks/networks.service';
import { NotificationsService } from '../notifications/notifications.service';
import { NO_PLAIN_HTTP, OutboundGuard } from '../outbound/outbound-guard';

/** Limits on the number of pages that are checked and of ids that are logged, for each kind of row. */
const MAX_PAGES = 10;
const MAX_IDS = 20;

/**
 * At startup, logs the networks and notifications whose stored URLs use plain http and cannot be called, so that the
 * first failed call after an upgrade is no surprise. The URLs themselves are not logged.
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

  /** Must be called after the storage keys have been checked. */
  async logPlainHttp(): Promise<void> {
    const background = this.config.get('background', { infer: true });
    const production = this.config.get('production', { infer: true });
    const { plainHttp } = this.config.get('outbound', { infer: true });
    if (!background || !production || plainHttp) return;
    await this.report(
      'Networks have endpoints with plain http, which are not called',
      (query) => this.networks.listIntact(query),
      (network) => {
        const { rpcUrls, privateRpcUrls } = this.networks.urlsOf(network);
        return [network.horizonUrl ?? '', ...[...rpcUrls, ...privateRpcUrls].map(({ url }) => url)];
      },
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
      // URLs that cannot be decrypted are not called either, and fail when they are used.
      const found = intact.filter((row) => readableOr([], () => urlsOf(row)).some(isPlain));
      ids.push(...found.map(({ id }) => id));
      if (intact.length + altered.length < MAX_PER_PAGE) break;
    }
    if (ids.length > 0) this.logger.warn(message, { ids: ids.slice(0, MAX_IDS), count: ids.length });
  }
}
