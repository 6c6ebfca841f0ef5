import { randomBytes } from 'node:crypto';
import { computeAddress, SigningKey } from 'ethers';
import { AwsKmsStandIn } from '../../../../test/support/key-services/aws-kms.stand-in';
import { outboundHttp } from '../../../../test/support/outbound';
import { AwsKmsSignerFactory } from './aws-kms.factory';

const KEY = new SigningKey(`0x${'4c'.repeat(32)}`);
const KEY_ID = '1234abcd-12ab-34cd-56ef-1234567890ab';
const ARN = `arn:aws:kms:eu-central-1:111122223333:key/${KEY_ID}`;
const KEY_RULE = 'config.key_id must be a key id, alias/<name> or the ARN of either';
const REGION_RULE = 'config.region must be an AWS region such as eu-central-1';

/** Keeps the SDK's default chain away from the machine's own credentials. */
const ENVIRONMENT = {
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  AWS_CONFIG_FILE: '/nonexistent',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

describe('AwsKmsSignerFactory', () => {
  const factory = new AwsKmsSignerFactory(outboundHttp({ allow: 'key-service:127.0.0.1' }));
  const environment = process.env;

  beforeEach(() => {
    process.env = { ...environment, ...ENVIRONMENT };
    delete process.env.AWS_REGION;
  });

  afterAll(() => {
    process.env = environment;
  });

  it.each([
    [
      { key_id: KEY_ID, region: 'us-gov-west-1' },
      { key_id: KEY_ID, region: 'us-gov-west-1' },
    ],
    [
      { key_id: 'alias/relayer', region: 'eu-west-3' },
      { key_id: 'alias/relayer', region: 'eu-west-3' },
    ],
    [{ key_id: ARN }, { key_id: ARN, region: 'eu-central-1' }],
    [
      { key_id: ARN, region: null },
      { key_id: ARN, region: 'eu-central-1' },
    ],
    [
      { key_id: ARN, region: 'eu-central-1' },
      { key_id: ARN, region: 'eu-central-1' },
    ],
  ])('prepares %j', async (config, settings) => {
    expect(await factory.prepare(config)).toEqual({ settings, secret: null });
  });

  it('stores the region from the environment', async () => {
    process.env.AWS_REGION = 'ap-southeast-2';
    const { settings } = await factory.prepare({ key_id: KEY_ID });
    expect(settings).toEqual({ key_id: KEY_ID, region: 'ap-southeast-2' });
  });

  it.each([
    [undefined, 'config must be an object of key_id, region'],
    [null, 'config must be an object of key_id, region'],
    [[KEY_ID], 'config must be an object of key_id, region'],
    [{}, KEY_RULE],
    [{ key_id: '' }, KEY_RULE],
    [{ key_id: 7 }, KEY_RULE],
    [{ key_id: 'alias/' }, KEY_RULE],
    [{ key_id: 'alias/a b' }, KEY_RULE],
    [{ key_id: `arn:aws:s3:::${KEY_ID}` }, KEY_RULE],
    [{ key_id: KEY_ID, region: '' }, REGION_RULE],
    [{ key_id: KEY_ID, region: 'eu-central-1.example.com/#' }, REGION_RULE],
    [
      { key_id: ARN, region: 'eu-west-1' },
      'config.region is eu-west-1, but the ARN in config.key_id is of eu-central-1',
    ],
    [
      { key_id: ARN.replace('eu-central-1', 'eu-central-x') },
      'the region of the ARN in config.key_id must be an AWS region such as eu-central-1',
    ],
    [{ key_id: KEY_ID }, 'config.region is required: the environment of the service names none'],
    [{ key_id: KEY_ID, secret_access_key: 'x' }, 'config.secret_access_key is not a known field'],
  ])('refuses %j', async (config, detail) => {
    await expect(factory.prepare(config)).rejects.toMatchObject({ code: 'invalid_request', detail });
  });

  it('refuses an invalid region from the environment', async () => {
    process.env.AWS_REGION = 'eu-central-x';
    await expect(factory.prepare({ key_id: KEY_ID })).rejects.toMatchObject({
      code: 'invalid_request',
      detail:
        'config.region is required: the region in the environment of the service is not an AWS region such as eu-central-1',
    });
  });

  it('opens a signer with the endpoint and credentials from the environment', async () => {
    const standIn = await new AwsKmsStandIn(KEY, KEY_ID, KEY).start();
    process.env.AWS_ENDPOINT_URL_KMS = standIn.url;
    const provider = factory.open(await factory.prepare({ key_id: KEY_ID, region: 'eu-central-1' }));
    await provider.init();
    expect(await provider.address('evm')).toBe(computeAddress(KEY));
    await expect(provider.signDigest(randomBytes(32))).resolves.toHaveProperty('v');
    await provider.destroy();
    await standIn.stop();
  });
});
