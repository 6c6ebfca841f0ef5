import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { NetworksService } from '../../src/networks/networks.service';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const PATH = '/api/v1/networks';
const ROLLUP = {
  name: 'my-rollup',
  network_type: 'evm',
  chain_id: 4_242_424_242,
  symbol: 'ROLL',
  required_confirmations: 3,
  average_blocktime_ms: 1500,
  is_testnet: true,
  features: ['eip1559'],
  tags: ['rollup', 'optimism-based'],
  explorer_urls: ['https://explorer.example.com'],
};

describeService('The networks API', { startFor: 'test' }, ({ service }) => {
  const storedUrls = async (id: string): Promise<string | null> => {
    const rows: { rpc_urls: string | null }[] = await service.app
      .get(DataSource)
      .query('SELECT rpc_urls FROM networks WHERE id = ?', [id]);
    return rows[0]!.rpc_urls;
  };

  it('lists the built-in networks', async () => {
    const response = await service.get(`${PATH}?per_page=1000`);
    expect(response.status).toBe(200);
    const ids: string[] = response.body.data.map((network: { id: string }) => network.id);
    expect(ids).toEqual(
      expect.arrayContaining(['evm:mainnet', 'evm:sepolia', 'evm:base', 'evm:arbitrum-one']),
    );
    expect(ids).toEqual([...ids].sort());
    expect(response.body.pagination).toEqual({ current_page: 1, per_page: 1000, total_items: ids.length });
  });

  it('shows a network with masked endpoints', async () => {
    expect((await service.get(`${PATH}/evm:arbitrum-sepolia`)).body).toEqual({
      success: true,
      data: {
        id: 'evm:arbitrum-sepolia',
        name: 'arbitrum-sepolia',
        network_type: 'evm',
        chain_id: 421614,
        symbol: 'ETH',
        required_confirmations: 1,
        average_blocktime_ms: 250,
        is_testnet: true,
        features: ['eip1559'],
        tags: ['rollup', 'arbitrum-based', 'no-mempool'],
        explorer_urls: ['https://sepolia.arbiscan.io'],
        rpc_urls: [
          { url: 'https://sepolia-rollup.arbitrum.io/***', weight: 100 },
          { url: 'https://arbitrum-sepolia-rpc.publicnode.com', weight: 100 },
        ],
      },
      error: null,
    });
    expect((await service.get(`${PATH}/stellar:testnet`)).body.data).toMatchObject({
      passphrase: 'Test SDF Network ; September 2015',
      horizon_url: 'https://horizon-testnet.stellar.org',
    });
  });

  it('creates a network with all fields, and encrypts its endpoints', async () => {
    const key = service.keepSecret('provider-key-4711');
    const rpc_urls = [
      `https://user:${key}@rpc.example.com/v2/${key}`,
      { url: 'http://node:8545', weight: 0 },
    ];
    const response = await service.post(PATH, { ...ROLLUP, rpc_urls });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        id: 'evm:my-rollup',
        ...ROLLUP,
        rpc_urls: [
          { url: 'https://rpc.example.com/***', weight: 100 },
          { url: 'http://node:8545', weight: 0 },
        ],
      },
      error: null,
    });
    expect((await service.get(`${PATH}/evm:my-rollup`)).body.data).toEqual(response.body.data);
    expect(await storedUrls('evm:my-rollup')).toMatch(/^v1\.[0-9a-f]{12}\.[A-Za-z0-9+/=]+$/);
  });

  it.each([
    [{ name: 'least', network_type: 'evm', chain_id: 9007199254740991 }, { chain_id: 9007199254740991 }],
    [
      { name: 'least', network_type: 'evm', chain_id: 5, symbol: '🪙'.repeat(16) },
      { chain_id: 5, symbol: '🪙'.repeat(16) },
    ],
    [{ name: 'least', network_type: 'solana' }, {}],
    [{ name: 'least', network_type: 'stellar', passphrase: 'P' }, { passphrase: 'P' }],
    [{ name: 'least', network_type: 'solana', chain_id: null, symbol: null, tags: null, rpc_urls: null }, {}],
  ])('creates a network for signing only from %j', async (body, more) => {
    const response = await service.post(PATH, body);
    expect(response.status).toBe(201);
    expect(response.body.data).toEqual({
      id: `${body.network_type}:least`,
      name: 'least',
      network_type: body.network_type,
      features: [],
      tags: [],
      explorer_urls: [],
      rpc_urls: [],
      ...more,
    });
    expect(await storedUrls(`${body.network_type}:least`)).toBeNull();
  });

  it('returns 409 for an existing id', async () => {
    const response = await service.post(PATH, { name: 'sepolia', network_type: 'evm', chain_id: 1 });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({
      success: false,
      data: null,
      error: 'Network with this ID already exists',
      message: 'Network with this ID already exists',
    });
    expect((await service.get(`${PATH}/evm:sepolia`)).body.data.chain_id).toBe(11155111);
    expect((await service.post(PATH, { name: 'sepolia', network_type: 'solana' })).status).toBe(201);
  });

  it('creates a network once for 20 concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.post(PATH, ROLLUP)));
    expect(responses.map((response) => response.status).sort()).toEqual([
      201,
      ...Array<number>(19).fill(409),
    ]);
  });

  it('replaces the endpoints, and changes nothing else', async () => {
    const before = (await service.get(`${PATH}/evm:sepolia`)).body.data;
    const key = service.keepSecret('provider-key-4712');
    const rpc_urls = [{ url: `https://one.example.com/${key}`, weight: 60 }, 'https://two.example.com'];
    const response = await service.patch(`${PATH}/evm:sepolia`, { rpc_urls });
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({
      ...before,
      rpc_urls: [
        { url: 'https://one.example.com/***', weight: 60 },
        { url: 'https://two.example.com', weight: 100 },
      ],
    });
    expect((await service.get(`${PATH}/evm:sepolia`)).body.data).toEqual(response.body.data);
    expect(await storedUrls('evm:sepolia')).toMatch(/^v1\./);
  });

  it('encrypts private endpoints, shows them masked, and removes them on request', async () => {
    const key = service.keepSecret('provider-key-4713');
    const stored = async (): Promise<unknown> =>
      service.app
        .get(DataSource)
        .query('SELECT private_rpc_urls, private_fallback_blocks FROM networks WHERE id = ?', [
          'evm:sepolia',
        ]);
    const before = (await service.get(`${PATH}/evm:sepolia`)).body.data;
    expect(before).not.toHaveProperty('private_rpc_urls');
    const private_rpc_urls = [
      `https://private.example.com/${key}`,
      { url: 'https://two.example.com', weight: 5 },
    ];
    const set = await service.patch(`${PATH}/evm:sepolia`, { private_rpc_urls, private_fallback_blocks: 25 });
    const shown = [
      { url: 'https://private.example.com/***', weight: 100 },
      { url: 'https://two.example.com', weight: 5 },
    ];
    expect(set.body.data).toEqual({ ...before, private_rpc_urls: shown, private_fallback_blocks: 25 });
    expect((await service.get(`${PATH}/evm:sepolia`)).body.data).toEqual(set.body.data);
    expect(await stored()).toEqual([
      { private_rpc_urls: expect.stringMatching(/^v1\./) as string, private_fallback_blocks: 25 },
    ]);
    const stays = await service.patch(`${PATH}/evm:sepolia`, { private_fallback_blocks: null });
    expect(stays.body.data).toEqual({ ...before, private_rpc_urls: shown });
    expect((await service.patch(`${PATH}/evm:sepolia`, { private_rpc_urls: [] })).body.data).toEqual(before);
    await service.patch(`${PATH}/evm:sepolia`, { private_rpc_urls });
    expect((await service.patch(`${PATH}/evm:sepolia`, { private_rpc_urls: null })).body.data).toEqual(
      before,
    );
    expect(await stored()).toEqual([{ private_rpc_urls: null, private_fallback_blocks: null }]);
    const made = {
      ...ROLLUP,
      private_rpc_urls: ['https://two.example.com'],
      private_fallback_blocks: 10_000,
    };
    expect((await service.post(PATH, made)).body.data).toMatchObject({
      private_rpc_urls: [{ url: 'https://two.example.com', weight: 100 }],
      private_fallback_blocks: 10_000,
    });
  });

  it('replaces the fee settings as a whole', async () => {
    const path = `${PATH}/evm:sepolia`;
    const before = (await service.get(path)).body.data;
    expect(before).not.toHaveProperty('fees');
    const fees = {
      min_priority_fee: (2n ** 64n).toString(),
      percentiles: { safeLow: 0, fastest: 99.5 },
      legacy: false,
    };
    expect((await service.patch(path, { fees })).body.data).toEqual({ ...before, fees });
    expect((await service.get(path)).body.data).toEqual({ ...before, fees });
    const next = { min_priority_fee: '5', percentiles: null, legacy: true };
    const stored = { min_priority_fee: 5, legacy: true };
    expect((await service.patch(path, { fees: next })).body.data).toEqual({ ...before, fees: stored });
    for (const defaults of [null, {}, { legacy: null }]) {
      await service.patch(path, { fees });
      expect((await service.patch(path, { fees: defaults })).body.data).toEqual(before);
    }
    const created = await service.post(PATH, { ...ROLLUP, name: 'with-fees', fees: next });
    expect(created.body.data).toMatchObject({ fees: stored });
  });

  it('deletes a network that no relayer uses', async () => {
    const response = await service.call({ method: 'DELETE', path: `${PATH}/evm:blast` });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, data: 'Network deleted successfully', error: null });
    expect((await service.get(`${PATH}/evm:blast`)).status).toBe(404);
    expect((await service.call({ method: 'DELETE', path: `${PATH}/evm:blast` })).status).toBe(404);
    expect((await service.post(PATH, { name: 'blast', network_type: 'evm', chain_id: 81457 })).status).toBe(
      201,
    );
  });

  it('does not delete a network that relayers use, and names up to five of them', async () => {
    const refusal = async (): Promise<string> => {
      const response = await service.call({ method: 'DELETE', path: `${PATH}/evm:base` });
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ success: false, data: null, message: 'Network is in use' });
      return response.body.error as string;
    };
    await addRelayer(service, { id: '1', name: 'Payouts', network: 'base' });
    await addRelayer(service, { name: 'Elsewhere', network: 'sepolia' });
    await addRelayer(service, { name: 'Other type', network: 'base', networkType: 'solana' });
    expect(await refusal()).toBe("Network 'evm:base' is used by 1 relayer(s): Payouts (1)");
    for (const id of ['2', '3', '4', '5', '6', '7'])
      await addRelayer(service, { id, name: 'Payouts', network: 'base' });
    expect(await refusal()).toBe(
      "Network 'evm:base' is used by 7 relayer(s): Payouts (1), Payouts (2), Payouts (3), Payouts (4), Payouts (5) and 2 more",
    );
    expect((await service.get(`${PATH}/evm:base`)).status).toBe(200);
  });

  it.each([
    'evm:nowhere',
    'nowhere',
    'EVM:sepolia',
    'evm:Sepolia',
    'evm:sepolia%20',
    'a%00b',
    '%F0%9F%90%84',
    'x'.repeat(200),
  ])('returns 404 for %s', async (id) => {
    const text = `Network with ID '${decodeURIComponent(id)}' not found`;
    const responses = [
      await service.get(`${PATH}/${id}`),
      await service.patch(`${PATH}/${id}`, { rpc_urls: ['https://rpc.example.com'] }),
      await service.call({ method: 'DELETE', path: `${PATH}/${id}` }),
    ];
    for (const response of responses) {
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ success: false, data: null, error: text, message: text });
    }
  });

  it('has no network for a relayer whose network has a trailing space', async () => {
    const lock = (name: string) =>
      service.app.get(UnitOfWork).run(() => service.app.get(NetworksService).lock(name, 'evm'));
    expect(await lock('sepolia')).toMatchObject({ id: 'evm:sepolia' });
    expect(await lock('sepolia ')).toBeNull();
    expect(await service.app.get(NetworksService).exists('evm:sepolia ')).toBe(false);
  });

  it('prevents a relayer from referring to a missing network', async () => {
    const relayer = await addRelayer(service, { network: 'base' });
    const move = service.app
      .get(DataSource)
      .query("UPDATE relayers SET network = 'nowhere' WHERE id = ?", [relayer.id]);
    await expect(move).rejects.toThrow(/foreign key/i);
  });
});
