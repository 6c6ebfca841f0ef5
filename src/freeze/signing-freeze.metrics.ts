import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ReadAtScrape } from '../database/read-at-scrape';
import { SigningFreezeService } from './signing-freeze.service';

/** A freeze is urgent: it is read this often, however often the metrics are scraped. */
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
