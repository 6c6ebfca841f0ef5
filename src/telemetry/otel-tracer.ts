import type { Span as OtelSpan, SpanContext, Tracer as OtelTracer } from '@opentelemetry/api';
import type { Span, SpanAttributes, SpanKind, Tracer } from '../common/tracing/spans';
import type { TraceContext } from '../common/tracing/trace-context';
import type { OtelPackages } from './otel-packages';

type Api = OtelPackages['api'];

/** Records spans with OpenTelemetry. Contexts are passed explicitly, because the service tracks them itself. */
export function otelTracer(api: Api, tracer: OtelTracer): Tracer {
  const kinds: Record<SpanKind, number> = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  };
  return (name, { kind = 'internal', attributes = {}, parent, links = [], startedAt }) => {
    const context = parent
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, toOtel(api, parent))
      : api.ROOT_CONTEXT;
    const options = {
      kind: kinds[kind],
      attributes,
      links: links.map((link) => ({ context: toOtel(api, link) })),
      ...(startedAt && { startTime: startedAt }),
    };
    return new RecordedSpan(api, tracer.startSpan(name, options, context));
  };
}

class RecordedSpan implements Span {
  readonly context: TraceContext;

  constructor(
    private readonly api: Api,
    private readonly span: OtelSpan,
  ) {
    this.context = fromOtel(span.spanContext());
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  fail(error: string): void {
    this.span.setAttribute('error.type', error).setStatus({ code: this.api.SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

function toOtel(api: Api, { traceId, spanId, flags, state }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    ...(state !== undefined && { traceState: api.createTraceState(state) }),
  };
}

function fromOtel({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const state = traceState?.serialize() ?? '';
  return {
    traceId,
    spanId,
    flags: traceFlags.toString(16).padStart(2, '0'),
    ...(state !== '' && { state }),
  };
}
