/** Load from this process, and what it cost the process that was asked. */
const autocannon = require('autocannon');
const { cpuSeconds, residentMegabytes } = require('./process.cjs');

const CONNECTIONS = 32;

/**
 * Sends a subject's requests over 32 connections.
 *
 * @param extent `{duration}` in seconds or `{amount}` of requests
 * @returns requests and signatures per second; p50 and p99 in milliseconds; CPU time per request in microseconds;
 *   resident memory in MiB
 * @throws Error when any request fails
 */
async function load(target, subject, extent) {
  const before = cpuSeconds(target.pid);
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    headers: target.headers,
    requests: subject.requests(target),
    ...extent,
  });
  const cpu = cpuSeconds(target.pid) - before;
  const answered = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0 || answered === 0) {
    throw new Error(
      `${subject.name}: ${answered} answered, ${result.non2xx} refused, ${result.errors} failed`,
    );
  }
  const perSecond = answered / result.duration;
  return {
    requestsPerSecond: perSecond,
    signaturesPerSecond: perSecond * subject.signatures,
    cpuMicroseconds: (cpu / answered) * 1e6,
    p50: result.latency.p50,
    p99: result.latency.p99,
    rss: residentMegabytes(target.pid),
  };
}

module.exports = { load, CONNECTIONS };
