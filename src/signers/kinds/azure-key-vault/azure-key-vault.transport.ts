import type { DestinationPurpose } from '../../../outbound/destination';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { type AzureHttpClient, azureHttpClient } from './azure-key-vault.http-client';
import type { AzureSdk } from './azure-key-vault.sdk';

const MAX_RETRIES = 1;
const RETRY_DELAY_MS = 200;

type KeyClientOptions = NonNullable<ConstructorParameters<AzureSdk['KeyClient']>[2]>;
export type AdditionalPolicy = NonNullable<KeyClientOptions['additionalPolicies']>[number];

/** How the SDK reaches Azure. Production has `http` alone. */
export interface AzureConnection {
  http: OutboundHttp;
  /** Where tokens come from, instead of the public cloud. */
  authorityHost?: string;
  /** Do not ask the public cloud whether the authority is a known one. */
  disableInstanceDiscovery?: boolean;
  /** Let the token's audience be another domain than that of the vault. */
  disableChallengeResourceVerification?: boolean;
}

/** What every client of the SDK takes: those of vaults and those of credentials. */
type TransportOptions = Pick<KeyClientOptions, 'retryOptions' | 'redirectOptions'> & {
  httpClient: AzureHttpClient;
};

/** Two attempts at most, no redirects, through the guard. */
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
