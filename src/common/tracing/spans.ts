import { currentRequest } from '../http/request-context';
import { activeTrace } from './active-trace';
import type { TraceContext } from './trace-context';

/** What a span says, beside its name and times: closed sets and ids, never secrets, paths or texts of errors. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** `server` for a request that was received, `client` for a call to another service, else `internal`. */
export type SpanKind = 'server' | 'client' | 'internal';

/** An operation in progress. */
export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param error by its class or code */
  fail(error: string): void;
  end(): void;
}

/** How a span starts. */
export interface SpanStart {
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** What caused it; nothing for the first span of a trace. */
  parent?: TraceContext | undefined;
  /** What else caused it. */
  links?: readonly TraceContext[];
  /** Now, where left out. */
  startedAt?: Date;
}

/** Records spans. There is one where OpenTelemetry is configured; else nothing is recorded. */
export type Tracer = (name: string, start: SpanStart) => Span;

let tracer: Tracer | undefined;

/** Has spans recorded from now on, or no longer. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** The trace of the call in progress: what a client sent, or the span in progress. Log lines and outgoing calls carry it. */
export function currentTrace(): TraceContext | undefined {
  return activeTrace.get() ?? currentRequest()?.trace;
}

/** Starts a span that somebody else ends; undefined where none are recorded. */
export function startSpan(name: string, start: SpanStart): Span | undefined {
  return tracer?.(name, start);
}

/** Does work as a part of a trace. */
export function inTrace<T>(trace: TraceContext | undefined, work: () => T): T {
  return trace ? activeTrace.run(trace, work) : work();
}

/** Does work as a span of the trace in progress. Without one there is no span: polling and checks begin no traces. */
export function inSpan<T>(name: string, start: SpanStart, work: (span?: Span) => Promise<T>): Promise<T> {
  if (!tracer) return work();
  const parent = currentTrace();
  return parent ? traced(tracer(name, { parent, ...start }), work) : work();
}

/** Does work as a span of the trace that caused it, or as the first one of a new trace. */
export function inSpanOf<T>(
  cause: TraceContext | undefined,
  name: string,
  start: SpanStart,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracer) return inTrace(cause, work);
  return traced(tracer(name, { ...start, parent: cause }), work);
}

async function traced<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await activeTrace.run(span.context, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The code of an error or the name of its class: its text may say anything. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, failure } = error as { code?: unknown; failure?: unknown };
  if (typeof code === 'string') return code;
  return typeof failure === 'string' ? failure : error.name;
}
