import type { DestinationPurpose } from '../../outbound/destination';
import { OutboundError, type OutboundFailure } from '../../outbound/outbound-error';
import type { OutboundHttp } from '../../outbound/outbound-http';
import type { OutboundResponse } from '../../outbound/outbound-message';
import { DEFAULT_CALL_LIMITS } from './remote-calls';

/** Response of a key service; real ones are below 2 KiB. @limit Signers and key services */
export const MAX_RESPONSE_BYTES = 64 * 1024;

/** Headers that OutboundHttp sets, or that concern the vendor client's own connection, which is not used. */
const OWN_HEADERS = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'transfer-encoding']);

/** Error codes by which the vendors' clients decide whether to retry. */
const CODES: Partial<Record<OutboundFailure, string>> = {
  dns: 'ENOTFOUND',
  connection: 'ECONNRESET',
  cut_off: 'ECONNRESET',
  timeout: 'ETIMEDOUT',
};

/** A request of a vendor's client. */
export interface VendorRequest {
  method: string;
  url: string;
  headers: Iterable<readonly [name: string, value: string]>;
  body?: string | Uint8Array | null | undefined;
  signal?: AbortSignal | null | undefined;
}

/** A request without a response. `code` is a socket error code; the cause is the OutboundError. */
export class VendorTransportError extends Error {
  readonly code: string | undefined;

  constructor(cause: OutboundError) {
    super(cause.message, { cause });
    this.name = cause.failure === 'aborted' ? 'AbortError' : 'VendorTransportError';
    this.code = CODES[cause.failure];
  }
}

/**
 * Sends a request of a vendor's client through the guard for outgoing calls, with a timeout and a size limit. Proxies
 * from the environment, redirects and compressed responses are not supported.
 *
 * @throws VendorTransportError
 */
export async function sendForVendor(
  http: OutboundHttp,
  { method, url, headers, body, signal }: VendorRequest,
  purpose: DestinationPurpose = 'key-service',
): Promise<OutboundResponse> {
  const request = {
    url,
    purpose,
    headers: Object.fromEntries(
      [...headers]
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => !OWN_HEADERS.has(name)),
    ),
    timeoutMs: DEFAULT_CALL_LIMITS.timeoutMs,
    maxBytes: MAX_RESPONSE_BYTES,
    onTooLarge: 'fail',
    ...(signal && { signal }),
  } as const;
  try {
    if (method === 'GET') return await http.get(request);
    if (method === 'POST') return await http.post({ ...request, body: bodyOf(body) });
  } catch (error) {
    throw error instanceof OutboundError ? new VendorTransportError(error) : error;
  }
  throw new Error(`Clients of key services send no ${method} requests`);
}

function bodyOf(body: VendorRequest['body']): string | Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return body ?? '';
}
