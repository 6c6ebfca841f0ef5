import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { gaugeAtScrape } from '../database/read-at-scrape';
import { SigningFreezeService } from './signing-freeze.service';

/** How long the state is reused, however often the metrics are scraped; short, because a freeze is urgent. */
const SHARED_FOR_MS = 1000;

/** Whether signing is frozen, read when the metrics are scraped. */
@Injectable()
export class SigningFreezeMetrics {
  constructor(registry: Registry, freeze: SigningFreezeService) {
    gaugeAtScrape(registry, {
      name: 'signing_frozen',
      help: '1 while signing is frozen on all instances, otherwise 0; read from the database, and without a value while that is unavailable',
      what: 'Whether signing is frozen',
      read: async () => ((await freeze.state()).frozen ? 1 : 0),
      sharedForMs: SHARED_FOR_MS,
    });
  }
}
