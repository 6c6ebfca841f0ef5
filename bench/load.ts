/** Generates load from this process, and measures its cost in the process under test. */
import autocannon from 'autocannon';
import { cpuSeconds, residentMegabytes } from './process';

/** Over how many connections requests are sent; `--connections` changes it. */
export const LOAD = { connections: 32 };

/** The service under test. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  pid: number;
  relayerIds: string[];
  /** Relayers with a notification that does not subscribe to signatures. */
  notifiedIds: string[];
}

export interface BenchRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: string;
}

/** One kind of request. */
export interface Subject {
  name: string;
  /** The number of signatures in one request. */
  signatures: number;
  /** Whether `[<id>]` in a body is replaced by a different text in each request. */
  hasIds?: boolean;
  /** The requests, which are sent in turn. */
  requests: (target: Pick<Target, 'relayerIds' | 'notifiedIds'>) => BenchRequest[];
}

export interface Sample {
  requestsPerSecond: number;
  signaturesPerSecond: number;
  cpuMicroseconds: number;
  /** In milliseconds, like p99. */
  p50: number;
  p99: number;
  /** In MiB. */
  rss: number;
}

/**
 * Sends a subject's requests over several connections, see {@link LOAD}.
 *
 * @param extent `{duration}` in seconds or `{amount}` of requests
 * @returns requests and signatures per second; p50 and p99 in milliseconds; CPU time per request in microseconds;
 * resident memory in MiB
 * @throws Error if any request fails
 */
export async function load(
  target: Target,
  subject: Subject,
  extent: { duration: number } | { amount: number },
): Promise<Sample> {
  const before = cpuSeconds(target.pid);
  const result = await autocannon({
    url: target.url,
    connections: LOAD.connections,
    headers: target.headers,
    requests: subject.requests(target),
    idReplacement: subject.hasIds ?? false,
    ...extent,
  });
  const cpu = cpuSeconds(target.pid) - before;
  const succeeded = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0 || succeeded === 0) {
    throw new Error(
      `${subject.name}: ${succeeded} succeeded, ${result.non2xx} refused, ${result.errors} failed`,
    );
  }
  const perSecond = succeeded / result.duration;
  return {
    requestsPerSecond: perSecond,
    signaturesPerSecond: perSecond * subject.signatures,
    cpuMicroseconds: (cpu / succeeded) * 1e6,
    p50: result.latency.p50,
    p99: result.latency.p99,
    rss: residentMegabytes(target.pid),
  };
}
