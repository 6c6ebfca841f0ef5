import { ContextVariable } from '../context/context-variable';
import type { Metadata } from '../envelope/envelope';
import { activeTrace } from '../tracing/active-trace';
import type { TraceContext } from '../tracing/trace-context';

/** What belongs to the current request, available anywhere in the code. */
export interface RequestContext {
  readonly id: string;
  notes: Metadata['logs'] | undefined;
  /** The address of the client; behind a trusted proxy the one that it reports. */
  readonly clientAddress: string | undefined;
  /** What the client sent, then the span of the request where spans are recorded. */
  trace: TraceContext | undefined;
  /** Who makes the request, once that is known; for the log. */
  keyId: string | undefined;
  /** The relayer that the path names, for the log. */
  relayerId: string | undefined;
  /** The key of the allowance that the request is counted against; undefined where it is not limited. */
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

/** Does work as a part of a request. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return requestInProgress.run(context, work);
}

/** Does work that continues after the request that started it, since other requests wait for it too. It is no part of its trace. */
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
