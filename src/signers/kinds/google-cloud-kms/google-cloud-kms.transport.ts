import type { OutboundHttp } from '../../../outbound/outbound-http';
import { DEFAULT_CALL_LIMITS } from '../../key-services/remote-calls';
import { reasonOfGoogleError } from './google-cloud-kms.failure';
import { googleFetch } from './google-cloud-kms.fetch';

const MAX_RETRIES = 1;
const TRANSIENT = ['throttled', 'unreachable'];

/** The options of Google's HTTP client. */
export interface TransporterOptions {
  fetchImplementation: typeof fetch;
  timeout: number;
  retryConfig: {
    retry: number;
    shouldRetry: (error: { config: { retryConfig?: { currentRetryAttempt?: number } } }) => boolean;
  };
}

/** Something in Google's client that sends requests for tokens, as far as it concerns the transport. */
interface TokenSource {
  transporter?: { defaults?: object };
  /** The exchange of a federated token. */
  stsCredential?: TokenSource;
  /** Whose token is used to impersonate a service account. */
  sourceClient?: TokenSource;
}

/**
 * Signing has no side effects at the service, so it may be retried: once, after throttling, 5xx or a lost connection.
 *
 * @param ambient whether the credentials come from the environment
 */
export function transporterOptions(http: OutboundHttp, ambient: boolean): TransporterOptions {
  return {
    fetchImplementation: googleFetch(http, ambient),
    timeout: DEFAULT_CALL_LIMITS.timeoutMs,
    retryConfig: {
      retry: MAX_RETRIES,
      shouldRetry: (error) =>
        (error.config.retryConfig?.currentRetryAttempt ?? 0) < MAX_RETRIES &&
        TRANSIENT.includes(reasonOfGoogleError(error)),
    },
  };
}

/**
 * Sends all requests for tokens through the guard. Google's client does not pass its options on to the exchange of a
 * federated token, nor to the clients by which it impersonates a service account.
 *
 * @throws Error if requests of these credentials cannot be guarded
 */
export function guardTokenRequests(client: object, options: TransporterOptions): void {
  const { credentialSourceType } = client as { credentialSourceType?: unknown };
  // Google's client would create another transporter with the certificate before each exchange.
  if (credentialSourceType === 'certificate')
    throw new Error('Federation with an X.509 certificate is not supported');
  const { transporter, stsCredential, sourceClient }: TokenSource = client;
  assertPresent(transporter?.defaults);
  Object.assign(transporter.defaults, options);
  if ('subjectTokenType' in client) assertPresent(stsCredential);
  if ('targetPrincipal' in client) assertPresent(sourceClient);
  for (const source of [stsCredential, sourceClient]) if (source) guardTokenRequests(source, options);
}

/** The packages below Google's client may be newer than those that the service is tested with. */
function assertPresent(part: unknown): asserts part {
  if (!part) throw new Error('This version of google-auth-library is not supported');
}
