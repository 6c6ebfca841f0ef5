import type { RpcCall, RpcError } from './fault';

/** The calls that are kept; counts are of all calls. */
const KEPT = 100_000;

export interface RecordedCall extends RpcCall {
  /** Milliseconds since 1970. */
  at: number;
  /** Number of the HTTP request from 1: calls of a batch have the same. */
  request: number;
  /** The name of the fault that it met. */
  fault: string | undefined;
  /** A node has processed it. */
  forwarded: boolean;
  /** `result`, `error`, `drop`, `hang`, or `HTTP 502`; of a batch, what became of all of it. */
  outcome: string;
  /** The error that was the response. */
  error: RpcError | undefined;
}

/** What a proxy was asked, in the order in which it was done with it. */
export class CallRecord {
  /** HTTP requests. */
  requests = 0;
  /** The newest ones. */
  calls: RecordedCall[] = [];
  private byMethod = new Map<string, number>();
  private byFault = new Map<string, number>();

  add(call: RecordedCall): void {
    this.calls.push(call);
    if (this.calls.length > 2 * KEPT) this.calls = this.calls.slice(-KEPT);
    increment(this.byMethod, call.method);
    if (call.fault !== undefined) increment(this.byFault, call.fault);
  }

  /** The number of calls, or of those of one method. */
  count(method?: string): number {
    if (method !== undefined) return this.byMethod.get(method) ?? 0;
    return [...this.byMethod.values()].reduce((sum, count) => sum + count, 0);
  }

  of(method: string): RecordedCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** Calls by fault. */
  faults(): Record<string, number> {
    return Object.fromEntries(this.byFault);
  }

  /** Calls by method and HTTP requests, each divided by a number of blocks, to two decimals. */
  perBlock(blocks: number): Record<string, number> {
    const counts = [['HTTP requests', this.requests] as const, ...this.byMethod];
    return Object.fromEntries(
      counts.map(([name, count]) => [name, Math.round((100 * count) / blocks) / 100]),
    );
  }

  /** Begins anew. */
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
