import { type Finding, ok, warning } from './finding';

const CHECK = 'clock';
/**
 * Signed requests are accepted up to 60 s before or after their time; leases of background work last at least several
 * seconds.
 */
const TOLERATED_MS = 2_000;

/**
 * A reading of another clock: the time that it showed, and the times of the request and the response on the clock of
 * this process.
 */
export interface ClockReading {
  source: string;
  shown: number;
  askedAt: number;
  respondedAt: number;
}

/** Compares the clock of this machine with others, in milliseconds since 1970. */
export function checkClock(readings: readonly ClockReading[]): Finding[] {
  if (readings.length === 0)
    return [ok(CHECK, `${new Date().toISOString()}; there is no server to compare it with`)];
  return readings.map(({ source, shown, askedAt, respondedAt }) => {
    // The duration of the request does not count as a difference.
    const difference = shown < askedAt ? shown - askedAt : Math.max(0, shown - respondedAt);
    if (Math.abs(difference) <= TOLERATED_MS) return ok(CHECK, `agrees with that of ${source}`);
    const seconds = (Math.abs(difference) / 1000).toFixed(1);
    return warning(
      CHECK,
      `${seconds} s ${difference > 0 ? 'behind' : 'ahead of'} that of ${source}`,
      'Synchronize the clocks of both machines (chrony or systemd-timesyncd): expiry, leases and signed requests depend on them.',
    );
  });
}
