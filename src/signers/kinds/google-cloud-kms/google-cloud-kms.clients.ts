import { hash } from 'node:crypto';
import type * as Sdk from '@google-cloud/kms';
import type { Secret } from '../../../common/secrets/secret';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { signerFailure } from '../../signer-failure';
import { reasonOfConnection } from '../../key-services/failure-reason';
import { optionalPackage } from '../../key-services/optional-package';
import { type Lease, SharedClients } from '../../key-services/shared-clients';
import {
  guardTokenRequests,
  type TransporterOptions,
  transporterOptions,
} from './google-cloud-kms.transport';

type ClientOptions = NonNullable<ConstructorParameters<typeof Sdk.KeyManagementServiceClient>[0]>;

/** The Google account that the service uses. */
export interface GoogleAccount {
  projectId: string;
  /** If absent, the credentials are those of the service's environment. */
  serviceAccount?: {
    clientEmail: string;
    privateKey: Secret;
    privateKeyId?: string | undefined;
    universeDomain?: string | undefined;
  };
}

/** The address of Cloud KMS, if not Google's own. */
export interface GoogleKmsEndpoint {
  protocol: 'http' | 'https';
  host: string;
  port: number;
}

/** The universe of signers with a service account that does not name one, whatever the environment names. */
const UNIVERSE = 'googleapis.com';
/** The universe of signers with the credentials of the environment. Google's client reads it as well. */
export const UNIVERSE_VARIABLE = 'GOOGLE_CLOUD_UNIVERSE_DOMAIN';
export const ambientUniverse = (): string | undefined => process.env[UNIVERSE_VARIABLE];

/** Clients of Cloud KMS over HTTP, one per account. */
export class GoogleCloudKmsClients {
  readonly #clients = new SharedClients<Sdk.KeyManagementServiceClient>((client) => client.close());

  constructor(
    private readonly http: OutboundHttp,
    private readonly endpoint?: GoogleKmsEndpoint,
  ) {}

  lease(account: GoogleAccount): Lease<Sdk.KeyManagementServiceClient> {
    return this.#clients.lease(fingerprint(account), async () => {
      const { KeyManagementServiceClient } = await googleCloudKmsSdk();
      const transport = transporterOptions(this.http, account.serviceAccount === undefined);
      const client = new KeyManagementServiceClient({
        ...clientOptions(account, transport),
        ...endpointOptions(this.endpoint),
      });
      await initialize(client, transport);
      return client;
    });
  }
}

/** @throws DomainError `invalid_request` if the package is not installed */
export function googleCloudKmsSdk(): Promise<typeof Sdk> {
  return optionalPackage('@google-cloud/kms', () => import('@google-cloud/kms'));
}

/**
 * Finds the credentials. This must be awaited before the first call: otherwise a failure would be an unhandled
 * rejection in the client, which ends the process.
 */
async function initialize(
  client: Sdk.KeyManagementServiceClient,
  transport: TransporterOptions,
): Promise<void> {
  try {
    await client.initialize();
    guardTokenRequests(await client.auth.getClient(), transport);
  } catch (error) {
    throw signerFailure(reasonOfConnection(error) ?? 'refused', error);
  }
}

function clientOptions(
  { projectId, serviceAccount }: GoogleAccount,
  transport: TransporterOptions,
): ClientOptions {
  const universeDomain = serviceAccount ? (serviceAccount.universeDomain ?? UNIVERSE) : ambientUniverse();
  const options: ClientOptions = {
    fallback: true,
    projectId,
    ...(universeDomain !== undefined && { universeDomain }),
    clientOptions: { transporterOptions: transport },
  };
  if (!serviceAccount) return options;
  const { clientEmail, privateKey, privateKeyId } = serviceAccount;
  return {
    ...options,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for credentials of any type: this type is fixed
    credentials: {
      type: 'service_account',
      client_email: clientEmail,
      private_key: privateKey.reveal(),
      ...(privateKeyId !== undefined && { private_key_id: privateKeyId }),
      universe_domain: universeDomain,
    },
  };
}

function endpointOptions(endpoint?: GoogleKmsEndpoint): ClientOptions {
  return endpoint ? { protocol: endpoint.protocol, apiEndpoint: endpoint.host, port: endpoint.port } : {};
}

function fingerprint({ projectId, serviceAccount }: GoogleAccount): string {
  if (!serviceAccount) return projectId;
  const { clientEmail, privateKey, privateKeyId, universeDomain } = serviceAccount;
  const parts = [projectId, clientEmail, privateKey.reveal(), privateKeyId, universeDomain];
  return hash('sha256', JSON.stringify(parts));
}
