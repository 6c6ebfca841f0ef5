import { plain, plainSources } from '../../../../test/support/key-services/sources';
import { outboundGuard, outboundHttp } from '../../../../test/support/outbound';
import { AzureKeyVaultSignerFactory } from './azure-key-vault.factory';
import { AzureKeyVaultSignerProvider } from './azure-key-vault.provider';
import { type AzureSdk, loadAzureSdk } from './azure-key-vault.sdk';

const TENANT = '2d3d1c1e-7a54-4a7c-9f49-5b8a2f7a1a10';
const CLIENT = '7b1f0c50-46a2-4f6b-8a0e-0b6c5b3a9e21';
const VERSION = '0123456789abcdef0123456789abcdef';

const factory = new AzureKeyVaultSignerFactory(outboundHttp(), outboundGuard());
const outside = { ...process.env };
const key = { vault_url: 'https://my-vault.vault.azure.net/', key_name: 'relayer' };
const secretConfig = { ...key, tenant_id: TENANT, client_id: CLIENT, client_secret: plain('s3cret') };

beforeEach(() => {
  for (const name of ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_FEDERATED_TOKEN_FILE']) {
    Reflect.deleteProperty(process.env, name);
  }
});

afterEach(() => {
  process.env = { ...outside };
});

describe('AzureKeyVaultSignerFactory', () => {
  it('accepts a client secret by default and keeps it out of the settings', async () => {
    const { settings, secret } = await factory.prepare(
      { ...secretConfig, key_version: VERSION },
      plainSources,
    );
    expect(settings).toEqual({
      auth_type: 'client_secret',
      tenant_id: TENANT,
      client_id: CLIENT,
      vault_url: 'https://my-vault.vault.azure.net',
      key_name: 'relayer',
      key_version: VERSION,
    });
    expect(secret?.reveal()).toBe('s3cret');
    expect(factory.open({ settings, secret })).toBeInstanceOf(AzureKeyVaultSignerProvider);
  });

  it('accepts a managed identity with and without a client id', async () => {
    const auth_type = 'managed_identity';
    const vault_url = 'https://my-vault.vault.azure.net';
    expect(
      await factory.prepare({ ...key, auth_type, client_secret: null, key_version: null }, plainSources),
    ).toEqual({ settings: { auth_type, vault_url, key_name: 'relayer' }, secret: null });
    expect(await factory.prepare({ ...key, auth_type, client_id: CLIENT }, plainSources)).toEqual({
      settings: { auth_type, vault_url, key_name: 'relayer', client_id: CLIENT },
      secret: null,
    });
  });

  it('accepts a workload identity from the configuration or from the variables that AKS sets', async () => {
    const auth_type = 'workload_identity';
    const file = '/var/run/secrets/azure/tokens/azure-identity-token';
    const named = { tenant_id: TENANT, client_id: CLIENT, federated_token_file: file };
    const { settings } = await factory.prepare({ ...key, ...named, auth_type }, plainSources);
    expect(settings).toMatchObject(named);
    process.env.AZURE_TENANT_ID = TENANT;
    process.env.AZURE_CLIENT_ID = CLIENT;
    process.env.AZURE_FEDERATED_TOKEN_FILE = file;
    await expect(factory.prepare({ ...key, auth_type }, plainSources)).resolves.toMatchObject({
      secret: null,
    });
  });

  const URL_RULE =
    'config.vault_url must be an https URL of a host, such as https://my-vault.vault.azure.net';
  const WORKLOAD_RULE =
    'config.tenant_id, config.client_id and config.federated_token_file are required with auth_type ' +
    'workload_identity where AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_FEDERATED_TOKEN_FILE are not set';

  it.each<[string, unknown, string]>([
    [
      'null',
      null,
      'config must be an object of auth_type, tenant_id, client_id, client_secret, federated_token_file, vault_url, key_name, key_version',
    ],
    ['an unknown field', { ...secretConfig, region: 'x' }, 'config.region is not a known field'],
    [
      'an unknown auth_type',
      { ...secretConfig, auth_type: 'certificate' },
      'config.auth_type must be one of client_secret, managed_identity, workload_identity',
    ],
    [
      'client_secret without a tenant',
      { ...secretConfig, tenant_id: undefined },
      'config.tenant_id is required with auth_type client_secret',
    ],
    [
      'client_secret without a client',
      { ...secretConfig, client_id: null },
      'config.client_id is required with auth_type client_secret',
    ],
    [
      'client_secret without the secret',
      { ...secretConfig, client_secret: undefined },
      'config.client_secret is required with auth_type client_secret',
    ],
    [
      'client_secret with an empty secret',
      { ...secretConfig, client_secret: plain('') },
      'config.client_secret must be a string of 1 to 1024 characters without control characters',
    ],
    [
      'client_secret with a token file',
      { ...secretConfig, federated_token_file: '/token' },
      'config.federated_token_file must not be given with auth_type client_secret',
    ],
    [
      'managed_identity with a secret',
      { ...key, auth_type: 'managed_identity', client_secret: plain('x') },
      'config.client_secret must not be given with auth_type managed_identity',
    ],
    [
      'managed_identity with a token file',
      { ...key, auth_type: 'managed_identity', federated_token_file: '/token' },
      'config.federated_token_file must not be given with auth_type managed_identity',
    ],
    [
      'workload_identity with a secret',
      { ...key, auth_type: 'workload_identity', client_secret: plain('x') },
      'config.client_secret must not be given with auth_type workload_identity',
    ],
    ['workload_identity with nothing', { ...key, auth_type: 'workload_identity' }, WORKLOAD_RULE],
    [
      'workload_identity without the file',
      { ...key, auth_type: 'workload_identity', tenant_id: TENANT, client_id: CLIENT },
      WORKLOAD_RULE,
    ],
    [
      'a relative token file',
      { ...key, auth_type: 'workload_identity', federated_token_file: 'token' },
      'config.federated_token_file must be the absolute path of a file',
    ],
    [
      'a tenant with a slash',
      { ...secretConfig, tenant_id: 'a/b' },
      'config.tenant_id must be the id or a domain of a tenant',
    ],
    ['a client id that is a name', { ...secretConfig, client_id: 'app' }, 'config.client_id must be a UUID'],
    ['no vault', { ...secretConfig, vault_url: undefined }, URL_RULE],
    ['a vault over http', { ...secretConfig, vault_url: 'http://my-vault.vault.azure.net' }, URL_RULE],
    ['a vault over http on loopback', { ...secretConfig, vault_url: 'http://127.0.0.1:8200' }, URL_RULE],
    ['a vault with a path', { ...secretConfig, vault_url: 'https://v.vault.azure.net/keys/a' }, URL_RULE],
    ['a vault with a user', { ...secretConfig, vault_url: 'https://u:p@v.vault.azure.net' }, URL_RULE],
    [
      'a key name with a slash',
      { ...secretConfig, key_name: 'a/b' },
      'config.key_name must be 1 to 127 letters, digits or dashes',
    ],
    [
      'no key name',
      { ...secretConfig, key_name: undefined },
      'config.key_name must be 1 to 127 letters, digits or dashes',
    ],
    [
      'a short key version',
      { ...secretConfig, key_version: 'abc' },
      'config.key_version must be 32 lower-case hex digits',
    ],
  ])('refuses %s', async (_name, config, detail) => {
    await expect(factory.prepare(config, plainSources)).rejects.toMatchObject({
      code: 'invalid_request',
      detail,
    });
  });

  it('refuses to open without the client secret that auth_type client_secret needs', () => {
    const settings = { ...key, vault_url: 'https://my-vault.vault.azure.net', auth_type: 'client_secret' };
    expect(() => factory.open({ settings, secret: null })).toThrow(
      'A signer of kind azure_key_vault is stored without its client secret',
    );
  });
});

describe('loadAzureSdk', () => {
  const failing =
    (code: string, missing = '@azure/identity') =>
    (): Promise<AzureSdk> =>
      Promise.reject(Object.assign(new Error(`Cannot find package '${missing}'`), { code }));

  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
    'names the packages to install on %s',
    async (code) => {
      await expect(loadAzureSdk(failing(code))).rejects.toMatchObject({
        code: 'invalid_request',
        detail:
          'signers of type azure_key_vault need packages that are not installed: npm install --save-prod @azure/keyvault-keys@4.10.2 @azure/identity@4.13.1',
      });
    },
  );

  it('rethrows any other error', async () => {
    await expect(loadAzureSdk(failing('ERR_REQUIRE_ESM'))).rejects.toMatchObject({ code: 'ERR_REQUIRE_ESM' });
    await expect(loadAzureSdk(failing('MODULE_NOT_FOUND', '@azure/core-util'))).rejects.toMatchObject({
      code: 'MODULE_NOT_FOUND',
    });
  });
});
