import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import '../../../test/support/key-services/error-realms';
import { outboundGuard, outboundHttp, type OutboundSettings } from '../../../test/support/outbound';
import { plain, plainSources } from '../../../test/support/key-services/sources';
import { rawResponse, RawServer } from '../../../test/support/raw-server';
import type { SignerMaterial, SignerProviderFactory } from '../signer-provider';
import { AwsKmsSignerFactory } from '../kinds/aws-kms/aws-kms.factory';
import { AzureKeyVaultSignerFactory } from '../kinds/azure-key-vault/azure-key-vault.factory';
import { GoogleCloudKmsSignerFactory } from '../kinds/google-cloud-kms/google-cloud-kms.factory';
import { wasmEngine } from '../secp256k1/wasm-engine';
import { VaultSignerFactory } from '../kinds/vault/vault.factory';
import { sendForVendor } from './vendor-transport';

const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const AZURE_KEY = { vault_url: 'https://my-vault.vault.azure.net', key_name: 'relayer' };
const GOOGLE_KEY = { location: 'europe-west1', key_ring_id: 'a', key_id: 'b', key_version: 1 };
const UUID = '7b1f0c50-46a2-4f6b-8a0e-0b6c5b3a9e21';

const CONFIGS = {
  aws_kms: { key_id: '1234abcd-12ab-34cd-56ef-1234567890ab', region: 'eu-central-1' },
  azure_key_vault: { ...AZURE_KEY, tenant_id: UUID, client_id: UUID, client_secret: plain('s3cret') },
  google_cloud_kms: {
    key: GOOGLE_KEY,
    service_account: { project_id: 'treasury', client_email: 'a@b', private_key: plain(PRIVATE_KEY) },
  },
  vault: {
    address: 'https://vault.example.com',
    role_id: plain('role'),
    secret_id: plain('secret'),
    key_name: 'main',
  },
} as const;
type Kind = keyof typeof CONFIGS;

/** The host that each kind calls first. */
const HOSTS: [kind: Kind, host: string][] = [
  ['aws_kms', 'kms.eu-central-1.amazonaws.com'],
  ['azure_key_vault', 'my-vault.vault.azure.net'],
  ['google_cloud_kms', 'cloudkms.googleapis.com'],
  ['vault', 'vault.example.com'],
];
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy'];

describe('Clients of key services', () => {
  const environment = process.env;
  const lookedUp: string[] = [];
  let addresses: string[] = [];
  let proxy: RawServer;
  const lookup = (name: string): Promise<string[]> => {
    lookedUp.push(name);
    return Promise.resolve(addresses);
  };
  const http = outboundHttp({ lookup });

  beforeAll(async () => {
    proxy = await RawServer.start((socket) => socket.end(rawResponse('', '502 Bad Gateway')));
    process.env = {
      ...environment,
      ...Object.fromEntries(PROXIES.map((name) => [name, proxy.url])),
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI',
      AWS_EC2_METADATA_DISABLED: 'true',
    };
  });

  beforeEach(() => {
    lookedUp.length = 0;
  });

  afterAll(async () => {
    process.env = environment;
    await http.onApplicationShutdown();
    await proxy.close();
  });

  async function factories(settings: OutboundSettings = {}): Promise<Record<Kind, SignerProviderFactory>> {
    const guard = outboundGuard(settings);
    return {
      aws_kms: new AwsKmsSignerFactory(http),
      azure_key_vault: new AzureKeyVaultSignerFactory(http, guard),
      google_cloud_kms: new GoogleCloudKmsSignerFactory(http, guard),
      vault: new VaultSignerFactory(await wasmEngine(), http, guard),
    };
  }

  it.each(
    HOSTS.flatMap(([kind, host]) =>
      ['10.0.0.7', '127.0.0.1', '169.254.169.254'].map((to) => [kind, host, to] as const),
    ),
  )('of kind %s do not call %s at %s, nor any proxy from the environment', async (kind, host, address) => {
    addresses = [address];
    const factory = (await factories())[kind];
    const provider = factory.open(await factory.prepare(CONFIGS[kind], plainSources));
    const failure = await provider.init().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'unreachable' });
    expect(inspect(failure, { depth: 9 })).toContain('leads to an address that is not allowed');
    expect(lookedUp).toContain(host);
    expect(proxy.sockets).toHaveLength(0);
  });

  it.each<[Kind, SignerMaterial['settings'], string]>([
    ['aws_kms', { region: 'eu-central-1.example.com/#' }, 'The stored region must be an AWS region'],
    [
      'azure_key_vault',
      { vault_url: 'https://evil.example' },
      'The stored vault_url must be on vault.azure.net',
    ],
    [
      'azure_key_vault',
      { vault_url: 'https://10.0.0.1' },
      'The stored vault_url leads to an address that is not allowed',
    ],
    [
      'azure_key_vault',
      { vault_url: 'http://my-vault.vault.azure.net' },
      'The stored vault_url must be an https URL',
    ],
    [
      'azure_key_vault',
      { vault_url: 'https://a:b@my-vault.vault.azure.net' },
      'The stored vault_url must be an https URL',
    ],
    [
      'google_cloud_kms',
      { 'service_account.universe_domain': 'evil.example' },
      'universe_domain must be on googleapis.com',
    ],
    [
      'google_cloud_kms',
      { 'service_account.universe_domain': 'evil.example/#' },
      'universe_domain must be a domain',
    ],
    ['vault', { address: 'http://vault.example.com' }, 'The stored address must be an https URL'],
    ['vault', { address: 'https://vault.example.com/v1/..' }, 'The stored address must be an https URL'],
    [
      'vault',
      { address: 'https://169.254.169.254' },
      'The stored address leads to an address that is not allowed',
    ],
  ])('of kind %s are not opened with stored settings %o', async (kind, changes, text) => {
    const factory = (await factories())[kind];
    const { settings, secret } = await factory.prepare(CONFIGS[kind], plainSources);
    const open = () => factory.open({ settings: { ...settings, ...changes }, secret });
    expect(open).toThrow(
      expect.objectContaining({
        code: 'signer_unavailable',
        reason: 'address_refused',
        cause: expect.objectContaining({ message: expect.stringContaining(text) as string }) as Error,
      }) as Error,
    );
    expect(lookedUp).toEqual([]);
  });

  it('accept a host outside of the vendor domains if OUTBOUND_ALLOW names it', async () => {
    const { azure_key_vault: factory } = await factories({ allow: 'key-service:vault.partner.example:443' });
    const config = { ...CONFIGS.azure_key_vault, vault_url: 'https://vault.partner.example' };
    const { settings } = await factory.prepare(config, plainSources);
    expect(settings.vault_url).toBe('https://vault.partner.example');
    const other = { ...config, vault_url: 'https://vault.other.example' };
    await expect(factory.prepare(other, plainSources)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: expect.stringMatching(
        /^config\.vault_url must be on vault\.azure\.net, .*, unless OUTBOUND_ALLOW names its host$/,
      ),
    });
  });

  it('open a stored private Vault address only while OUTBOUND_ALLOW permits it', async () => {
    const vaultAt = { ...CONFIGS.vault, address: 'https://10.0.0.5:8200' };
    const { vault: before } = await factories({ allow: 'key-service:10.0.0.5:8200' });
    const { vault: after } = await factories({ allow: 'rpc:10.0.0.5:8200' });
    const material = await before.prepare(vaultAt, plainSources);
    before.open(material);
    expect(() => after.open(material)).toThrow(
      expect.objectContaining({ reason: 'address_refused' }) as Error,
    );
  });
});

describe('sendForVendor', () => {
  const http = outboundHttp({ allow: 'key-service:127.0.0.1' });
  let server: RawServer;

  afterAll(async () => {
    await http.onApplicationShutdown();
    await server.close();
  });

  it('requests no compression and sends each header once', async () => {
    server = await RawServer.start((socket) => socket.write(rawResponse('hello')));
    const headers = Object.entries({
      'Accept-Encoding': 'gzip',
      'Content-Length': '2',
      Host: 'x',
      'X-One': '1',
    });

    const { status } = await sendForVendor(http, { method: 'POST', url: server.url, headers, body: '{}' });
    expect(status).toBe(200);
    const head = server.requests[0]!.split('\r\n\r\n')[0]!.toLowerCase();
    expect(head.match(/^(accept-encoding|content-length|host|x-one): .*$/gm)?.sort()).toEqual([
      'accept-encoding: identity',
      'content-length: 2',
      `host: 127.0.0.1:${server.port}`,
      'x-one: 1',
    ]);
  });

  it.each(['PUT', 'DELETE', 'HEAD'])('refuses %s requests', async (method) => {
    await expect(sendForVendor(http, { method, url: server.url, headers: [] })).rejects.toThrow(
      `Clients of key services send no ${method} requests`,
    );
  });
});
