import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  type AzureFault,
  AzureKeyVaultStandIn,
  type AzureRequest,
} from '../../../../test/support/key-services/azure-key-vault.stand-in';
import type { HttpFault } from '../../../../test/support/key-services/http-faults';
import { unusedPort } from '../../../../test/support/key-services/loopback-server';
import { plain, plainSources } from '../../../../test/support/key-services/sources';
import { outboundGuard, outboundHttp } from '../../../../test/support/outbound';
import type { SignerFailureReason } from '../../signer-failure';
import { SignerUnsuitableError } from '../../signer-provider';
import { describeSignerProvider } from '../../../../test/support/suites/signer-provider';
import { DEFAULT_CALL_LIMITS } from '../../key-services/remote-calls';
import { AzureKeyVaultSignerFactory } from './azure-key-vault.factory';
import { AzureKeyVaultSignerProvider } from './azure-key-vault.provider';
import type { AzureSettings } from './azure-key-vault.config';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const EVM_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const DIGEST = Buffer.alloc(32, 7);
const TIMEOUT_MS = 15_000;

const azure = new AzureKeyVaultStandIn(KEY);
const ALLOWED = { allow: 'key-service:127.0.0.1' };
const http = outboundHttp({ ...ALLOWED, tls: { ca: azure.ca } });
const factory = new AzureKeyVaultSignerFactory(http, outboundGuard(ALLOWED));
const outside = { ...process.env };

beforeAll(async () => {
  await azure.start();
});

afterAll(async () => {
  await http.onApplicationShutdown();
  await azure.stop();
});

beforeEach(() => {
  azure.behave();
});

afterEach(() => {
  process.env = { ...outside };
});

const config = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  tenant_id: azure.tenantId,
  client_id: azure.clientId,
  client_secret: plain(azure.clientSecret),
  vault_url: azure.url,
  key_name: azure.keyName,
  ...changes,
});

async function open(
  changes: Record<string, unknown> = {},
  limits = DEFAULT_CALL_LIMITS,
): Promise<AzureKeyVaultSignerProvider> {
  const { settings, secret } = await factory.prepare(config(changes), plainSources);
  return new AzureKeyVaultSignerProvider(
    settings as unknown as AzureSettings,
    secret,
    {
      http,
      authorityHost: azure.url,
      disableInstanceDiscovery: true,
      disableChallengeResourceVerification: true,
    },
    limits,
  );
}

const impatience = { ...DEFAULT_CALL_LIMITS, timeoutMs: TIMEOUT_MS };

const openImpatient = (changes: Record<string, unknown> = {}): Promise<AzureKeyVaultSignerProvider> =>
  open(changes, impatience);

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describeSignerProvider('azure_key_vault', { open, deterministic: false });

describe('AzureKeyVaultSignerProvider', () => {
  it('logs in once, resolves the key version and signs with it', async () => {
    const signer = await open();
    await signer.init();
    expect(await signer.address('evm')).toBe(EVM_ADDRESS);
    await signer.signDigest(DIGEST);
    await signer.signDigest(DIGEST);
    const version = `/keys/relayer/${azure.version}`;
    expect(azure.requests).toEqual([
      'GET /keys/relayer/',
      'GET /{tenant}/v2.0/.well-known/openid-configuration',
      'POST /{tenant}/oauth2/v2.0/token',
      'GET /keys/relayer/',
      `GET ${version}`,
      `POST ${version}/sign`,
      `POST ${version}/sign`,
    ]);
  });

  it('requests the configured version and accepts no other', async () => {
    const signer = await open({ key_version: azure.version });
    await signer.init();
    expect(azure.requests.at(-1)).toBe(`GET /keys/relayer/${azure.version}`);
    const other = await open({ key_version: '0'.repeat(32) });
    await expect(other.init()).rejects.toMatchObject({ reason: 'refused' });
    azure.keyChanges = { kid: `${azure.url}/keys/relayer/${'1'.repeat(32)}` };
    const confused = await open({ key_version: azure.version });
    await expect(confused.init()).rejects.toMatchObject({ reason: 'invalid_response' });
  });

  it('signs for 50 concurrent callers right after it was opened', async () => {
    const signer = await open();
    await signer.init();
    const signatures = await Promise.all(Array.from({ length: 50 }, () => signer.signDigest(DIGEST)));
    expect(new Set(signatures.map(({ s }) => s)).size).toBe(1);
  });

  it('uses a managed identity', async () => {
    process.env.IDENTITY_ENDPOINT = `${azure.url}/msi/token`;
    process.env.IDENTITY_HEADER = azure.assertion;
    const signer = await open({
      auth_type: 'managed_identity',
      tenant_id: undefined,
      client_id: undefined,
      client_secret: undefined,
    });
    await signer.init();
    await signer.signDigest(DIGEST);
    expect(azure.requests).toContain('GET /msi/token');
  });

  it.each([
    ['the client id that AKS sets', undefined],
    ['its own client id', azure.clientId],
  ])('uses a managed identity on AKS through the guard, with %s', async (_whose, client_id) => {
    const folder = await mkdtemp(join(tmpdir(), 'federated-'));
    await writeFile(join(folder, 'token'), azure.assertion);
    Object.assign(process.env, {
      AZURE_TENANT_ID: azure.tenantId,
      AZURE_CLIENT_ID: client_id === undefined ? azure.clientId : randomUUID(),
      AZURE_FEDERATED_TOKEN_FILE: join(folder, 'token'),
      AZURE_AUTHORITY_HOST: azure.url,
    });
    const auth_type = 'managed_identity';
    const signer = await open({ auth_type, tenant_id: 'other', client_id, client_secret: undefined });
    // Only the guarded connections trust the certificate of the stand-in.
    await signer.init();
    await signer.signDigest(DIGEST);
    expect(azure.requests).toContain('POST /{tenant}/oauth2/v2.0/token');
    await rm(folder, { recursive: true });
  });

  it('uses a workload identity', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'federated-'));
    const file = join(folder, 'token');
    await writeFile(file, azure.assertion);
    const signer = await open({
      auth_type: 'workload_identity',
      client_secret: undefined,
      federated_token_file: file,
    });
    await signer.init();
    await signer.signDigest(DIGEST);
    await rm(folder, { recursive: true });
    const late = await open({
      auth_type: 'workload_identity',
      client_secret: undefined,
      federated_token_file: file,
    });
    await expect(late.init()).rejects.toMatchObject({ reason: 'refused' });
  });

  it('has addresses on EVM networks only', async () => {
    const signer = await open();
    await expect(signer.address('solana')).rejects.toThrow(SignerUnsuitableError);
    await expect(signer.address('stellar')).rejects.toThrow(SignerUnsuitableError);
  });

  it.each<[string, Record<string, unknown>, SignerFailureReason]>([
    ['of another curve', { crv: 'P-256' }, 'invalid_response'],
    ['of another type', { kty: 'RSA' }, 'invalid_response'],
    ['without a type', { kty: undefined }, 'invalid_response'],
    ['with a short coordinate', { x: Buffer.alloc(31, 1).toString('base64url') }, 'invalid_response'],
    ['with a long coordinate', { y: Buffer.alloc(33, 1).toString('base64url') }, 'invalid_response'],
    ['without a coordinate', { y: undefined }, 'invalid_response'],
    ['with a number for a coordinate', { x: 5 }, 'invalid_response'],
    ['off the curve', { x: Buffer.alloc(32, 1).toString('base64url') }, 'invalid_response'],
    ['without an id', { kid: undefined }, 'invalid_response'],
    ['without a version', { kid: 'https://127.0.0.1/keys/relayer' }, 'invalid_response'],
    ['that may not sign', { key_ops: ['verify'] }, 'refused'],
  ])('refuses to open with a key %s', async (_name, changes, reason) => {
    azure.keyChanges = changes;
    await expect((await open()).init()).rejects.toMatchObject({ reason });
  });

  it('accepts the former name of the curve and keys outside of an HSM', async () => {
    azure.keyChanges = { kty: 'EC', crv: 'SECP256K1' };
    const signer = await open();
    await signer.init();
    expect(await signer.address('evm')).toBe(EVM_ADDRESS);
  });

  it.each<[string, Record<string, unknown>]>([
    ['is disabled', { enabled: false }],
    ['expired at 2001-09-09T01:46:40.000Z', { exp: 1_000_000_000 }],
    ['cannot be used before 2096-10-02T07:06:40.000Z', { nbf: 4_000_000_000 }],
  ])('refuses to open with a key that %s', async (text, changes) => {
    azure.attributeChanges = changes;
    await expect((await open()).init()).rejects.toMatchObject({
      reason: 'refused',
      cause: { message: `The key in Azure Key Vault ${text}` },
    });
  });

  const ENDINGS: Record<HttpFault, SignerFailureReason> = {
    delay: 'timeout',
    unauthorized: 'refused',
    forbidden: 'refused',
    not_found: 'refused',
    throttled: 'throttled',
    broken: 'unreachable',
    overloaded: 'unreachable',
    redirect: 'invalid_response',
    empty: 'invalid_response',
    html: 'invalid_response',
    wrong_json: 'invalid_response',
    hang_up: 'unreachable',
    hang_up_halfway: 'unreachable',
    huge: 'invalid_response',
  };

  async function expectEnding(
    request: AzureRequest,
    fault: AzureFault,
    reason: SignerFailureReason,
    work: () => Promise<unknown>,
  ): Promise<void> {
    azure.misbehave(request, fault);
    // A delay is not retried, so a short time limit is enough.
    impatience.timeoutMs = fault === 'delay' ? 300 : TIMEOUT_MS;
    const began = Date.now();
    const failure = await failureOf(work());
    expect([fault, failure]).toMatchObject([fault, { code: 'signer_unavailable', reason }]);
    expect(Date.now() - began).toBeLessThan(impatience.timeoutMs + 2000);
    impatience.timeoutMs = TIMEOUT_MS;
  }

  it('reports why opening failed, within the timeout', async () => {
    for (const [fault, reason] of Object.entries(ENDINGS)) {
      const signer = await openImpatient();
      await expectEnding('key', fault as HttpFault, reason, () => signer.init());
      await expect(signer.signDigest(DIGEST)).rejects.toThrow('The signer is not open');
    }
  });

  it('reports why the login failed, within the timeout', async () => {
    // A response that is not a token counts as a refusal.
    const endings = {
      ...ENDINGS,
      redirect: 'refused',
      empty: 'refused',
      html: 'refused',
      wrong_json: 'refused',
    } as const;
    for (const [fault, reason] of Object.entries(endings)) {
      const signer = await openImpatient();
      await expectEnding('token', fault as HttpFault, reason, () => signer.init());
    }
  });

  it('reports why signing failed, within the timeout, and signs again once the service has recovered', async () => {
    const signer = await openImpatient();
    await signer.init();
    const endings: Record<AzureFault, SignerFailureReason> = {
      ...ENDINGS,
      wrong_key: 'invalid_response',
      short_signature: 'invalid_response',
      zero_signature: 'invalid_response',
    };
    for (const [fault, reason] of Object.entries(endings)) {
      await expectEnding('sign', fault as AzureFault, reason, () => signer.signDigest(DIGEST));
    }
    azure.behave();
    await expect(signer.signDigest(DIGEST)).resolves.toMatchObject({ r: expect.any(String) });
  });

  it('retries a server error once, and a throttled request not at all', async () => {
    const signer = await openImpatient();
    await signer.init();
    await signer.signDigest(DIGEST);
    azure.requests.length = 0;
    azure.misbehave('sign', 'broken');
    await failureOf(signer.signDigest(DIGEST));
    expect(azure.requests).toHaveLength(2);
    azure.misbehave('sign', 'throttled');
    await failureOf(signer.signDigest(DIGEST));
    expect(azure.requests).toHaveLength(3);
  });

  it('reports refused for a wrong client secret and for a revoked token', async () => {
    const wrong = await open({ client_secret: plain('other') });
    await expect(wrong.init()).rejects.toMatchObject({ reason: 'refused' });
    const signer = await open();
    await signer.init();
    azure.revokeTokens();
    await expect(signer.signDigest(DIGEST)).rejects.toMatchObject({ reason: 'refused' });
  });

  it('reports unreachable if nothing listens at the vault URL', async () => {
    const signer = await openImpatient({ vault_url: `https://127.0.0.1:${await unusedPort()}` });
    await expect(signer.init()).rejects.toMatchObject({
      reason: 'unreachable',
      cause: { code: 'ECONNRESET', message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\)$/) },
    });
  });

  it('reports unreachable if the certificate is not from a trusted authority', async () => {
    const { settings, secret } = await factory.prepare(config(), plainSources);
    const signer = new AzureKeyVaultSignerProvider(settings as unknown as AzureSettings, secret, {
      http: outboundHttp(ALLOWED),
    });
    await expect(signer.init()).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('does not reveal secrets in its errors', async () => {
    const shown: string[] = [];
    for (const fault of ['forbidden', 'html', 'hang_up', 'broken'] as const) {
      azure.misbehave('token', fault);
      shown.push(inspect(await failureOf((await open()).init()), { depth: 9 }));
    }
    azure.behave();
    shown.push(
      inspect(await failureOf((await open({ client_secret: plain('s3cret') })).init()), { depth: 9 }),
    );
    for (const secret of [azure.clientSecret, 's3cret', 'token-']) expect(shown.join()).not.toContain(secret);
  });
});
