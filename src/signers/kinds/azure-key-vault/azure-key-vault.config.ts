/** How the service proves to Microsoft Entra ID who it is. */
export const AZURE_AUTH_TYPES = ['client_secret', 'managed_identity', 'workload_identity'] as const;

export type AzureAuthType = (typeof AZURE_AUTH_TYPES)[number];

/** What is stored in the clear of a signer whose key lies in Azure Key Vault; a client secret is stored encrypted. */
export interface AzureSettings {
  auth_type: AzureAuthType;
  tenant_id?: string;
  /** Of the application, or of a user-assigned managed identity. */
  client_id?: string;
  /** Path of a file with a token of the identity that Entra ID trusts. */
  federated_token_file?: string;
  /** `https://host` */
  vault_url: string;
  key_name: string;
  /** The newest version where absent. */
  key_version?: string;
}
