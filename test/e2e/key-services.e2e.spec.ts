import { describeService } from '../support/describe-service';
import { VaultStandIn } from '../support/key-services/vault.stand-in';

const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };

describeService('Signers whose keys are in a key service', ({ service }) => {
  const vault = new VaultStandIn();

  beforeAll(async () => {
    vault.put('secret', 'relayers/main', { value: KEY });
    await vault.start();
    for (const secret of [KEY, vault.secretId]) service.keepSecret(secret);
  });

  afterAll(async () => {
    await vault.stop();
  });

  afterEach(() => {
    vault.behave();
  });

  const make = (id: string) =>
    service.post('/api/v1/signers', {
      id,
      type: 'vault',
      config: {
        address: vault.address,
        role_id: vault.roleId,
        secret_id: vault.secretId,
        key_name: 'relayers/main',
      },
    });

  it('are created, shown without credentials, and sign', async () => {
    const response = await make('main');
    expect(response.status).toBe(201);
    expect(response.body.data).toMatchObject({
      id: 'main',
      type: 'vault',
      config: { address: vault.address, mount_point: 'secret', key_name: 'relayers/main' },
      address: ADDRESS,
    });
    const relayer = {
      id: 'r',
      name: 'R',
      network: 'sepolia',
      network_type: 'evm',
      paused: false,
      signer_id: 'main',
    };
    expect((await service.post('/api/v1/relayers', relayer)).body.data.address).toBe(ADDRESS);
    expect((await service.post('/api/v1/relayers/r/sign-typed-data', HASHES)).status).toBe(200);
  });

  it.each([
    ['refuses', 'forbidden', 'the key service of the signer refused the request', 'refused'],
    ['is throttled', 'throttled', 'the key service of the signer is over its rate limit', 'throttled'],
    ['fails', 'broken', 'the key service of the signer cannot be reached', 'unreachable'],
    ['is late', 'delay', 'the key service of the signer did not respond in time', 'timeout'],
    [
      'talks nonsense',
      'html',
      'the key service of the signer returned an invalid response',
      'invalid_response',
    ],
  ] as const)('are not stored if the key service %s', async (_what, fault, error, outcome) => {
    vault.misbehave('read', fault);
    const before = Date.now();
    const response = await make('broken');
    expect(response.body).toEqual({ success: false, data: null, error, message: 'Service Unavailable' });
    expect(response.status).toBe(503);
    expect(Date.now() - before).toBeLessThan(15_000);
    expect((await service.get('/api/v1/signers/broken')).status).toBe(404);
    const metrics = await service.get('/metrics/signer_openings_total');
    expect(metrics.text).toContain(`signer_openings_total{kind="vault",outcome="${outcome}"} 1`);
  });
});
