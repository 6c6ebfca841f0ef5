import type { DestinationPurpose } from '../../../outbound/destination';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import type { OutboundResponse } from '../../../outbound/outbound-message';
import { signerFailure } from '../../signer-failure';
import { reasonOfStatus } from '../../key-services/failure-reason';
import { sendForVendor, VendorTransportError } from '../../key-services/vendor-transport';
import type { AzureSdk } from './azure-key-vault.sdk';

const RETRY_AFTER = ['retry-after', 'retry-after-ms', 'x-ms-retry-after-ms'];

type KeyClientOptions = NonNullable<ConstructorParameters<AzureSdk['KeyClient']>[2]>;
/** The interface through which Microsoft's packages send requests. */
export type AzureHttpClient = NonNullable<KeyClientOptions['httpClient']>;
type PipelineRequest = Parameters<AzureHttpClient['sendRequest']>[0];
type PipelineResponse = Awaited<ReturnType<AzureHttpClient['sendRequest']>>;
type HttpHeaders = PipelineResponse['headers'];

/**
 * Sends the requests of Microsoft's packages through {@link sendForVendor}.
 *
 * @param purpose `machine-identity` for token requests of a managed identity
 */
export function azureHttpClient(http: OutboundHttp, purpose: DestinationPurpose): AzureHttpClient {
  return {
    async sendRequest(request) {
      const response = await send(http, request, purpose);
      refuseToWait(response);
      return {
        request,
        status: response.status,
        headers: new ResponseHeaders(response.headers),
        bodyAsText: response.body.toString('utf8'),
      };
    },
  };
}

async function send(
  http: OutboundHttp,
  request: PipelineRequest,
  purpose: DestinationPurpose,
): Promise<OutboundResponse> {
  const { url, method, headers, abortSignal } = request;
  try {
    return await sendForVendor(
      http,
      { url, method, headers, body: textOf(request.body), signal: abortSignal as AbortSignal | undefined },
      purpose,
    );
  } catch (error) {
    // The SDK recognises retryable connection errors by this name.
    if (error instanceof VendorTransportError && error.name !== 'AbortError') error.name = 'RestError';
    throw error;
  }
}

function textOf(body: PipelineRequest['body']): string | undefined {
  if (body === undefined || body === null || typeof body === 'string') return body ?? undefined;
  throw new Error('Requests to Azure have bodies of text');
}

/**
 * Throws if the response would make the SDK wait: it waits as long as the service requests, beyond our own time limit.
 */
function refuseToWait({ status, headers }: OutboundResponse): void {
  if (status === 429 || (status === 503 && RETRY_AFTER.some((name) => headers[name] !== undefined))) {
    throw signerFailure(
      reasonOfStatus(status) ?? 'invalid_response',
      new Error(`Azure responded with ${status}`),
    );
  }
}

/** The headers of a response, with case-insensitive names. */
class ResponseHeaders implements HttpHeaders {
  readonly #values: Map<string, string>;

  constructor(headers: OutboundResponse['headers']) {
    this.#values = new Map(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
    );
  }

  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase());
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string | number | boolean): void {
    this.#values.set(name.toLowerCase(), String(value));
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  toJSON(): Record<string, string> {
    return Object.fromEntries(this.#values);
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values.entries();
  }
}
