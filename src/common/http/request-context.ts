import { ContextVariable } from '../context/context-variable';
import type { Metadata } from '../envelope/envelope';
import { activeTrace } from '../tracing/active-trace';
import type { TraceContext } from '../tracing/trace-context';

/** Data of the current request, available anywhere in the code. */
export interface RequestContext {
  readonly id: string;
  notes: Metadata['logs'] | undefined;
  /** The address of the client; behind a trusted proxy, the address that the proxy reports. */
  readonly clientAddress: string | undefined;
  /** The trace context that the client sent; if spans are recorded, that of the request's span. */
  trace: TraceContext | undefined;
  /** The API key of the request, once it is known; for the log. */
  keyId: string | undefined;
  /** The relayer that the path names, for the log. */
  relayerId: string | undefined;
  /** The key of the allowance that the request counts against; undefined if the request is not limited. */
  rateLimitKey: string | undefined;
  /** Whether the response was sent or the client has disconnected: further results have no recipient. */
  isOver: boolean;
}

const requestInProgress = new ContextVariable<RequestContext | undefined>();

export function runWithRequest(
  id: string,
  serve: () => void,
  clientAddress?: string,
  trace?: TraceContext,
): void {
  requestInProgress.run(
    {
      id,
      clientAddress,
      trace,
      keyId: undefined,
      relayerId: undefined,
      notes: undefined,
      rateLimitKey: undefined,
      isOver: false,
    },
    serve,
  );
}

/** Runs work as a part of a request. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return requestInProgress.run(context, work);
}

/**
 * Runs work that does not belong to the current request: it may continue afterwards, or serve other requests too. It is
 * not part of the request's trace.
 */
export function outsideRequests<T>(work: () => T): T {
  const outside = (): T => requestInProgress.run(undefined, work);
  return activeTrace.get() ? activeTrace.run(undefined, outside) : outside();
}

/** Undefined outside of a request: at start, in timers. */
export function currentRequest(): RequestContext | undefined {
  return requestInProgress.get();
}

/** Adds a note about a successful request to the response, in `metadata.logs`. */
export function recordNote(level: 'info' | 'warn', message: string): void {
  const context = requestInProgress.get();
  if (context) (context.notes ??= []).push({ level, message });
}

export function recordedMetadata(): Metadata | undefined {
  const notes = requestInProgress.get()?.notes;
  return notes && { logs: notes, traces: [] };
}
