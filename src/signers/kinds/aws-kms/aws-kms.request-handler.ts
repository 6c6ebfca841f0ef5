import type { OutboundHttp } from '../../../outbound/outbound-http';
import { sendForVendor } from '../../key-services/vendor-transport';

/** A request of the SDK: its type `HttpRequest`. */
interface AwsRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/** A response for the SDK: its type `HttpResponse`. */
interface AwsResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends the AWS SDK's requests through {@link sendForVendor}, to KMS and to the services that issue credentials. */
export class AwsRequestHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' };

  constructor(private readonly http: OutboundHttp) {}

  async handle(
    request: AwsRequest,
    { abortSignal }: { abortSignal?: unknown } = {},
  ): Promise<{ response: AwsResponse }> {
    const { status, headers, body } = await sendForVendor(this.http, {
      method: request.method,
      url: urlOf(request),
      headers: Object.entries(request.headers),
      body: request.body as string | Uint8Array | undefined,
      signal: abortSignal as AbortSignal | undefined,
    });
    return { response: { statusCode: status, headers: flat(headers), body } };
  }

  /** Ignores the SDK's connection defaults. */
  updateHttpClientConfig(): void {
    // OutboundHttp has defaults of its own.
  }

  httpHandlerConfigs(): object {
    return {};
  }
}

function urlOf({ protocol, hostname, port, path, query = {} }: AwsRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) =>
      typeof item === 'string' ? `${encode(name)}=${encode(item)}` : encode(name),
    ),
  );
  const authority = port === undefined ? hostname : `${hostname}:${port}`;
  return `${protocol}//${authority}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** Omits the headers that could make the SDK wait beyond our own time limit. */
function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !name.endsWith('retry-after'))
      .map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

/** Percent-encoding as in RFC 3986, which AWS signs. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
