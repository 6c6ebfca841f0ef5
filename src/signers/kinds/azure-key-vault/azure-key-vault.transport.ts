import type { DestinationPurpose } from '../../../outbound/destination';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { type AzureHttpClient, azureHttpClient } from './azure-key-vault.http-client';
import type { AzureSdk } from './azure-key-vault.sdk';

const MAX_RETRIES = 1;
const RETRY_DELAY_MS = 200;

type KeyClientOptions = NonNullable<ConstructorParameters<AzureSdk['KeyClient']>[2]>;
export type AdditionalPolicy = NonNullable<KeyClientOptions['additionalPolicies']>[number];

/** How the SDK connects to Azure. Production only sets `http`. */
export interface AzureConnection {
  http: OutboundHttp;
  /** The issuer of tokens; by default that of the public cloud. */
  authorityHost?: string;
  /** Whether to skip the public cloud's check that the authority is known. */
  disableInstanceDiscovery?: boolean;
  /** Whether a token audience may be on a domain other than the vault's. */
  disableChallengeResourceVerification?: boolean;
}

/** The options of every client of the SDK, for vaults and credentials. */
type TransportOptions = Pick<KeyClientOptions, 'retryOptions' | 'redirectOptions'> & {
  httpClient: AzureHttpClient;
};

/** At most two attempts, no redirects, and only through the guard. */
export function transportOptions(http: OutboundHttp, purpose: DestinationPurpose): TransportOptions {
  return {
    retryOptions: {
      maxRetries: MAX_RETRIES,
      retryDelayInMs: RETRY_DELAY_MS,
      maxRetryDelayInMs: RETRY_DELAY_MS,
    },
    redirectOptions: { maxRetries: 0 },
    httpClient: azureHttpClient(http, purpose),
  };
}
