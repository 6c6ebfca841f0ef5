/** Load at a steady rate. autocannon would send the requests of each second in one burst. */
import { Pool } from 'undici';
import { LOAD, type Subject, type Target } from './load';

export interface Latency {
  p50: number;
  p99: number;
  p99FromDue: number;
}

/**
 * Sends a subject's requests evenly distributed over time, whether or not earlier ones have a response. It uses
 * undici's `dispatch`, which creates no promises or streams: the client shares the machine with the service, so its own
 * CPU time adds to each latency.
 *
 * @returns p50 and p99 in milliseconds, measured from when a request was sent, even if it then waited for a free
 * connection; and `p99FromDue`, measured from when it should have been sent: the difference is the delay of the client,
 * which is late if it has no core. No response is awaited before the next request is sent, so a slow service does not
 * slow the client down.
 * @throws Error if any request fails
 */
export async function steadyLoad(
  target: Target,
  subject: Subject,
  { duration, rate }: { duration: number; rate: number },
): Promise<Latency> {
  const pool = new Pool(target.url, { connections: LOAD.connections });
  const requests = subject.requests(target).map((request) => ({ ...request, headers: target.headers }));
  const latencies = new Float64Array(Math.round(duration * rate));
  const fromDue = new Float64Array(latencies.length);
  await new Promise<void>((resolve, reject) => {
    const start = performance.now();
    let sent = 0;
    let received = 0;
    let failed = false;
    const fail = (error: Error): void => {
      failed = true;
      reject(error);
    };
    const ask = (number: number): void => {
      const due = start + (number / rate) * 1000;
      const sentAt = performance.now();
      pool.dispatch(requests[number % requests.length]!, {
        onRequestStart: () => undefined,
        onResponseStart(_controller, status) {
          if (status !== 200) fail(new Error(`${subject.name}: ${status}`));
        },
        onResponseData: () => undefined,
        onResponseEnd() {
          const now = performance.now();
          latencies[number] = now - sentAt;
          fromDue[number] = now - due;
          received += 1;
          if (received === latencies.length) resolve();
        },
        onResponseError: (_controller, error) => {
          fail(error);
        },
      });
    };
    const askWhatIsDue = (): void => {
      const due = Math.min(latencies.length, Math.ceil(((performance.now() - start) / 1000) * rate));
      for (; sent < due; sent += 1) ask(sent);
      if (sent < latencies.length && !failed) setTimeout(askWhatIsDue, 1);
    };
    askWhatIsDue();
  }).finally(() => pool.destroy());
  return {
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    p99FromDue: quantile(fromDue, 0.99),
  };
}

const quantile = (numbers: Float64Array, share: number): number =>
  numbers.toSorted()[Math.floor(numbers.length * share)]!;
