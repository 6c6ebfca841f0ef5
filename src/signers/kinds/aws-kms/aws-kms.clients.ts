import type * as Sdk from '@aws-sdk/client-kms';
import { invalidRequest } from '../../../common/errors/domain-error';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { optionalPackage } from '../../key-services/optional-package';
import { type Lease, SharedClients } from '../../key-services/shared-clients';
import { isAwsRegion, REGION_RULE } from './aws-kms.config';
import { AwsRequestHandler } from './aws-kms.request-handler';

/** A client and its package, which provides the command classes. */
export interface AwsKms {
  client: Sdk.KMSClient;
  sdk: typeof Sdk;
}

/**
 * Clients of AWS KMS, one per region. Credentials come from the SDK's default chain: environment, shared files,
 * web identity, container or instance role.
 */
export class AwsKmsClients {
  readonly #clients = new SharedClients<AwsKms>(({ client }) => client.destroy());

  /** @param overrides overrides the client's configuration, for example its endpoint or credentials */
  constructor(
    private readonly http: OutboundHttp,
    private readonly overrides: Sdk.KMSClientConfig = {},
  ) {}

  lease(region: string): Lease<AwsKms> {
    return this.#clients.lease(region, async () => {
      const sdk = await awsKmsSdk();
      return { sdk, client: createClient(sdk, this.http, { region, ...this.overrides }) };
    });
  }

  /**
   * The region in the service's environment or in the shared configuration file.
   *
   * @throws DomainError `invalid_request` if neither specifies one, or if it is not one
   */
  async ambientRegion(): Promise<string> {
    const region = await this.findAmbientRegion();
    if (isAwsRegion(region)) return region;
    throw invalidRequest(
      `config.region is required: the region in the environment of the service is not ${REGION_RULE}`,
    );
  }

  private async findAmbientRegion(): Promise<string> {
    const sdk = await awsKmsSdk();
    const client = new sdk.KMSClient(this.overrides);
    try {
      return await client.config.region();
    } catch {
      throw invalidRequest('config.region is required: the environment of the service names none');
    } finally {
      client.destroy();
    }
  }
}

/** @throws DomainError `invalid_request` if the package is not installed */
export function awsKmsSdk(): Promise<typeof Sdk> {
  return optionalPackage('@aws-sdk/client-kms', () => import('@aws-sdk/client-kms'));
}

function createClient(sdk: typeof Sdk, http: OutboundHttp, config: Sdk.KMSClientConfig): Sdk.KMSClient {
  const requestHandler = new AwsRequestHandler(http);
  // Providers of credentials pass this on to their clients; those of SSO get no other part of the configuration.
  const providers = { clientConfig: { requestHandler } };
  return new sdk.KMSClient({
    ...providers,
    // Signing has no side effects at the service, so it may be retried: once, after throttling, 5xx or a lost
    // connection.
    maxAttempts: 2,
    retryMode: 'standard',
    requestHandler,
    ...config,
  });
}
