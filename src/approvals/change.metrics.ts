import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { MoreThan } from 'typeorm';
import { gaugeAtScrape } from '../database/read-at-scrape';
import { ChangeRows } from './change-rows';

/** The number of changes that wait for approval, read when the metrics are scraped. */
@Injectable()
export class ChangeMetrics {
  constructor(registry: Registry, rows: ChangeRows) {
    gaugeAtScrape(registry, {
      name: 'changes_pending',
      help: 'Changes that wait for approval; all instances show the same',
      what: 'Pending changes',
      read: () => rows.repository.countBy({ status: 'pending', expiresAt: MoreThan(new Date()) }),
    });
  }
}
