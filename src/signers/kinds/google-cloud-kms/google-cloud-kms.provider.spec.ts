import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { computeAddress, SigningKey } from 'ethers';
import '../../../../test/support/key-services/error-realms';
import {
  GoogleCloudKmsStandIn,
  type Tampering,
} from '../../../../test/support/key-services/google-cloud-kms.stand-in';
import type { Fault } from '../../../../test/support/key-services/key-service.stand-in';
import { outboundHttp } from '../../../../test/support/outbound';
import { Secret } from '../../../common/secrets/secret';
import { SignerFailure, type SignerFailureReason } from '../../signer-failure';
import { SignerUnsuitableError } from '../../signer-provider';
import { describeSignerProvider } from '../../../../test/support/suites/signer-provider';
import type { CallLimits } from '../../key-services/remote-calls';
import { type GoogleAccount, GoogleCloudKmsClients } from './google-cloud-kms.clients';
import { GoogleCloudKmsSignerProvider } from './google-cloud-kms.provider';

const KEY = new SigningKey(`0x${'4c'.repeat(32)}`);
const OTHER_KEY = new SigningKey(`0x${'5d'.repeat(32)}`);
const NAME =
  'projects/treasury/locations/europe-west1/keyRings/relayers/cryptoKeys/mainnet/cryptoKeyVersions/3';
const SIGN = 'POST /3:asymmetricSign';
const TIMEOUT_MS = 15_000;
const LIMITS = { concurrency: 16, waiting: 100, timeoutMs: TIMEOUT_MS };
const EXCHANGED_TOKEN = 'ya29.exchanged-token';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PRIVATE_KEY = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const ACCOUNT: GoogleAccount = {
  projectId: 'treasury',
  serviceAccount: {
    clientEmail: 'relayer@treasury.iam.gserviceaccount.com',
    privateKey: new Secret(PRIVATE_KEY),
    privateKeyId: 'a1b2c3',
  },
};

process.env.METADATA_SERVER_DETECTION = 'none';
const http = outboundHttp({ allow: 'key-service:127.0.0.1' });

describe('GoogleCloudKmsSignerProvider', () => {
  const standIn = new GoogleCloudKmsStandIn(
    KEY,
    NAME,
    OTHER_KEY,
    { clientEmail: ACCOUNT.serviceAccount!.clientEmail, keyId: 'a1b2c3', publicKey: rsa.publicKey },
    EXCHANGED_TOKEN,
  );
  const clients = (port = standIn.port) =>
    new GoogleCloudKmsClients(http, { protocol: 'http', host: '127.0.0.1', port });
  const open = (account = ACCOUNT, name = NAME, limits = LIMITS) =>
    new GoogleCloudKmsSignerProvider({ name, account }, clients(), limits);
  const openWith = (limits: CallLimits) => open(ACCOUNT, NAME, limits);

  beforeAll(() => standIn.start());
  afterEach(() => {
    standIn.behave();
    standIn.tampering = undefined;
  });
  afterAll(async () => {
    await http.onApplicationShutdown();
    await standIn.stop();
  });

  describeSignerProvider('google_cloud_kms', { open, deterministic: false });

  it('returns the address of its key, and requests the public key only once', async () => {
    const provider = open();
    await provider.init();
    expect(await provider.address('evm')).toBe(computeAddress(KEY));
    expect(await provider.address('evm')).toBe(computeAddress(KEY));
    expect(standIn.requests).toEqual(['GET /3/publicKey']);
    await provider.destroy();
  });

  it('has no address on other networks', async () => {
    const provider = open();
    await provider.init();
    await expect(provider.address('solana')).rejects.toBeInstanceOf(SignerUnsuitableError);
    await expect(provider.address('stellar')).rejects.toBeInstanceOf(SignerUnsuitableError);
    await provider.destroy();
  });

  it.each([
    ['another curve', { algorithm: 12 }, 'EC_SIGN_P256_SHA256 of protection level HSM'],
    ['a key in software', { protectionLevel: 1 }, 'EC_SIGN_SECP256K1_SHA256 of protection level SOFTWARE'],
  ])('refuses %s', async (_case, told, text) => {
    const before = { algorithm: standIn.algorithm, protectionLevel: standIn.protectionLevel };
    Object.assign(standIn, told);
    const failure = await failureOf(() => open().init());
    Object.assign(standIn, before);
    expect(failure.reason).toBe('invalid_response');
    expect((failure.cause as Error).message).toContain(text);
  });

  it.each<[Tampering, string]>([
    ['signature crc', 'the signature does not match its CRC32C'],
    ['no crc', 'the signature does not match its CRC32C'],
    ['digest not verified', 'the digest was changed in transit'],
  ])('refuses a tampered signature: %s', async (tampering, text) => {
    const provider = open();
    await provider.init();
    standIn.tampering = tampering;
    const failure = await failureOf(() => provider.signDigest(randomBytes(32)));
    expect(failure.reason).toBe('invalid_response');
    expect((failure.cause as Error).message).toBe(text);
    await provider.destroy();
  });

  it('refuses a public key that was altered in transit', async () => {
    standIn.tampering = 'pem crc';
    expect((await failureOf(() => open().init())).reason).toBe('invalid_response');
  });

  describe('when the service fails', () => {
    const error = (code: number, status: string): Fault => ({
      status: code,
      body: { error: { code, message: 'no', status } },
    });
    const cases: [string, Fault, SignerFailureReason, number][] = [
      ['is late', { delayMs: 7000 }, 'timeout', 1],
      ['responds with 401', error(401, 'UNAUTHENTICATED'), 'refused', 1],
      ['responds with 403', error(403, 'PERMISSION_DENIED'), 'refused', 1],
      ['responds with 404', error(404, 'NOT_FOUND'), 'refused', 1],
      ['responds with 400 for a disabled key', error(400, 'FAILED_PRECONDITION'), 'refused', 1],
      ['responds with 403 without a body', { status: 403, body: '' }, 'refused', 1],
      ['responds with 429', error(429, 'RESOURCE_EXHAUSTED'), 'throttled', 2],
      ['responds with 500', error(500, 'INTERNAL'), 'unreachable', 2],
      ['responds with 503 in HTML', { status: 503, body: '<html>' }, 'unreachable', 2],
      ['responds with 504', error(504, 'DEADLINE_EXCEEDED'), 'timeout', 1],
      ['uses another key', 'wrong key', 'invalid_response', 1],
      ['cuts the DER short', 'truncated', 'invalid_response', 1],
      ['responds with nothing', 'empty', 'invalid_response', 1],
      ['responds with HTML', 'html', 'invalid_response', 1],
      ['responds with 10 MB', 'huge', 'invalid_response', 1],
      // The HTTP client retries once if a reused connection was closed; then Google's client retries once.
      ['closes the connection', 'close', 'unreachable', 3],
    ];

    it.each(cases)('%s: signing fails in time', async (_case, fault, reason, attempts) => {
      const limits = { ...LIMITS };
      const provider = openWith(limits);
      await provider.init();
      standIn.behave();
      standIn.misbehave(fault);
      limits.timeoutMs = patienceWith(fault);
      const started = performance.now();
      const failure = await failureOf(() => provider.signDigest(randomBytes(32)));
      expect(performance.now() - started).toBeLessThan(patienceWith(fault) + 2000);
      expect(failure.reason).toBe(reason);
      expect(standIn.requests.filter((request) => request === SIGN)).toHaveLength(attempts);
      expect(inspect(failure, { depth: 10 })).not.toMatch(/PRIVATE KEY|Bearer [\w-]+\./);
      standIn.behave();
      limits.timeoutMs = TIMEOUT_MS;
      await provider.signDigest(randomBytes(32));
      await provider.destroy();
    });

    it.each(cases.filter(([, fault]) => fault !== 'wrong key'))(
      '%s: opening fails in time',
      async (_case, fault, reason) => {
        standIn.misbehave(fault);
        const provider = openWith({ ...LIMITS, timeoutMs: patienceWith(fault) });
        expect((await failureOf(() => provider.init())).reason).toBe(reason);
        await expect(provider.signDigest(randomBytes(32))).rejects.toThrow('The signer is not open');
      },
    );

    it.each<[string, Fault]>([
      ['429', { status: 429, body: '{}' }],
      ['500', { status: 500, body: '{}' }],
      ['a closed connection', 'close'],
    ])('retries once after %s', async (_case, fault) => {
      const provider = open();
      await provider.init();
      standIn.misbehave(fault, 1);
      await expect(provider.signDigest(randomBytes(32))).resolves.toHaveProperty('v');
      await provider.destroy();
    });
  });

  it('reports unreachable if nothing listens at the endpoint', async () => {
    const other = await new GoogleCloudKmsStandIn(KEY, NAME, KEY, {} as never, '').start();
    const port = other.port;
    await other.stop();
    const provider = new GoogleCloudKmsSignerProvider(
      { name: NAME, account: ACCOUNT },
      clients(port),
      LIMITS,
    );
    expect((await failureOf(() => provider.init())).reason).toBe('unreachable');
  });

  it('reports refused for a private key of another service account', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = new Secret(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const account = { ...ACCOUNT, serviceAccount: { ...ACCOUNT.serviceAccount!, privateKey: pem } };
    expect((await failureOf(() => open(account).init())).reason).toBe('refused');
  });

  it('reports refused for a key that does not exist', async () => {
    expect((await failureOf(() => open(ACCOUNT, NAME.replace('mainnet', 'other')).init())).reason).toBe(
      'refused',
    );
  });

  describe('with the credentials of the environment', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'workload-identity-'));
      await writeFile(join(folder, 'subject-token'), 'subject-token');
      const federation = {
        type: 'external_account',
        audience:
          '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/cluster',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: `${standIn.url}/token`,
        credential_source: { file: join(folder, 'subject-token') },
      };
      await writeFile(join(folder, 'credentials.json'), JSON.stringify(federation));
    });

    afterEach(() => {
      delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
    });

    afterAll(() => rm(folder, { recursive: true }));

    it('signs with a federated workload identity', async () => {
      process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'credentials.json');
      const provider = open({ projectId: 'treasury' });
      await provider.init();
      expect(await provider.address('evm')).toBe(computeAddress(KEY));
      await expect(provider.signDigest(randomBytes(32))).resolves.toHaveProperty('v');
      expect(standIn.requests).toEqual(['POST /token', 'GET /3/publicKey', SIGN]);
      await provider.destroy();
    });

    it('reports refused without credentials and leaves no unhandled rejection', async () => {
      process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'missing.json');
      const unhandled = jest.fn();
      process.on('unhandledRejection', unhandled);
      const failure = await failureOf(() => open({ projectId: 'treasury' }).init());
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', unhandled);
      expect(failure.reason).toBe('refused');
      expect(unhandled).not.toHaveBeenCalled();
    });
  });
});

/** A short timeout for slow responses, so that the test does not wait; a longer one for failures that are retried. */
const patienceWith = (fault: Fault): number =>
  typeof fault === 'object' && 'delayMs' in fault ? 500 : TIMEOUT_MS;

async function failureOf(work: () => Promise<unknown>): Promise<SignerFailure> {
  const failure = await work().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SignerFailure);
  return failure as SignerFailure;
}
