import type { OutboundHttp } from '../../../outbound/outbound-http';
import type { OutboundResponse } from '../../../outbound/outbound-message';
import { sendForVendor } from '../../key-services/vendor-transport';

/** Statuses whose responses have no body (Fetch Standard, null body status). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` for Google's client that sends through {@link sendForVendor}, to Cloud KMS and to the services that issue
 * tokens.
 *
 * @param ambient whether the credentials come from the environment. A token that is read without TLS is then the
 * machine's own; one that is sent somewhere is subject to the rules for key services
 */
export function googleFetch(http: OutboundHttp, ambient: boolean): typeof fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = init.method ?? 'GET';
    const isIdentity = ambient && method === 'GET' && url.startsWith('http:');
    const request = {
      url,
      method,
      headers: new Headers(init.headers),
      body: init.body === null || init.body === undefined ? undefined : await bytesOf(init.body),
      signal: init.signal,
    };
    return responseOf(await sendForVendor(http, request, isIdentity ? 'machine-identity' : 'key-service'));
  };
}

async function bytesOf(body: NonNullable<RequestInit['body']>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}

function responseOf({ status, headers, body }: OutboundResponse): Response {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? ''].flat().map((item): [string, string] => [name, item]),
  );
  return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(body), { status, headers: pairs });
}
