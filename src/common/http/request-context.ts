import { ContextVariable } from '../context/context-variable';
import type { Metadata } from '../envelope/envelope';
import { activeTrace } from '../tracing/active-trace';
import type { TraceContext } from '../tracing/trace-context';

/** The `keyId` of requests with the root key. */
export const ROOT_KEY_ID = 'root';

/** Data of the current request, available anywhere in the code. */
export interface RequestContext {
  readonly id: string;
  notes: Metadata['logs'] | undefined;
  /** The address of the client; behind a trusted proxy, the address that the proxy reports. */
  readonly clientAddress: string | undefined;
  /** The trace context that the client sent; if spans are recorded, that of the request's span. */
  trace: TraceContext | undefined;
  /** The request's API key, once it has been authenticated. */
  keyId: string | undefined;
  /** The relayer in the path, for the log. */
  relayerId: string | undefined;
  /** The key of the allowance that the request counts against; undefined if the request is not rate-limited. */
  rateLimitKey: string | undefined;
  /** Whether the response has been sent or the client has disconnected. Further results then have no recipient. */
  isOver: boolean;
  /** Aborted when the request is over. */
  readonly signal: AbortSignal;
}

/** The end of a request. Few requests need a signal, so it is created on demand. */
class RequestEnd {
  private hasCome = false;
  private controller: AbortController | undefined;

  get isOver(): boolean {
    return this.hasCome;
  }

  set isOver(isOver: boolean) {
    this.hasCome = isOver;
    if (isOver) this.controller?.abort();
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.hasCome) this.controller.abort();
    return this.controller.signal;
  }
}

const requestInProgress = new ContextVariable<RequestContext | undefined>();

export function runWithRequest(
  id: string,
  serve: () => void,
  clientAddress?: string,
  trace?: TraceContext,
): void {
  const end = new RequestEnd();
  requestInProgress.run(
    {
      id,
      clientAddress,
      trace,
      keyId: undefined,
      relayerId: undefined,
      notes: undefined,
      rateLimitKey: undefined,
      // Accessors, because contexts that are derived from this one end together with it.
      get isOver() {
        return end.isOver;
      },
      set isOver(isOver) {
        end.isOver = isOver;
      },
      get signal() {
        return end.signal;
      },
    },
    serve,
  );
}

/** Runs work as part of a request. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return requestInProgress.run(context, work);
}

/**
 * Runs work that does not belong to the current request, because it may outlive it or serve other requests as well. It
 * is not part of the request's trace.
 */
export function outsideRequests<T>(work: () => T): T {
  const outside = (): T => requestInProgress.run(undefined, work);
  return activeTrace.get() ? activeTrace.run(undefined, outside) : outside();
}

/** Undefined outside of a request, for example at startup and in timers. */
export function currentRequest(): RequestContext | undefined {
  return requestInProgress.get();
}

/** Adds a warning about a successful request to the response, in `metadata.logs`. */
export function recordWarning(message: string): void {
  const context = requestInProgress.get();
  if (context) (context.notes ??= []).push({ level: 'warn', message });
}

export function recordedMetadata(): Metadata | undefined {
  const notes = requestInProgress.get()?.notes;
  return notes && { logs: notes, traces: [] };
}
