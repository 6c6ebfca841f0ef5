/** The domains of vaults and managed HSMs: the public cloud, China (21Vianet), US Government. */
export const AZURE_VAULT_DOMAINS = [
  'vault.azure.net',
  'managedhsm.azure.net',
  'vault.azure.cn',
  'managedhsm.azure.cn',
  'vault.usgovcloudapi.net',
  'managedhsm.usgovcloudapi.net',
] as const;
