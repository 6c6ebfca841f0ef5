import { NetworksService } from '../../src/networks/networks.service';
import { RelayerChangesService } from '../../src/relayers/relayer-changes.service';
import { COW_ADDRESS, COW_KEY, emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeService('Relayer lifecycle', ({ service }) => {
  afterEach(() => emptyTables(service));

  beforeEach(async () => {
    service.keepSecret(COW_KEY);
    await service.post('/api/v1/signers', { id: 'cow', type: 'plain', config: { key: COW_KEY } });
  });

  const least = { name: 'Cow', network: 'sepolia', network_type: 'evm', paused: false, signer_id: 'cow' };
  const make = (changes: object = {}) => service.post('/api/v1/relayers', { ...least, ...changes });
  const remove = (path: string) => service.call({ method: 'DELETE', path });

  it('creates a relayer with only the required fields', async () => {
    const response = await make();
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: { ...least, id: expect.stringMatching(UUID_V4), address: COW_ADDRESS, system_disabled: false },
      error: null,
    });
    expect((await service.get(`/api/v1/relayers/${String(response.body.data.id)}`)).body).toEqual(
      response.body,
    );
  });

  it('creates a relayer with all fields, which signs at once', async () => {
    await service.post('/api/v1/notifications', { id: 'ops', url: 'https://hooks.example.com' });
    const response = await make({
      id: 'whole',
      notification_id: 'ops',
      policies: { min_balance: '5', whitelist_receivers: [COW_ADDRESS.toLowerCase()] },
      custom_rpc_urls: [{ url: 'https://rpc.example.com/key' }],
    });
    expect(response.body.data).toMatchObject({
      id: 'whole',
      notification_id: 'ops',
      policies: { min_balance: 5, whitelist_receivers: [COW_ADDRESS] },
      custom_rpc_urls: [{ url: 'https://rpc.example.com/***', weight: 100 }],
    });
    const hashes = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
    expect((await service.post('/api/v1/relayers/whole/sign-typed-data', hashes)).status).toBe(200);
  });

  it.each([
    [
      'an unknown signer',
      { signer_id: 'nobody' },
      404,
      'Signer with ID nobody not found',
      'Signer with ID nobody not found',
    ],
    [
      'an unknown notification',
      { notification_id: 'nowhere' },
      404,
      'Notification not found',
      'Notification not found',
    ],
    [
      'a policy of another network type',
      { policies: { max_fee: 1 } },
      400,
      'Bad Request',
      'policies.max_fee is not a known field',
    ],
    [
      'a missing policy that is required',
      { network_type: 'stellar', network: 'testnet' },
      400,
      'Bad Request',
      'policies.fee_payment_strategy is required and must be user or relayer',
    ],
    ['no paused', { paused: undefined }, 400, 'Bad Request', 'paused must be a boolean value'],
    ['an unknown field', { address: COW_ADDRESS }, 400, 'Bad Request', 'address is not a known field'],
    [
      'an unknown network',
      { network: 'nowhere' },
      400,
      'Bad Request',
      "Network 'nowhere' not found for network type 'evm'. Please ensure the network configuration exists.",
    ],
    [
      'an unknown network type',
      { network_type: 'cosmos' },
      400,
      'Bad Request',
      'network_type must be one of evm, solana, stellar',
    ],
    [
      'an empty name',
      { name: '' },
      400,
      'Bad Request',
      'name must be a string of 1 to 255 characters without control characters',
    ],
  ])('refuses %s', async (_what, changes, status, message, error) => {
    const response = await make(changes);
    expect(response.body).toEqual({ success: false, data: null, error, message });
    expect(response.status).toBe(status);
    expect((await service.get('/api/v1/relayers')).body.data).toEqual([]);
  });

  it('refuses an id that is taken', async () => {
    await make({ id: 'one' });
    const response = await make({ id: 'one', network: 'mainnet' });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ message: 'Relayer with this ID already exists' });
  });

  it('lets a signer serve one relayer on each network', async () => {
    await make({ id: 'one' });
    const response = await make({ id: 'two' });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      message: 'Signer is in use',
      error:
        "Signer 'cow' already serves a relayer on network 'sepolia': a signer serves one relayer per network",
    });
    expect((await make({ id: 'two', network: 'mainnet' })).status).toBe(201);
  });

  it('lets exactly one of 50 concurrent requests use a signer on a network', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, (_, i) => make({ id: `racer-${i}` })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(49).fill(409)]);
    expect((await service.get('/api/v1/relayers')).body.pagination.total_items).toBe(1);
  });

  it('creates a relayer on a network that was deleted and recreated during the request', async () => {
    const changes = service.app.get(RelayerChangesService);
    const create = changes.create.bind(changes);
    const fails = jest
      .spyOn(changes, 'create')
      .mockImplementationOnce((relayer, at) => create({ ...relayer, network: 'nowhere' }, at));
    expect((await make()).status).toBe(201);
    expect(fails).toHaveBeenCalledTimes(2);
    fails.mockRestore();
  });

  it('creates no relayer with a signer that is deleted during the request', async () => {
    const networks = service.app.get(NetworksService);
    const find = networks.getByNameOrThrow.bind(networks);
    const waits = jest.spyOn(networks, 'getByNameOrThrow').mockImplementationOnce(async (...names) => {
      expect((await remove('/api/v1/signers/cow')).status).toBe(200);
      return find(...names);
    });
    const response = await make();
    waits.mockRestore();
    expect([response.status, response.body.message]).toEqual([404, 'Signer with ID cow not found']);
  });

  it('deletes a relayer', async () => {
    await make({ id: 'one' });
    expect((await remove('/api/v1/relayers/one')).body).toEqual({
      success: true,
      data: 'Relayer deleted successfully',
      error: null,
    });
    for (const response of [
      await remove('/api/v1/relayers/one'),
      await service.get('/api/v1/relayers/one'),
    ]) {
      expect(response.status).toBe(404);
      expect(response.body.message).toBe('Relayer with ID one not found');
    }
    expect((await make({ id: 'one' })).status).toBe(201);
  });

  it('returns a notification, and deletes it unless relayers use it', async () => {
    await service.post('/api/v1/notifications', { id: 'ops', url: 'https://hooks.example.com' });
    expect((await service.get('/api/v1/notifications/ops')).body.data).toEqual({
      id: 'ops',
      type: 'webhook',
      url: 'https://hooks.example.com',
      has_signing_key: false,
    });
    await make({ id: 'one', name: 'First', notification_id: 'ops' });
    await make({ id: 'two', name: 'Second', network: 'mainnet', notification_id: 'ops' });
    const refused = await remove('/api/v1/notifications/ops');
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      message: 'Notification is in use',
      error: "Notification 'ops' is used by 2 relayer(s): First (one), Second (two)",
    });
    for (const id of ['one', 'two']) await service.patch(`/api/v1/relayers/${id}`, { notification_id: null });
    expect((await remove('/api/v1/notifications/ops')).body.data).toBe('Notification deleted successfully');
    expect((await service.get('/api/v1/notifications/ops')).status).toBe(404);
    expect((await remove('/api/v1/notifications/ops')).body.message).toBe('Notification not found');
  });
});
