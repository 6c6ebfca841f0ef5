import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../../common/errors/domain-error';
import type { Secret } from '../../../common/secrets/secret';
import { OutboundGuard } from '../../../outbound/outbound-guard';
import { OutboundHttp } from '../../../outbound/outbound-http';
import { SignerKind } from '../../signer-kinds';
import type {
  SignerMaterial,
  SignerProvider,
  SignerProviderFactory,
  SignerSources,
} from '../../signer-provider';
import { ConfigReader, isOrigin, type TextRule } from '../../key-services/config-reader';
import { assertStoredAddress } from '../../key-services/stored-address';
import { azureCredential } from './azure-key-vault.credential';
import { AZURE_VAULT_DOMAINS } from './azure-key-vault.domains';
import { AzureKeyVaultSignerProvider } from './azure-key-vault.provider';
import { loadAzureSdk } from './azure-key-vault.sdk';
import { AZURE_AUTH_TYPES, type AzureAuthType, type AzureSettings } from './azure-key-vault.config';

const FIELDS = [
  'auth_type',
  'tenant_id',
  'client_id',
  'client_secret',
  'federated_token_file',
  'vault_url',
  'key_name',
  'key_version',
] as const;

const URL_RULE = 'an https URL of a host, such as https://my-vault.vault.azure.net';
const isHttps = ({ protocol }: URL): boolean => protocol === 'https:';

const RULES = {
  auth_type: {
    pattern: new RegExp(`^(${AZURE_AUTH_TYPES.join('|')})$`),
    text: `one of ${AZURE_AUTH_TYPES.join(', ')}`,
  },
  tenant_id: { pattern: /^[0-9A-Za-z.-]{1,255}$/, text: 'the id or a domain of a tenant' },
  client_id: { pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, text: 'a UUID' },
  federated_token_file: { pattern: /^\/[^\p{Cc}]{1,1023}$/u, text: 'the absolute path of a file' },
  key_name: { pattern: /^[0-9A-Za-z-]{1,127}$/, text: '1 to 127 letters, digits or dashes' },
  key_version: { pattern: /^[0-9a-f]{32}$/, text: '32 lower-case hex digits' },
} as const satisfies Record<string, TextRule>;

/** Fields in addition to those of the key. `tenant_id` is harmless with a managed identity, whose tenant is known. */
const AUTH_FIELDS = {
  client_secret: { required: ['tenant_id', 'client_id', 'client_secret'], useless: ['federated_token_file'] },
  managed_identity: { required: [], useless: ['client_secret', 'federated_token_file'] },
  workload_identity: { required: [], useless: ['client_secret'] },
} as const satisfies Record<AzureAuthType, { required: string[]; useless: string[] }>;

/** Keys in Azure Key Vault and Managed HSM. */
@Injectable()
@SignerKind('azure_key_vault')
export class AzureKeyVaultSignerFactory implements SignerProviderFactory {
  constructor(
    private readonly http: OutboundHttp,
    private readonly guard: OutboundGuard,
  ) {}

  async prepare(config: unknown, sources: SignerSources): Promise<SignerMaterial> {
    const fields = new ConfigReader(config, FIELDS);
    if (fields.has('federated_token_file') && !sources.mayNameFiles) {
      throw invalidRequest(
        'config.federated_token_file cannot be used here: set AZURE_FEDERATED_TOKEN_FILE for the service',
      );
    }
    const settings = parseSettings(fields);
    const refusal = this.refusalOf(settings.vault_url);
    if (refusal !== undefined) throw invalidRequest(`config.vault_url ${refusal}`);
    const secret = settings.auth_type === 'client_secret' ? fields.secret('client_secret', sources) : null;
    await checkCredential(settings, secret, this.http);
    return { settings: { ...settings }, secret };
  }

  open(material: SignerMaterial): SignerProvider {
    const settings = material.settings as unknown as AzureSettings;
    assertStoredAddress('vault_url', this.refusalOf(settings.vault_url));
    if (settings.auth_type === 'client_secret' && !material.secret) {
      throw new Error('A signer of kind azure_key_vault is stored without its client secret');
    }
    return new AzureKeyVaultSignerProvider(settings, material.secret, { http: this.http });
  }

  private refusalOf(vaultUrl: unknown): string | undefined {
    return isOrigin(vaultUrl, isHttps)
      ? this.guard.refusalOutside(AZURE_VAULT_DOMAINS, vaultUrl)
      : `must be ${URL_RULE}`;
  }
}

function parseSettings(fields: ConfigReader): AzureSettings {
  const authType = (fields.optionalText('auth_type', RULES.auth_type) ?? 'client_secret') as AzureAuthType;
  checkAuthFields(fields, authType);
  const optional: Partial<AzureSettings> = {};
  for (const name of ['tenant_id', 'client_id', 'federated_token_file', 'key_version'] as const) {
    const value = fields.optionalText(name, RULES[name]);
    if (value !== undefined) optional[name] = value;
  }
  return {
    auth_type: authType,
    vault_url: fields.origin('vault_url', isHttps, URL_RULE),
    key_name: fields.text('key_name', RULES.key_name),
    ...optional,
  };
}

function checkAuthFields(fields: ConfigReader, authType: AzureAuthType): void {
  const { required, useless } = AUTH_FIELDS[authType];
  for (const name of required) {
    if (!fields.has(name)) throw invalidRequest(`config.${name} is required with auth_type ${authType}`);
  }
  for (const name of useless) {
    if (fields.has(name)) throw invalidRequest(`config.${name} must not be given with auth_type ${authType}`);
  }
}

/** A credential that cannot be created is a fault of the configuration, not of the service. */
async function checkCredential(
  settings: AzureSettings,
  secret: Secret | null,
  http: OutboundHttp,
): Promise<void> {
  const sdk = await loadAzureSdk();
  try {
    azureCredential(sdk, settings, secret, { http });
  } catch {
    throw invalidRequest(
      settings.auth_type === 'workload_identity'
        ? 'config.tenant_id, config.client_id and config.federated_token_file are required with auth_type ' +
            'workload_identity where AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_FEDERATED_TOKEN_FILE are not set'
        : `config has no valid credential for auth_type ${settings.auth_type}`,
    );
  }
}
