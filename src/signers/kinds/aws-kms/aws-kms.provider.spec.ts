import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { computeAddress, SigningKey } from 'ethers';
import '../../../../test/support/key-services/error-realms';
import { AwsKmsStandIn } from '../../../../test/support/key-services/aws-kms.stand-in';
import type { Fault } from '../../../../test/support/key-services/key-service.stand-in';
import { outboundHttp } from '../../../../test/support/outbound';
import { SignerFailure, type SignerFailureReason } from '../../signer-failure';
import { SignerUnsuitableError } from '../../signer-provider';
import { describeSignerProvider } from '../../../../test/support/suites/signer-provider';
import type { CallLimits } from '../../key-services/remote-calls';
import { AwsKmsClients } from './aws-kms.clients';
import { AwsKmsSignerProvider } from './aws-kms.provider';

const KEY = new SigningKey(`0x${'4c'.repeat(32)}`);
const OTHER_KEY = new SigningKey(`0x${'5d'.repeat(32)}`);
const KEY_ID = '1234abcd-12ab-34cd-56ef-1234567890ab';
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const TIMEOUT_MS = 15_000;
const LIMITS = { concurrency: 16, waiting: 100, timeoutMs: TIMEOUT_MS };
const settings = { key_id: KEY_ID, region: 'eu-central-1' };

process.env.AWS_EC2_METADATA_DISABLED = 'true';
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const http = outboundHttp({ allow: 'key-service:127.0.0.1' });

function clients(endpoint: string): AwsKmsClients {
  return new AwsKmsClients(http, {
    endpoint,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET },
  });
}

describe('AwsKmsSignerProvider', () => {
  const standIn = new AwsKmsStandIn(KEY, KEY_ID, OTHER_KEY);
  const openWith = (limits: CallLimits) => new AwsKmsSignerProvider(settings, clients(standIn.url), limits);
  const open = () => openWith(LIMITS);

  beforeAll(() => {
    // Eliminates the SDK's random delay of up to a second before a retry.
    jest.spyOn(Math, 'random').mockReturnValue(0);
    return standIn.start();
  });
  afterEach(() => {
    standIn.behave();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await http.onApplicationShutdown();
    await standIn.stop();
  });

  describeSignerProvider('aws_kms', { open, deterministic: false });

  it('returns the address of its key, and requests the public key only once', async () => {
    const provider = open();
    await provider.init();
    expect(await provider.address('evm')).toBe(computeAddress(KEY));
    expect(await provider.address('evm')).toBe(computeAddress(KEY));
    expect(standIn.requests).toEqual(['TrentService.GetPublicKey']);
    await provider.destroy();
  });

  it('has no address on other networks', async () => {
    const provider = open();
    await provider.init();
    await expect(provider.address('solana')).rejects.toBeInstanceOf(SignerUnsuitableError);
    await expect(provider.address('stellar')).rejects.toBeInstanceOf(SignerUnsuitableError);
    await provider.destroy();
  });

  it('signs only digests of 32 bytes', async () => {
    const provider = open();
    await provider.init();
    await expect(provider.signDigest(randomBytes(31))).rejects.toThrow(RangeError);
    expect(standIn.requests).not.toContain('TrentService.Sign');
    await provider.destroy();
  });

  it('refuses a key with another key spec', async () => {
    standIn.keySpec = 'ECC_NIST_P256';
    const failure = await failureOf(() => open().init());
    standIn.keySpec = 'ECC_SECG_P256K1';
    expect(failure.reason).toBe('invalid_response');
    expect((failure.cause as Error).message).toBe(
      'the key is ECC_NIST_P256 for SIGN_VERIFY: it must be ECC_SECG_P256K1 for SIGN_VERIFY',
    );
  });

  describe('when the service fails', () => {
    const error = (status: number, type: string): Fault => ({
      status,
      body: { __type: type, message: 'no' },
    });
    const cases: [string, Fault, SignerFailureReason, number][] = [
      ['is late', { delayMs: 5000 }, 'timeout', 1],
      ['responds with 400 AccessDenied', error(400, 'AccessDeniedException'), 'refused', 1],
      ['responds with 400 NotFound', error(400, 'NotFoundException'), 'refused', 1],
      ['responds with 409 Disabled', error(409, 'DisabledException'), 'refused', 1],
      ['responds with 400 UnrecognizedClient', error(400, 'UnrecognizedClientException'), 'refused', 1],
      ['responds with 403 without a body', { status: 403, body: '' }, 'refused', 1],
      ['responds with 400 Throttling', error(400, 'ThrottlingException'), 'throttled', 2],
      ['responds with 429', { status: 429, body: '{}' }, 'throttled', 2],
      [
        'responds with 429 for a day',
        { status: 429, body: '{}', headers: { 'retry-after': '86400', 'x-amz-retry-after': '86400000' } },
        'throttled',
        2,
      ],
      ['responds with 500', error(500, 'KMSInternalException'), 'unreachable', 2],
      ['responds with 503 in HTML', { status: 503, body: '<html>' }, 'unreachable', 2],
      ['responds with 503 DependencyTimeout', error(503, 'DependencyTimeoutException'), 'timeout', 2],
      ['uses another key', 'wrong key', 'invalid_response', 1],
      ['cuts the DER short', 'truncated', 'invalid_response', 1],
      ['responds with nothing', 'empty', 'invalid_response', 1],
      ['responds with HTML', 'html', 'invalid_response', 1],
      ['responds with 10 MB', 'huge', 'invalid_response', 1],
      // The HTTP client retries once if a reused connection was closed; then the SDK retries once.
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
      expect(standIn.requests).toHaveLength(attempts);
      expect(inspect(failure, { depth: 10 })).not.toContain(SECRET);
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

  it('does not repeat credentials that the service quotes from the request', async () => {
    const sessionToken = 'FwoGZXIvYXdzEXAMPLETOKEN';
    const quoting = new AwsKmsClients(http, {
      endpoint: standIn.url,
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken },
    });
    const message = `The request signature we calculated does not match.\n\nThe Canonical String for this request should have been\n'POST\n/\n\nx-amz-security-token:${sessionToken}\n'`;
    standIn.misbehave({ status: 403, body: { __type: 'InvalidSignatureException', message } });
    const failure = await failureOf(() => new AwsKmsSignerProvider(settings, quoting, LIMITS).init());
    expect(failure.reason).toBe('refused');
    expect((failure.cause as Error).message).toContain('The request signature we calculated does not match.');
    expect(inspect(failure, { depth: 10 })).not.toContain(sessionToken);
  });

  it('truncates the error message of the service', async () => {
    standIn.misbehave({
      status: 400,
      body: { __type: 'AccessDeniedException', message: 'x'.repeat(50_000) },
    });
    const { cause } = await failureOf(() => open().init());
    expect((cause as Error).stack!.length).toBeLessThan(3000);
  });

  it('reports unreachable if nothing listens at the endpoint', async () => {
    const port = await freePort();
    const provider = new AwsKmsSignerProvider(settings, clients(`http://127.0.0.1:${port}`), LIMITS);
    expect((await failureOf(() => provider.init())).reason).toBe('unreachable');
  });

  it('reports that there are no credentials', async () => {
    const without = new AwsKmsClients(http, {
      endpoint: standIn.url,
      credentials: () =>
        Promise.reject(Object.assign(new Error('none'), { name: 'CredentialsProviderError' })),
    });
    const provider = new AwsKmsSignerProvider(settings, without, LIMITS);
    expect((await failureOf(() => provider.init())).reason).toBe('no_credentials');
    expect(standIn.requests).toEqual([]);
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

/** A port that is currently free. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });
}
