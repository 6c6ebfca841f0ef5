import { readFileSync } from 'node:fs';
import type { HttpSettings } from '../config/app-config';
import { type Finding, ok, warning } from './finding';

const CHECK = 'open files';
/** Linux only. Node has raised the soft limit to the hard limit by the time that it runs any code. */
const LIMITS = '/proc/self/limits';
const SOFT_LIMIT = /^Max open files +(\d+|unlimited)/m;
/** For the database, nodes, receivers and key services, and what a process opens for itself. */
const OTHERS = 500;

/**
 * Compares the connections that the settings allow with the files that a process may open. The service is assumed to
 * have the limit of this process.
 *
 * @returns no finding where the limit is not known, as outside of Linux
 */
export function checkOpenFiles(
  { maxConnections, metricsPort }: Pick<HttpSettings, 'maxConnections' | 'metricsPort'>,
  limitsFile = LIMITS,
): Finding[] {
  const limit = readLimit(limitsFile);
  if (limit === undefined) return [];
  const ports = metricsPort === undefined ? 1 : 2;
  const needed = ports * maxConnections + OTHERS;
  if (limit >= needed) return [ok(CHECK, `${shown(limit)} per process, of which ${needed} may be needed`)];
  return [
    warning(
      CHECK,
      `${shown(limit)} per process, and HTTP_MAX_CONNECTIONS may need ${needed}`,
      'Raise the limit of the service (ulimit -n, LimitNOFILE of systemd, ulimits of Docker), or lower HTTP_MAX_CONNECTIONS.',
    ),
  ];
}

function readLimit(file: string): number | undefined {
  try {
    const limit = SOFT_LIMIT.exec(readFileSync(file, 'utf8'))?.[1];
    if (limit === undefined) return undefined;
    return limit === 'unlimited' ? Infinity : Number(limit);
  } catch {
    return undefined;
  }
}

const shown = (limit: number): string => (limit === Infinity ? 'any number' : String(limit));
