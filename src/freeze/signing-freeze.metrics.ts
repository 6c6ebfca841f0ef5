import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ReadAtScrape } from '../database/read-at-scrape';
import { SigningFreezeService } from './signing-freeze.service';

/** How long the state is reused, however often the metrics are scraped; short, because a freeze is urgent. */
const SHARED_FOR_MS = 1000;

/** Whether signing is frozen, read when the metrics are scraped. */
@Injectable()
export class SigningFreezeMetrics {
  constructor(registry: Registry, freeze: SigningFreezeService) {
    const frozen: Gauge = new Gauge({
      name: 'signing_frozen',
      aggregator: 'max',
      help: '1 while signing is frozen on all instances, otherwise 0; read from the database, and without a value while that is unavailable',
      registers: [registry],
      collect: () => scrape.collect(),
    });
    const scrape = new ReadAtScrape(
      'Whether signing is frozen',
      () => {
        frozen.remove();
      },
      async () => {
        frozen.set((await freeze.state()).frozen ? 1 : 0);
      },
      SHARED_FOR_MS,
    );
  }
}
