import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { AwsKmsClients } from './aws-kms.clients';

const HOUR_MS = 3_600_000;
const ACCOUNT = 'sso_account_id = 111122223333\nsso_role_name = relayer\n';
const START = 'sso_start_url = https://treasury.awsapps.com/start\nsso_region = eu-central-1\n';
const ROLE = 'arn:aws:iam::111122223333:role/relayer';

const PORTAL = 'https://portal.sso.eu-central-1.amazonaws.com/federation/credentials';
const OIDC = 'https://oidc.eu-central-1.amazonaws.com/token';
const STS = 'https://sts.eu-central-1.amazonaws.com/';
const KMS = 'https://kms.eu-central-1.amazonaws.com/';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
const STS_CREDENTIALS =
  '<Credentials><AccessKeyId>AKIDEXAMPLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>' +
  '<SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>';
const assumed = (action: string) =>
  `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>${STS_CREDENTIALS}` +
  `</${action}Result></${action}Response>`;

/** The body of each response, by the host and path of the request. */
const BODIES: Record<string, string> = {
  [PORTAL]: JSON.stringify({ roleCredentials: { ...CREDENTIALS, expiration: Date.now() + HOUR_MS } }),
  [OIDC]: JSON.stringify({ accessToken: 'refreshed', expiresIn: 3600, tokenType: 'Bearer' }),
  [KMS]: JSON.stringify({ KeyId: 'key' }),
};

describe('Requests of the AWS client', () => {
  const environment = process.env;
  let folder: string;
  let calls: string[];

  const respond = ({ url, body = '' }: { url: string; body?: string | Buffer }) => {
    const at = url.split('?')[0]!;
    calls.push(at);
    const action = /Action=(\w+)/.exec(String(body))?.[1] ?? '';
    const text = at === STS ? assumed(action) : BODIES[at]!;
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(text) });
  };
  const http = { get: respond, post: respond } as unknown as OutboundHttp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aws-profile-'));
    await mkdir(join(folder, '.aws', 'sso', 'cache'), { recursive: true });
    await writeFile(join(folder, 'token'), 'header.web.signature');
  });

  beforeEach(() => {
    calls = [];
    process.env = {
      PATH: environment.PATH,
      HOME: folder,
      AWS_PROFILE: 'treasury',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    };
  });

  afterAll(async () => {
    process.env = environment;
    await rm(folder, { recursive: true });
  });

  /** Writes what `aws sso login` leaves behind. */
  async function logIn(session: string, expiresInMs: number): Promise<void> {
    const name = createHash('sha1').update(session).digest('hex');
    const later = new Date(Date.now() + HOUR_MS).toISOString();
    const token = {
      accessToken: 'access',
      expiresAt: new Date(Date.now() + expiresInMs).toISOString(),
      refreshToken: 'refresh',
      clientId: 'id',
      clientSecret: 'secret',
      registrationExpiresAt: later,
    };
    await writeFile(join(folder, '.aws', 'sso', 'cache', `${name}.json`), JSON.stringify(token));
  }

  const cases: [string, () => Promise<string>, string[]][] = [
    [
      'an SSO profile',
      async () => {
        await logIn('https://treasury.awsapps.com/start', HOUR_MS);
        return `[profile treasury]\n${START}${ACCOUNT}`;
      },
      [PORTAL],
    ],
    [
      'an SSO session whose token is renewed',
      async () => {
        await logIn('company', 60_000);
        return `[profile treasury]\nsso_session = company\n${ACCOUNT}[sso-session company]\n${START}`;
      },
      [OIDC, PORTAL],
    ],
    [
      'a role of an SSO profile',
      async () => {
        await logIn('https://treasury.awsapps.com/start', HOUR_MS);
        return `[profile treasury]\nrole_arn = ${ROLE}\nsource_profile = sso\n[profile sso]\n${START}${ACCOUNT}`;
      },
      [PORTAL, STS],
    ],
    [
      'a web identity',
      () =>
        Promise.resolve(
          `[profile treasury]\nrole_arn = ${ROLE}\nweb_identity_token_file = ${folder}/token\n`,
        ),
      [STS],
    ],
  ];

  it.each(cases)('pass the guard with %s', async (_what, config, urls) => {
    // The SDK caches files by their paths.
    process.env.AWS_CONFIG_FILE = join(folder, randomUUID());
    await writeFile(process.env.AWS_CONFIG_FILE, await config());
    const lease = new AwsKmsClients(http).lease('eu-central-1');
    const { client, sdk } = await lease.client;
    await client.send(new sdk.GetPublicKeyCommand({ KeyId: 'key' }));
    lease.release();
    expect(calls).toEqual([...urls, KMS]);
  });
});
