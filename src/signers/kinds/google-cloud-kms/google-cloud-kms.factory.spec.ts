import { generateKeyPairSync } from 'node:crypto';
import { outboundGuard, outboundHttp } from '../../../../test/support/outbound';
import { invalidRequest } from '../../../common/errors/domain-error';
import { Secret } from '../../../common/secrets/secret';
import type { SignerSources } from '../../signer-provider';
import { GoogleCloudKmsSignerFactory } from './google-cloud-kms.factory';

const pem = (type: 'rsa' | 'ed25519'): string =>
  (type === 'rsa'
    ? generateKeyPairSync(type, { modulusLength: 2048 })
    : generateKeyPairSync(type)
  ).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;

const PRIVATE_KEY = pem('rsa');
const KEY = { location: 'europe-west1', key_ring_id: 'relayers', key_id: 'mainnet', key_version: 3 };
const ACCOUNT = {
  private_key: PRIVATE_KEY,
  private_key_id: 'a1b2c3',
  project_id: 'treasury',
  client_email: 'relayer@treasury.iam.gserviceaccount.com',
  client_id: '123456789012345678901',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
  client_x509_cert_url: 'https://www.googleapis.com/robot/v1/metadata/x509/relayer',
  universe_domain: 'googleapis.com',
};
const KEY_SETTINGS = {
  'key.location': 'europe-west1',
  'key.key_ring_id': 'relayers',
  'key.key_id': 'mainnet',
  'key.key_version': 3,
};
const ID_RULE = 'must be 1 to 63 letters, digits, dashes or underscores';
const VERSION_RULE = 'config.key.key_version must be an integer from 1 to 2147483647';
const PEM_RULE = 'config.service_account.private_key must be an RSA private key in PEM';

const sources: SignerSources = {
  mayNameFiles: true,
  secret: (reference, field) => {
    const { value } = reference as { value?: string };
    if (value === undefined) throw invalidRequest(`${field} is no reference`);
    return new Secret(value);
  },
  file: () => Promise.reject(new Error('no file is asked for')),
};

describe('GoogleCloudKmsSignerFactory', () => {
  const factory = new GoogleCloudKmsSignerFactory(outboundHttp(), outboundGuard());
  const account = (change: object) => ({ key: KEY, service_account: { ...ACCOUNT, ...change } });
  const key = (change: object) => ({ key: { ...KEY, ...change }, project_id: 'treasury' });

  it('stores the private key of a service account as the secret and the other fields as settings', async () => {
    const { settings, secret } = await factory.prepare(account({}), sources);
    const { private_key: privateKey, ...shown } = ACCOUNT;
    const expected = Object.entries(shown).map(([name, value]) => [`service_account.${name}`, value]);
    expect(settings).toEqual({ ...KEY_SETTINGS, ...Object.fromEntries(expected) });
    expect(secret?.reveal()).toBe(privateKey);
  });

  it('accepts secret references and a private key with line breaks escaped as \\n', async () => {
    const written = PRIVATE_KEY.replaceAll('\n', '\\n');
    const config = account({
      private_key: { type: 'plain', value: written },
      client_email: { type: 'plain', value: 'a@b' },
    });
    const { settings, secret } = await factory.prepare(config, sources);
    expect(settings['service_account.client_email']).toBe('a@b');
    expect(secret?.reveal()).toBe(PRIVATE_KEY);
  });

  it('accepts the credentials of the environment', async () => {
    const config = { key: KEY, project_id: 'treasury', service_account: null };
    const material = await factory.prepare(config, sources);
    expect(material).toEqual({ settings: { ...KEY_SETTINGS, project_id: 'treasury' }, secret: null });
  });

  describe('with GOOGLE_CLOUD_UNIVERSE_DOMAIN', () => {
    const ambient = { key: KEY, project_id: 'treasury' };
    const rule =
      'GOOGLE_CLOUD_UNIVERSE_DOMAIN must be on googleapis.com, unless OUTBOUND_ALLOW names its host';

    beforeEach(() => {
      process.env.GOOGLE_CLOUD_UNIVERSE_DOMAIN = 'evil.example';
    });

    afterEach(() => {
      delete process.env.GOOGLE_CLOUD_UNIVERSE_DOMAIN;
    });

    it('refuses a universe outside of Google for the credentials of the environment', async () => {
      await expect(factory.prepare(ambient, sources)).rejects.toMatchObject({ detail: rule });
      const material = { settings: { ...KEY_SETTINGS, project_id: 'treasury' }, secret: null };
      expect(() => factory.open(material)).toThrow(
        expect.objectContaining({ reason: 'address_refused', cause: new Error(rule) }) as Error,
      );
    });

    it('accepts a universe that OUTBOUND_ALLOW names', async () => {
      const guard = outboundGuard({ allow: 'key-service:cloudkms.evil.example:443' });
      const allowing = new GoogleCloudKmsSignerFactory(outboundHttp(), guard);
      allowing.open(await allowing.prepare(ambient, sources));
    });

    it('refuses a blank one, which would be no domain', async () => {
      process.env.GOOGLE_CLOUD_UNIVERSE_DOMAIN = '';
      await expect(factory.prepare(ambient, sources)).rejects.toMatchObject({
        detail: 'GOOGLE_CLOUD_UNIVERSE_DOMAIN must be a domain such as googleapis.com',
      });
    });

    it('accepts a service account, which does not use it', async () => {
      factory.open(await factory.prepare(account({ universe_domain: undefined }), sources));
    });
  });

  it('opens prepared signers without a request', async () => {
    for (const config of [account({}), key({}), { ...account({}), project_id: 'keys' }]) {
      const provider = factory.open(await factory.prepare(config, sources));
      await expect(provider.address('evm')).rejects.toThrow('The signer is not open');
    }
  });

  it.each([
    [7, 'config must be an object of key, service_account, project_id'],
    [{ key: KEY, projectId: 'treasury' }, 'config.projectId is not a known field'],
    [
      { project_id: 'treasury' },
      'config.key must be an object of location, key_ring_id, key_id, key_version',
    ],
    [{ key: KEY }, 'config.project_id is required where no service_account names the project'],
    [
      account({ project_id: undefined }),
      'config.project_id is required where no service_account names the project',
    ],
    [{ key: KEY, project_id: 'a/b' }, 'config.project_id must be the id of a project'],
    [key({ location: 'europe-west1/..' }), 'config.key.location must be a location such as europe-west1'],
    [key({ key_ring_id: '' }), `config.key.key_ring_id ${ID_RULE}`],
    [key({ key_id: 'a/b' }), `config.key.key_id ${ID_RULE}`],
    [key({ key_version: '3' }), VERSION_RULE],
    [key({ key_version: 0 }), VERSION_RULE],
    [key({ key_version: 1.5 }), VERSION_RULE],
    [key({ version: 3 }), 'config.key.version is not a known field'],
    [account({ type: 'external_account' }), 'config.service_account.type is not a known field'],
    [account({ client_email: undefined }), 'config.service_account.client_email must be a line of text'],
    [account({ token_uri: 7 }), 'config.service_account.token_uri must be a line of text'],
    [
      account({ universe_domain: 'example.com/#' }),
      'config.service_account.universe_domain must be a domain such as googleapis.com',
    ],
    [
      account({ universe_domain: 'example.com' }),
      'config.service_account.universe_domain must be on googleapis.com, unless OUTBOUND_ALLOW names its host',
    ],
    [account({ private_key: undefined }), PEM_RULE],
    [account({ private_key: 'secret words' }), PEM_RULE],
    [account({ private_key: pem('ed25519') }), PEM_RULE],
    [account({ private_key: { type: 'plain' } }), 'config.service_account.private_key is no reference'],
  ])('refuses invalid config %#', async (config, detail) => {
    await expect(factory.prepare(config, sources)).rejects.toMatchObject({ code: 'invalid_request', detail });
  });
});
