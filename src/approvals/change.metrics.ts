import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { MoreThan } from 'typeorm';
import { ReadAtScrape } from '../database/read-at-scrape';
import { ChangeRows } from './change-rows';

/** The number of changes that wait for approval, read when the metrics are scraped. */
@Injectable()
export class ChangeMetrics {
  constructor(registry: Registry, rows: ChangeRows) {
    const pending: Gauge = new Gauge({
      name: 'changes_pending',
      aggregator: 'max',
      help: 'Changes that wait for approval; all instances show the same',
      registers: [registry],
      collect: () => scrape.collect(),
    });
    const scrape = new ReadAtScrape(
      'Pending changes',
      () => pending.remove(),
      async () => {
        pending.set(await rows.repository.countBy({ status: 'pending', expiresAt: MoreThan(new Date()) }));
      },
    );
  }
}
