import { signerFailure } from '../../signer-failure';
import { readBounded } from '../remote/bounded-body';
import { reasonOfConnection, reasonOfStatus } from '../remote/failure-reason';
import type { AzureSdk } from './azure-sdk';

const MAX_RETRIES = 1;
const RETRY_DELAY_MS = 200;
const RETRY_AFTER = ['retry-after', 'retry-after-ms', 'x-ms-retry-after-ms'];

type KeyClientOptions = NonNullable<ConstructorParameters<AzureSdk['KeyClient']>[2]>;
export type AdditionalPolicy = NonNullable<KeyClientOptions['additionalPolicies']>[number];
type PipelinePolicy = AdditionalPolicy['policy'];
type PipelineResponse = Awaited<ReturnType<PipelinePolicy['sendRequest']>>;

/** How the SDK reaches Azure. Production leaves all of it empty. */
export interface AzureConnection {
  /** Where tokens come from, instead of the public cloud. */
  authorityHost?: string;
  /** Do not ask the public cloud whether the authority is a known one. */
  disableInstanceDiscovery?: boolean;
  /** Let the token's audience be another domain than that of the vault. */
  disableChallengeResourceVerification?: boolean;
  tlsOptions?: { ca: string };
}

/** Reads an answer within a bound: the SDK itself takes whatever comes. */
const boundedAnswers: PipelinePolicy = {
  name: 'boundedAnswers',
  async sendRequest(request, next) {
    // The SDK's decompression neither bounds what it makes nor notices a connection that breaks.
    request.headers.set('Accept-Encoding', 'identity');
    request.streamResponseStatusCodes = new Set([Number.POSITIVE_INFINITY]);
    const response = await next(request);
    response.bodyAsText = await boundedText(response.readableStreamBody);
    response.readableStreamBody = undefined;
    refuseToWait(response);
    return response;
  },
};

/** What every client of the SDK takes: those of vaults and those of credentials. */
type TransportOptions = Pick<KeyClientOptions, 'retryOptions' | 'redirectOptions' | 'tlsOptions'> & {
  additionalPolicies: AdditionalPolicy[];
};

/** Two attempts at most, no redirects, bounded answers. */
export function transportOptions(connection: AzureConnection): TransportOptions {
  return {
    retryOptions: {
      maxRetries: MAX_RETRIES,
      retryDelayInMs: RETRY_DELAY_MS,
      maxRetryDelayInMs: RETRY_DELAY_MS,
    },
    redirectOptions: { maxRetries: 0 },
    additionalPolicies: [{ policy: boundedAnswers, position: 'perRetry' }],
    ...(connection.tlsOptions && { tlsOptions: connection.tlsOptions }),
  };
}

/** The SDK would wait for as long as the service says, which is past our own limit, and end as a time-out. */
function refuseToWait({ status, headers }: PipelineResponse): void {
  if (status === 429 || (status === 503 && RETRY_AFTER.some((name) => headers.has(name)))) {
    throw signerFailure(reasonOfStatus(status) ?? 'invalid_answer', new Error(`Azure answered ${status}`));
  }
}

async function boundedText(stream: NodeJS.ReadableStream | undefined): Promise<string> {
  if (!stream) return '';
  try {
    const body = await readBounded(stream as NodeJS.ReadableStream & AsyncIterable<Uint8Array>);
    return Buffer.from(body).toString('utf8');
  } catch (error) {
    throw signerFailure(reasonOfConnection(error) ?? 'invalid_answer', error);
  }
}
