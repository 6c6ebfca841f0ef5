import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../common/secrets/secret';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { type GoogleAccount, GoogleCloudKmsClients } from './google-cloud-kms.clients';

const NAME = 'projects/treasury/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';
const STS = 'https://sts.googleapis.com/v1/token';
const OAUTH = 'https://oauth2.googleapis.com/token';
const IMPERSONATION =
  'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/relayer@treasury.iam.gserviceaccount.com:generateAccessToken';
const KMS = `https://cloudkms.googleapis.com/v1/${NAME}/publicKey`;
const SUBJECT = 'http://127.0.0.1:5000/subject';

const pool = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster';
const jwt = 'urn:ietf:params:oauth:token-type:jwt';
const user = { type: 'authorized_user', client_id: 'id', client_secret: 'secret', refresh_token: 'refresh' };
const impersonated = (source_credentials: object) => ({
  type: 'impersonated_service_account',
  service_account_impersonation_url: IMPERSONATION,
  source_credentials,
});

describe('Requests to Google Cloud', () => {
  let folder: string;
  let calls: string[];

  const respond = ({ url, purpose }: { url: string; purpose: string }) => {
    calls.push(`${purpose} ${url.split('?')[0]}`);
    const expireTime = new Date(Date.now() + 3_600_000).toISOString();
    const token = url.endsWith('generateAccessToken')
      ? { accessToken: 'token', expireTime }
      : { access_token: 'token', token_type: 'Bearer', expires_in: 3600, issued_token_type: jwt };
    const body =
      url === SUBJECT ? 'subject' : JSON.stringify(url.includes('/publicKey') ? { pem: 'key' } : token);
    const headers = { 'content-type': url === SUBJECT ? 'text/plain' : 'application/json' };
    return Promise.resolve({ status: 200, headers, body: Buffer.from(body) });
  };
  const http = { get: respond, post: respond } as unknown as OutboundHttp;

  async function publicKeyWith(credentials: object): Promise<unknown> {
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials));
    return publicKey({ projectId: 'treasury' });
  }

  async function publicKey(account: GoogleAccount): Promise<unknown> {
    const lease = new GoogleCloudKmsClients(http).lease(account);
    try {
      const [{ pem }] = await (await lease.client).getPublicKey({ name: NAME });
      return pem;
    } finally {
      lease.release();
    }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'google-credentials-'));
    await writeFile(join(folder, 'subject'), 'subject');
    process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'credentials.json');
  });

  beforeEach(() => {
    calls = [];
  });

  afterAll(async () => {
    delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
    await rm(folder, { recursive: true });
  });

  const federated = (credential_source: object, more = {}) => ({
    type: 'external_account',
    audience: pool,
    subject_token_type: jwt,
    token_url: STS,
    credential_source,
    ...more,
  });
  const fromFile = (more = {}) => federated({ file: join(folder, 'subject') }, more);
  const cases: [string, () => object, string[]][] = [
    ['a federated token in a file', () => fromFile(), [STS]],
    ['a federated token at a URL', () => federated({ url: SUBJECT }), [`machine-identity ${SUBJECT}`, STS]],
    [
      'a federated token for a service account',
      () => fromFile({ service_account_impersonation_url: IMPERSONATION }),
      [STS, IMPERSONATION],
    ],
    ['a user', () => user, [OAUTH]],
    [
      'a federated user',
      () => ({ ...user, type: 'external_account_authorized_user', audience: pool, token_url: STS }),
      [STS],
    ],
    ['a user who impersonates a service account', () => impersonated(user), [OAUTH, IMPERSONATION]],
    [
      'a federated token that impersonates a service account',
      () => impersonated(fromFile()),
      [STS, IMPERSONATION],
    ],
  ];

  // An unguarded request fails here: it imports an ESM-only package, which Jest cannot load.
  it.each(cases)('pass the guard with %s', async (_what, credentials, urls) => {
    await expect(publicKeyWith(credentials())).resolves.toBe('key');
    const guarded = [...urls, KMS].map((url) => (url.startsWith('http') ? `key-service ${url}` : url));
    expect(calls).toEqual(guarded);
  });

  it('are refused with an X.509 certificate, for which the package makes calls of its own', async () => {
    const certificate = federated({ certificate: { use_default_certificate_config: true } });
    await expect(publicKeyWith(certificate)).rejects.toMatchObject({
      reason: 'refused',
      cause: { message: 'Federation with an X.509 certificate is not supported' },
    });
    expect(calls).toEqual([]);
  });

  describe('with GOOGLE_CLOUD_UNIVERSE_DOMAIN', () => {
    beforeEach(() => {
      process.env.GOOGLE_CLOUD_UNIVERSE_DOMAIN = 's3nsapis.fr';
    });

    afterEach(() => {
      delete process.env.GOOGLE_CLOUD_UNIVERSE_DOMAIN;
    });

    it('stay on googleapis.com with a service account that names no universe', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      await publicKey({ projectId: 'treasury', serviceAccount: { clientEmail: 'a@b', privateKey: pem } });
      expect(calls).toEqual([`key-service ${KMS}`]);
    });

    it('go there with the credentials of the environment', async () => {
      await publicKeyWith(fromFile({ universe_domain: 's3nsapis.fr' }));
      expect(calls.at(-1)).toBe(`key-service ${KMS.replace('googleapis.com', 's3nsapis.fr')}`);
    });
  });
});
