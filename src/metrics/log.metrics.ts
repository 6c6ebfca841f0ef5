import { Counter, type Registry } from 'prom-client';
import { lostWrites } from '../common/logging/lost-writes';

/** Registers the counter of log lines that could not be written. */
export function registerLogMetrics(registry: Registry): void {
  const lost: Counter = new Counter({
    name: 'log_writes_failed_total',
    help: 'Writes of one or more lines of the log that failed, for example because the disk was full; the lines are lost',
    registers: [registry],
    collect: () => {
      lost.reset();
      lost.inc(lostWrites());
    },
  });
}
