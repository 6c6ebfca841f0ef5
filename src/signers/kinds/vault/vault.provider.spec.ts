import { inspect } from 'node:util';
import type { HttpFault } from '../../../../test/support/key-services/http-faults';
import { unusedPort } from '../../../../test/support/key-services/loopback-server';
import { outboundGuard, outboundHttp } from '../../../../test/support/outbound';
import { plain, plainSources } from '../../../../test/support/key-services/sources';
import { type VaultRequest, VaultStandIn } from '../../../../test/support/key-services/vault.stand-in';
import { describeSignerProvider } from '../../../../test/support/suites/signer-provider';
import type { SignerFailureReason } from '../../signer-failure';
import type { SignerProvider } from '../../signer-provider';
import type { Secp256k1Engine } from '../../secp256k1/secp256k1-engine';
import { wasmEngine } from '../../secp256k1/wasm-engine';
import { VaultSignerFactory } from './vault.factory';
import { unpackAppRole, type VaultSettings } from './vault.config';
import { VaultSignerProvider } from './vault.provider';

// The key and addresses of the published vectors for kind `local`: account 0 of the development mnemonic.
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const EVM_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const TIMEOUT_MS = 15_000;

const vault = new VaultStandIn();
const ALLOWED = { allow: '127.0.0.0/8' };
const http = outboundHttp(ALLOWED);
let engine: Secp256k1Engine;
let factory: VaultSignerFactory;

beforeAll(async () => {
  engine = await wasmEngine();
  factory = new VaultSignerFactory(engine, http, outboundGuard(ALLOWED));
  vault.put('secret', 'relayers/main', { value: KEY });
  await vault.start();
});
afterAll(async () => {
  await http.onApplicationShutdown();
  await vault.stop();
});
beforeEach(() => {
  vault.behave();
  vault.put('secret', 'relayers/main', { value: KEY });
});

const config = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  address: vault.address,
  role_id: plain(vault.roleId),
  secret_id: plain(vault.secretId),
  key_name: 'relayers/main',
  ...changes,
});

async function open(changes: Record<string, unknown> = {}): Promise<SignerProvider> {
  return factory.open(await factory.prepare(config(changes), plainSources));
}

/** Like `open`, with a short timeout. */
async function openImpatient(
  changes: Record<string, unknown> = {},
  timeoutMs = TIMEOUT_MS,
): Promise<SignerProvider> {
  const { settings, secret } = await factory.prepare(config(changes), plainSources);
  return new VaultSignerProvider(settings as unknown as VaultSettings, unpackAppRole(secret!), engine, http, {
    concurrency: 1,
    waiting: 1,
    timeoutMs,
  });
}

describeSignerProvider('vault', { open, deterministic: true });

describe('VaultSignerProvider', () => {
  it('logs in, reads the key once and then signs without requests to Vault', async () => {
    const signer = await open();
    await signer.init();
    expect(await signer.address('evm')).toBe(EVM_ADDRESS);
    await signer.signDigest(Buffer.alloc(32, 7));
    await signer.signDigest(Buffer.alloc(32, 8));
    expect(vault.requests).toEqual(['POST /v1/auth/approle/login', 'GET /v1/secret/data/relayers/main']);
  });

  it('has an address on every type of network', async () => {
    vault.put('secret', 'relayers/main', {
      value: '0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    });
    const signer = await open();
    await signer.init();
    // The public key of RFC 8032 §7.1 TEST 1 in both text forms.
    expect(await signer.address('solana')).toBe('FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z');
    expect(await signer.address('stellar')).toMatch(/^G[A-Z2-7]{55}$/);
  });

  it('accepts a key with an 0x prefix and upper-case digits', async () => {
    vault.put('secret', 'relayers/main', { value: `0x${KEY.toUpperCase()}` });
    const signer = await open();
    await signer.init();
    expect(await signer.address('evm')).toBe(EVM_ADDRESS);
  });

  it('reads from the configured mount and namespace', async () => {
    vault.namespace = 'team/payments';
    vault.put('kv/keys', 'hot', { value: KEY });
    const signer = await open({ mount_point: 'kv/keys', key_name: 'hot', namespace: 'team/payments' });
    await signer.init();
    expect(await signer.address('evm')).toBe(EVM_ADDRESS);
  });

  it.each<[string, unknown]>([
    ['zero', { value: '0'.repeat(64) }],
    ['the order of the curve', { value: ORDER }],
    ['above the order', { value: 'f'.repeat(64) }],
    ['63 digits', { value: KEY.slice(1) }],
    ['no hex', { value: 'z'.repeat(64) }],
    ['a number', { value: 1 }],
    ['nested', { value: { value: KEY } }],
    ['another field', { key: KEY }],
    ['a deleted version', null],
  ])('refuses a key that is %s', async (_name, fields) => {
    vault.put('secret', 'relayers/main', fields);
    await expect((await open()).init()).rejects.toMatchObject({ reason: 'invalid_response' });
  });

  it('reports refused for a wrong secret id and for a missing secret', async () => {
    await expect((await open({ secret_id: plain('other') })).init()).rejects.toMatchObject({
      reason: 'refused',
    });
    await expect((await open({ key_name: 'none' })).init()).rejects.toMatchObject({ reason: 'refused' });
  });

  it.each<VaultRequest>(['login', 'read'])(
    'reports why the %s request failed, within the timeout',
    async (request) => {
      const endings: Record<HttpFault, SignerFailureReason> = {
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
      for (const [fault, reason] of Object.entries(endings)) {
        vault.misbehave(request, fault as HttpFault);
        const timeoutMs = fault === 'delay' ? 500 : TIMEOUT_MS;
        const signer = await openImpatient({}, timeoutMs);
        const began = Date.now();
        const failure: unknown = await signer.init().catch((error: unknown) => error);
        expect([fault, failure]).toMatchObject([fault, { code: 'signer_unavailable', reason }]);
        expect(Date.now() - began).toBeLessThan(2 * timeoutMs + 2000);
        await expect(signer.signDigest(Buffer.alloc(32))).rejects.toThrow('The signer is not open');
      }
    },
  );

  it('reports unreachable if nothing listens at the Vault address', async () => {
    const signer = await openImpatient({ address: `http://127.0.0.1:${await unusedPort()}` });
    await expect(signer.init()).rejects.toMatchObject({
      reason: 'unreachable',
      cause: { message: expect.stringMatching(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/) },
    });
  });

  it('does not call a Vault whose name resolves to a forbidden address', async () => {
    const guarded = outboundHttp({ lookup: () => Promise.resolve(['127.0.0.1']) });
    const address = vault.address.replace('127.0.0.1', 'vault.example.com');
    const { settings, secret } = await factory.prepare(config(), plainSources);
    const signer = new VaultSignerProvider(
      { ...(settings as unknown as VaultSettings), address },
      unpackAppRole(secret!),
      engine,
      guarded,
    );
    await expect(signer.init()).rejects.toMatchObject({
      reason: 'unreachable',
      cause: { failure: 'refused' },
    });
    expect(vault.requests).toEqual([]);
    await guarded.onApplicationShutdown();
  });

  it('does not reveal secrets in its errors', async () => {
    const shown: string[] = [];
    for (const fault of ['forbidden', 'html', 'hang_up', 'redirect'] as const) {
      vault.misbehave('read', fault);
      shown.push(inspect(await (await open()).init().catch((error: unknown) => error), { depth: 9 }));
    }
    vault.behave();
    vault.tokenEnd = '\n';
    const failure: unknown = await (await open()).init().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'invalid_response' });
    shown.push(inspect(failure, { depth: 9 }));
    vault.behave();
    vault.put('secret', 'relayers/main', { value: ORDER });
    shown.push(inspect(await (await open()).init().catch((error: unknown) => error), { depth: 9 }));
    for (const secret of [vault.roleId, vault.secretId, 'hvs.', ORDER]) {
      expect(shown.join()).not.toContain(secret);
    }
  });
});

describe('VaultSignerFactory', () => {
  it('stores the AppRole credentials as the secret and the other fields as settings', async () => {
    const { settings, secret } = await factory.prepare(
      config({ address: 'https://Vault.Example.com:8200/', namespace: null }),
      plainSources,
    );
    expect(settings).toEqual({
      address: 'https://vault.example.com:8200',
      mount_point: 'secret',
      key_name: 'relayers/main',
    });
    expect(JSON.parse(secret!.reveal())).toEqual({ role_id: vault.roleId, secret_id: vault.secretId });
  });

  const ADDRESS =
    'config.address must be an https URL of a host, such as https://vault.example.com:8200 (http for a loopback address only)';
  const KEY_NAME =
    'config.key_name must be the path of a secret, of at most 255 characters: letters, digits, ".", "_" and "-", with "/" between the parts';

  it.each<[string, unknown, string]>([
    [
      'no object',
      [],
      'config must be an object of address, namespace, role_id, secret_id, key_name, mount_point',
    ],
    ['an unknown field', { token: 'x' }, 'config.token is not a known field'],
    ['no address', { address: undefined }, ADDRESS],
    ['http to another machine', { address: 'http://vault.example.com:8200' }, ADDRESS],
    ['an address with a path', { address: 'https://vault.example.com/v1' }, ADDRESS],
    ['an address with a user', { address: 'https://a:b@vault.example.com' }, ADDRESS],
    ['an address with a query', { address: 'https://vault.example.com?a=b' }, ADDRESS],
    ['no key name', { key_name: undefined }, KEY_NAME],
    ['a long key name', { key_name: 'a'.repeat(256) }, KEY_NAME],
    ['a key name that climbs', { key_name: 'a/../b' }, KEY_NAME],
    ['a key name with a query', { key_name: 'a?version=1' }, KEY_NAME],
    [
      'a mount point with an end slash',
      { mount_point: 'secret/' },
      'config.mount_point must be the path of a KV version 2 engine, of at most 255 characters: letters, digits, ".", "_" and "-", with "/" between the parts',
    ],
    [
      'a namespace with a line break',
      { namespace: 'a\nb' },
      'config.namespace must be the path of a namespace: letters, digits, ".", "_", "-" and "/"',
    ],
    [
      'an empty role id',
      { role_id: plain('') },
      'config.role_id must be a string of 1 to 1024 characters without control characters',
    ],
    [
      'a secret id with a line break',
      { secret_id: plain('abc\n') },
      'config.secret_id must be a string of 1 to 1024 characters without control characters',
    ],
  ])('refuses %s', async (_name, changes, detail) => {
    const bad = Array.isArray(changes) ? changes : config(changes as Record<string, unknown>);
    await expect(factory.prepare(bad, plainSources)).rejects.toMatchObject({
      code: 'invalid_request',
      detail,
    });
  });
});
