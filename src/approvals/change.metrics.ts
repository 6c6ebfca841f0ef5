import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ageInSeconds, gaugeAtScrape } from '../database/read-at-scrape';
import { ChangeRows } from './change-rows';
import { pendingNow } from './change.entity';

/** The number of changes that wait for approval, and the age of the oldest, read when the metrics are scraped. */
@Injectable()
export class ChangeMetrics {
  constructor(
    registry: Registry,
    private readonly rows: ChangeRows,
  ) {
    gaugeAtScrape(registry, {
      name: 'changes_pending',
      help: 'Changes that wait for approval; all instances show the same',
      what: 'Pending changes',
      read: () => rows.repository.countBy(pendingNow()),
    });
    gaugeAtScrape(registry, {
      name: 'change_oldest_pending_seconds',
      help: 'Age of the oldest change that waits for approval; all instances show the same',
      what: 'The oldest pending change',
      read: () => this.oldestAge(),
    });
  }

  private async oldestAge(): Promise<number> {
    const oldest = await this.rows.repository.findOne({
      select: { id: true, createdAt: true },
      where: pendingNow(),
      order: { createdAt: 'ASC' },
    });
    return ageInSeconds(oldest);
  }
}
