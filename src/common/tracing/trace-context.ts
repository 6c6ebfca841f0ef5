import type { IncomingHttpHeaders } from 'node:http';

/** A position in a trace (W3C Trace Context), which an operation passes on to the operations that it causes. */
export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** The span that causes the following ones: 16 lower-case hex digits. */
  readonly spanId: string;
  /** Two hex digits. Bit 0 is set if the trace is recorded. */
  readonly flags: string;
  /** `tracestate`, as received. */
  readonly state?: string;
}

/** In versions after 00, more may follow the two hex digits of the flags. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const VERSION = '00';
const INVALID_VERSION = 'ff';

const KEY = '(?:[a-z][a-z0-9_\\-*/]{0,255}|[a-z0-9][a-z0-9_\\-*/]{0,240}@[a-z][a-z0-9_\\-*/]{0,13})';
const MEMBER = new RegExp(
  `^${KEY}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]$`,
);
const MAX_MEMBERS = 32;
/**
 * The maximum number of characters of `tracestate` that are forwarded. A longer one is dropped, which the W3C allows.
 */
const MAX_STATE_LENGTH = 512;
/** The maximum length of the result of {@link formatTrace}. */
export const MAX_TRACE_LENGTH = 55 + 1 + MAX_STATE_LENGTH;

/** The trace context in a request's headers; undefined if `traceparent` is absent or malformed. */
export function traceOf({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  return typeof traceparent === 'string' ? parse(traceparent, tracestate) : undefined;
}

/** The headers that propagate a context. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (!trace) return {};
  const traceparent = `${VERSION}-${trace.traceId}-${trace.spanId}-${trace.flags}`;
  return trace.state === undefined ? { traceparent } : { traceparent, tracestate: trace.state };
}

/** A context as a single text for storage in a column; null if there is none. */
export function formatTrace(trace: TraceContext | undefined): string | null {
  const { traceparent, tracestate } = traceHeaders(trace);
  if (traceparent === undefined) return null;
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
}

/** The inverse of {@link formatTrace}; undefined if the text is malformed. */
export function parseTrace(text: string | null | undefined): TraceContext | undefined {
  if (!text) return undefined;
  const space = text.indexOf(' ');
  return space === -1 ? parse(text) : parse(text.slice(0, space), text.slice(space + 1));
}

function parse(traceparent: string, tracestate?: string | string[]): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === INVALID_VERSION) return undefined;
  if (version === VERSION && more !== undefined) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  const state = stateOf(tracestate);
  return { traceId, spanId, flags, ...(state !== undefined && { state }) };
}

/** A well-formed `tracestate`; a malformed one is dropped as a whole. */
function stateOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const members = (Array.isArray(header) ? header.join() : header)
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  if (members.length === 0 || members.length > MAX_MEMBERS || !members.every((member) => MEMBER.test(member)))
    return undefined;
  const state = members.join();
  return state.length > MAX_STATE_LENGTH ? undefined : state;
}
