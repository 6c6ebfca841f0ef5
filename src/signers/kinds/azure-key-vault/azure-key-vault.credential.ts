import type { Secret } from '../../../common/secrets/secret';
import { SignerFailure, signerFailure } from '../../signer-failure';
import { azureFailure } from './azure-key-vault.failure';
import type { AzureSdk } from './azure-key-vault.sdk';
import type { AzureSettings } from './azure-key-vault.config';
import { type AdditionalPolicy, type AzureConnection, transportOptions } from './azure-key-vault.transport';

export type TokenCredential = ConstructorParameters<AzureSdk['KeyClient']>[1];

/**
 * Creates the credential of a signer, without sending a request.
 *
 * With workload identity, missing settings are taken from the variables that AKS sets (AZURE_TENANT_ID,
 * AZURE_CLIENT_ID, AZURE_FEDERATED_TOKEN_FILE); the SDK reads them. The same holds for a managed identity on AKS.
 *
 * @throws Error of the SDK if something is missing or malformed
 */
export function azureCredential(
  sdk: AzureSdk,
  stored: AzureSettings,
  clientSecret: Secret | null,
  connection: AzureConnection,
): TokenCredential {
  const settings = onAks(stored);
  const failures = new TransportFailures();
  const { http, authorityHost, disableInstanceDiscovery } = connection;
  const isManaged = settings.auth_type === 'managed_identity';
  const options = {
    ...transportOptions(http, isManaged ? 'machine-identity' : 'key-service'),
    additionalPolicies: [failures.policy],
    ...(authorityHost !== undefined && { authorityHost }),
    ...(disableInstanceDiscovery !== undefined && { disableInstanceDiscovery }),
  };
  return failures.explain(createCredential());

  function createCredential(): TokenCredential {
    const { auth_type, tenant_id: tenantId = '', client_id: clientId = '' } = settings;
    switch (auth_type) {
      case 'client_secret':
        return new sdk.ClientSecretCredential(tenantId, clientId, clientSecret?.reveal() ?? '', options);
      case 'managed_identity':
        return new sdk.ManagedIdentityCredential({ ...options, ...(clientId !== '' && { clientId }) });
      case 'workload_identity':
        return new sdk.WorkloadIdentityCredential({
          ...options,
          ...(tenantId !== '' && { tenantId }),
          ...(clientId !== '' && { clientId }),
          ...(settings.federated_token_file !== undefined && {
            tokenFilePath: settings.federated_token_file,
          }),
        });
    }
  }
}

/**
 * On AKS a managed identity is a workload identity: the SDK would exchange the federated token without the options of
 * its caller, and so without the guard.
 */
function onAks(settings: AzureSettings): AzureSettings {
  const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_FEDERATED_TOKEN_FILE } = process.env;
  const isExchange = AZURE_TENANT_ID && AZURE_FEDERATED_TOKEN_FILE && (settings.client_id ?? AZURE_CLIENT_ID);
  return settings.auth_type === 'managed_identity' && isExchange
    ? { ...settings, auth_type: 'workload_identity', tenant_id: AZURE_TENANT_ID }
    : settings;
}

/**
 * Records how token requests fail. The SDK does not distinguish a refused login from a broken connection: it reports
 * every failed token request as the same class of error.
 */
class TransportFailures {
  private last: SignerFailure | undefined;

  readonly policy: AdditionalPolicy = {
    position: 'perRetry',
    policy: {
      name: 'transportFailures',
      sendRequest: async (request, next) => {
        try {
          const response = await next(request);
          this.last = response.status >= 500 ? azureFailure({ statusCode: response.status }) : undefined;
          return response;
        } catch (error) {
          this.last = azureFailure(error);
          throw error;
        }
      },
    },
  };

  /**
   * @returns the credential; its failures are SignerFailures: that of the connection if there was one, otherwise
   * `refused`
   */
  explain(credential: TokenCredential): TokenCredential {
    return {
      getToken: async (scopes, options) => {
        this.last = undefined;
        try {
          return await credential.getToken(scopes, options);
        } catch (error) {
          throw this.recorded() ?? signerFailure('refused', error);
        }
      },
    };
  }

  private recorded(): SignerFailure | undefined {
    return this.last;
  }
}
