import { currentRequest } from '../http/request-context';
import { activeTrace } from './active-trace';
import type { TraceContext } from './trace-context';

/** The attributes of a span: values from closed sets and ids, but never secrets, paths or error messages. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** `server` for a received request, `client` for a call to another service, otherwise `internal`. */
export type SpanKind = 'server' | 'client' | 'internal';

/** An operation in progress. */
export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param error the class or code of the error */
  fail(error: string): void;
  end(): void;
}

/** The options with which a span starts. */
export interface SpanStart {
  kind?: SpanKind;
  attributes?: SpanAttributes;
  /** The cause of the span; absent for the first span in a trace. */
  parent?: TraceContext | undefined;
  /** Further causes of the span. */
  links?: readonly TraceContext[];
  /** By default now. */
  startedAt?: Date;
}

/** Records spans. There is a tracer only if OpenTelemetry is configured. */
export type Tracer = (name: string, start: SpanStart) => Span;

let tracer: Tracer | undefined;

/** Starts or stops the recording of spans. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

/**
 * The trace of the current call: the context that a client sent, or that of the current span. It is part of log lines
 * and outgoing calls.
 */
export function currentTrace(): TraceContext | undefined {
  return activeTrace.get() ?? currentRequest()?.trace;
}

/** Starts a span that the caller must end; undefined if spans are not recorded. */
export function startSpan(name: string, start: SpanStart): Span | undefined {
  return tracer?.(name, start);
}

/** Runs work as part of a trace. */
export function inTrace<T>(trace: TraceContext | undefined, work: () => T): T {
  return trace ? activeTrace.run(trace, work) : work();
}

/**
 * Runs work as a span of the current trace. Without a trace there is no span, so that polling and checks do not start
 * traces.
 */
export function inSpan<T>(name: string, start: SpanStart, work: (span?: Span) => Promise<T>): Promise<T> {
  if (!tracer) return work();
  const parent = currentTrace();
  return parent ? traced(tracer(name, { parent, ...start }), work) : work();
}

/** Runs work as a span of the trace that caused it, or as the first span in a new trace. */
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

/** The code or class name of an error. Its message is not used, because it might contain anything. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, failure } = error as { code?: unknown; failure?: unknown };
  if (typeof code === 'string') return code;
  return typeof failure === 'string' ? failure : error.name;
}
