import { ApprovalPendingError, toApiError, UnexpectedResponseError } from './errors.ts';
import type { Approval } from './resources.ts';

/** A successful response. */
export interface Success {
  /** The member `data` of the envelope, or the whole of a bare body. */
  data: unknown;
  pagination: unknown;
  logs: { level: string; message: string }[];
}

/** The members of a body that may be an envelope. */
type Body = Record<string, unknown>;

/** The statuses with which a proxy in front of the service responds by itself, without an envelope. */
const GATEWAY_FAILURES = [429, 502, 503, 504];

/**
 * Reads a response of the service.
 *
 * @param isBare whether a successful response has no envelope, as for JSON-RPC
 * @throws ApiError, ApprovalPendingError, UnexpectedResponseError
 */
export function readResponse(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  isBare: boolean,
): Success {
  const requestId = headers.get('x-request-id') ?? undefined;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const content = parseJson(text);
  const body: Body = isObject(content) ? content : {};
  if (status >= 400 && typeof body.message === 'string') {
    const error = typeof body.error === 'string' ? body.error : body.message;
    throw toApiError({ status, summary: body.message, error, requestId, retryAfterMs });
  }
  if (GATEWAY_FAILURES.includes(status)) {
    const error = 'the response is not from the service itself';
    throw toApiError({ status, summary: 'Service Unavailable', error, requestId, retryAfterMs });
  }
  if (status === 202 && body.success === true) throw new ApprovalPendingError(body.data as Approval);
  const isSuccess = isBare ? isObject(content) : body.success === true && 'data' in body;
  if ((status !== 200 && status !== 201) || !isSuccess) throw new UnexpectedResponseError(status, requestId);
  if (isBare) return { data: content, pagination: undefined, logs: [] };
  const { logs = [] } = (body.metadata ?? {}) as Partial<Pick<Success, 'logs'>>;
  return { data: body.data, pagination: body.pagination, logs };
}

/** Parses a delay in seconds or a date (RFC 9110, 10.2.3). @returns milliseconds */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Parses JSON; undefined for anything else. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null;
