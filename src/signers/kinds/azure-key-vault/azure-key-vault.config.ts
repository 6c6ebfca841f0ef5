/** How the service authenticates to Microsoft Entra ID. */
export const AZURE_AUTH_TYPES = ['client_secret', 'managed_identity', 'workload_identity'] as const;

export type AzureAuthType = (typeof AZURE_AUTH_TYPES)[number];

/** The plain-text settings of a signer whose key is in Azure Key Vault; a client secret is stored encrypted. */
export interface AzureSettings {
  auth_type: AzureAuthType;
  tenant_id?: string;
  /** The client id of the application, or of a user-assigned managed identity. */
  client_id?: string;
  /** Path of a file with a token from an issuer that Entra ID trusts. */
  federated_token_file?: string;
  /** `https://host` */
  vault_url: string;
  key_name: string;
  /** If absent, the latest version. */
  key_version?: string;
}
