import { Logger } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { causeOf } from '../common/errors/error-cause';
import { within } from '../common/event-loop/within';

/** How long a result is reused: the metrics are public and not rate-limited, and may be scraped at any frequency. */
const SHARED_FOR_MS = 5000;
/**
 * How long a scrape waits for the database. While that hangs, all other metrics must still be returned: within the time
 * that the primary waits for a process, and the 10 s that Prometheus waits.
 */
const PATIENCE_MS = 1000;

/**
 * Reads the values of gauges from the database when they are scraped. A scrape that the
 * database keeps waiting has the values of the last read; once a read fails, the gauges have no values. Only one read is
 * in progress at a time.
 */
export class ReadAtScrape {
  private readonly logger = new Logger('Metrics');
  private reading: Promise<void> = Promise.resolve();
  private isReading = false;
  private hasValues = false;
  private readAt = -Infinity;

  /**
   * @param what describes the values in the log: `… could not be read`
   * @param reset removes the values
   * @param read sets all of the values
   */
  constructor(
    private readonly what: string,
    private readonly reset: () => void,
    private readonly read: () => Promise<void>,
    private readonly sharedForMs = SHARED_FOR_MS,
  ) {}

  /** The `collect` function for each of the gauges. */
  readonly collect = async (): Promise<void> => {
    if (!this.isReading && performance.now() - this.readAt > this.sharedForMs) {
      this.readAt = performance.now();
      this.reading = this.readNow();
    }
    await within(PATIENCE_MS, this.reading, () => undefined);
  };

  private async readNow(): Promise<void> {
    this.isReading = true;
    // A gauge without labels begins with 0.
    if (!this.hasValues) this.reset();
    try {
      await this.read();
      this.hasValues = true;
    } catch (error) {
      this.hasValues = false;
      this.reset();
      this.logger.warn(`${this.what} could not be read`, { cause: causeOf(error) });
    } finally {
      this.isReading = false;
    }
  }
}

/** The age of the oldest row, in seconds; 0 if there is none, or if the clock was set back. */
export const ageInSeconds = (oldest: { createdAt: Date } | null | undefined): number =>
  oldest ? Math.max(0, (Date.now() - oldest.createdAt.getTime()) / 1000) : 0;

/** What {@link gaugeAtScrape} shows. */
export interface ScrapedValue {
  name: string;
  help: string;
  /** Describes the value in the log: `… could not be read`. */
  what: string;
  /** Undefined: the gauge has no value. */
  read: () => Promise<number | undefined>;
  sharedForMs?: number;
}

/** Adds a gauge without labels that is read at scrape; all processes read the same database. */
export function gaugeAtScrape(
  registry: Registry,
  { name, help, what, read, sharedForMs }: ScrapedValue,
): void {
  const collect = () => scrape.collect();
  const gauge: Gauge = new Gauge({ name, help, aggregator: 'max', registers: [registry], collect });
  const reset = () => gauge.remove();
  const show = async () => {
    const value = await read();
    if (value === undefined) reset();
    else gauge.set(value);
  };
  const scrape = new ReadAtScrape(what, reset, show, sharedForMs);
}
