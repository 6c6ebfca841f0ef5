import type { RpcCall, RpcError } from './fault';

/** The number of calls that are retained. Counts include all calls. */
const KEPT = 100_000;

export interface RecordedCall extends RpcCall {
  /** Milliseconds since 1970. */
  at: number;
  /** The number of the HTTP request, from 1. Calls in a batch have the same number. */
  request: number;
  /** The name of the fault that applied to it. */
  fault: string | undefined;
  /** Whether a node has processed it. */
  forwarded: boolean;
  /** `result`, `error`, `drop`, `hang`, or `HTTP 502`; for a batch, that of the whole batch. */
  outcome: string;
  /** The error in the response. */
  error: RpcError | undefined;
}

/** The calls to a proxy, in the order in which they were completed. */
export class CallRecord {
  /** The number of HTTP requests. */
  requests = 0;
  /** The most recent calls. */
  calls: RecordedCall[] = [];
  private byMethod = new Map<string, number>();
  private byFault = new Map<string, number>();

  add(call: RecordedCall): void {
    this.calls.push(call);
    if (this.calls.length > 2 * KEPT) this.calls = this.calls.slice(-KEPT);
    increment(this.byMethod, call.method);
    if (call.fault !== undefined) increment(this.byFault, call.fault);
  }

  /** The number of all calls, or of those of one method. */
  count(method?: string): number {
    if (method !== undefined) return this.byMethod.get(method) ?? 0;
    return [...this.byMethod.values()].reduce((sum, count) => sum + count, 0);
  }

  of(method: string): RecordedCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** The number of calls by fault. */
  faults(): Record<string, number> {
    return Object.fromEntries(this.byFault);
  }

  /**
   * The number of calls by method, and of HTTP requests, each divided by a number of blocks and rounded to two
   * decimals.
   */
  perBlock(blocks: number): Record<string, number> {
    const counts = [['HTTP requests', this.requests] as const, ...this.byMethod];
    return Object.fromEntries(
      counts.map(([name, count]) => [name, Math.round((100 * count) / blocks) / 100]),
    );
  }

  /** Resets the record. */
  clear(): void {
    this.requests = 0;
    this.calls = [];
    this.byMethod = new Map();
    this.byFault = new Map();
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
