import type * as Sdk from '@aws-sdk/client-kms';
import { invalidRequest } from '../../../common/errors/domain-error';
import { readBounded } from '../remote/bounded-body';
import { optionalPackage } from '../remote/optional-package';
import { DEFAULT_CALL_LIMITS } from '../remote/remote-calls';
import { type Lease, SharedClients } from '../remote/shared-clients';

/** A client, and the package it is of: the commands are classes of that package. */
export interface AwsKms {
  client: Sdk.KMSClient;
  sdk: typeof Sdk;
}

const SOCKETS = 256;
const CONNECTION_TIMEOUT_MS = 2000;

/**
 * Clients of AWS KMS, one per region. Credentials come from the SDK's default chain: environment, shared files,
 * web identity, container or instance role.
 */
export class AwsKmsClients {
  readonly #clients = new SharedClients<AwsKms>(({ client }) => {
    client.destroy();
  });

  /** @param overrides of the client's configuration: another endpoint, fixed credentials */
  constructor(private readonly overrides: Sdk.KMSClientConfig = {}) {}

  lease(region: string): Lease<AwsKms> {
    return this.#clients.lease(region, async () => {
      const sdk = await awsKmsSdk();
      return { sdk, client: makeClient(sdk, { region, ...this.overrides }) };
    });
  }

  /**
   * The region that the environment of the service or the shared configuration file names.
   *
   * @throws DomainError `invalid_request` where neither does
   */
  async ambientRegion(): Promise<string> {
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

/** @throws DomainError `invalid_request` where the package is not installed */
export function awsKmsSdk(): Promise<typeof Sdk> {
  return optionalPackage('@aws-sdk/client-kms', () => import('@aws-sdk/client-kms'));
}

function makeClient(sdk: typeof Sdk, config: Sdk.KMSClientConfig): Sdk.KMSClient {
  const client = new sdk.KMSClient({
    // Signing changes nothing at the service, so it may be asked again: once, after throttling, 5xx or a lost connection.
    maxAttempts: 2,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: DEFAULT_CALL_LIMITS.timeoutMs,
      throwOnRequestTimeout: true,
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
    },
    ...config,
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { body?: AsyncIterable<Uint8Array> | Uint8Array };
      if (response.body && Symbol.asyncIterator in response.body) {
        response.body = await readBounded(response.body);
      }
      return result;
    },
    // The innermost step: what arrived is bounded before anything reads it.
    { name: 'boundedBody', step: 'deserialize', priority: 'low' },
  );
  return client;
}
