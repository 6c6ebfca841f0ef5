import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { BUILT_IN_NETWORKS } from '../../src/networks/built-in-networks';
import { NetworkEntity } from '../../src/networks/network.entity';
import { TestApplication } from '../support/application';
import {
  createMariaDb,
  describeOnDatabases,
  describeWithMariaDb,
  type TestDatabase,
} from '../support/databases';
import { storageKey } from '../support/keys';
import { sealRows } from '../support/row-macs';

const PATH = '/api/v1/networks';
const WARNING = 'The stored network differs from the configuration file and stays as it is';

describeOnDatabases('Provisioning of networks at start', (createDatabase) => {
  let database: TestDatabase;
  let folder: string;
  let settings: Record<string, string>;

  beforeEach(async () => {
    database = await createDatabase();
    folder = mkdtempSync(join(tmpdir(), 'relayer-networks-'));
    settings = { STORAGE_ENCRYPTION_KEY: storageKey(1) };
  });

  afterEach(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const start = (): Promise<TestApplication> => TestApplication.start(database, settings);

  const configure = (content: unknown): void => {
    settings.CONFIG_FILE = join(folder, 'config.json');
    writeFileSync(settings.CONFIG_FILE, JSON.stringify(content));
  };

  const writeNetworks = (under: string, files: Record<string, unknown>): void => {
    mkdirSync(join(folder, under), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(join(folder, under, file), text);
    }
  };

  const warnings = (service: TestApplication): unknown[] =>
    service.logs
      .filter((line) => line.includes('"level":"warn"') && !line.includes('"context":"OutboundGuard"'))
      .map((line) => JSON.parse(line) as unknown);

  const once = async <T>(work: (service: TestApplication) => Promise<T>): Promise<T> => {
    const service = await start();
    try {
      return await work(service);
    } finally {
      await service.close();
    }
  };

  const show = (service: TestApplication, id: string) => service.get(`${PATH}/${id}`);

  it('creates built-in networks once, and retains later deletions and changes', async () => {
    await once(async (service) => {
      expect((await service.get(PATH)).body.pagination.total_items).toBe(BUILT_IN_NETWORKS.size);
      await service.call({ method: 'DELETE', path: `${PATH}/evm:blast` });
      await service.patch(`${PATH}/evm:sepolia`, { rpc_urls: ['https://own.example.com'] });
    });
    await once(async (service) => {
      expect((await service.get(PATH)).body.pagination.total_items).toBe(BUILT_IN_NETWORKS.size - 1);
      expect((await show(service, 'evm:blast')).status).toBe(404);
      const { data } = (await show(service, 'evm:sepolia')).body;
      expect(data.rpc_urls).toEqual([{ url: 'https://own.example.com', weight: 100 }]);
      expect(warnings(service)).toEqual([]);
    });
  });

  it('creates the networks of the configuration file, which extend and override built-in ones', async () => {
    configure({
      networks: [
        {
          ...{ network: 'sepolia', type: 'evm', from: 'sepolia' },
          rpc_urls: ['https://own.example.com/k3y-0815'],
          ...{ private_rpc_urls: ['https://private.example.com/k3y-0815'], private_fallback_blocks: 25 },
        },
        { network: 'base', type: 'evm', chain_id: 8453, gas_price_cache: { enabled: true } },
        { network: 'my-rollup', type: 'evm', from: 'my-parent', chain_id: 77, features: ['blobs'] },
        { network: 'my-parent', type: 'evm', from: 'optimism', chain_id: 76, symbol: 'MY', tags: ['mine'] },
      ],
    });
    await once(async (service) => {
      service.keepSecret('k3y-0815');
      expect((await show(service, 'evm:sepolia')).body.data).toMatchObject({
        chain_id: 11155111,
        rpc_urls: [{ url: 'https://own.example.com/***', weight: 100 }],
        private_rpc_urls: [{ url: 'https://private.example.com/***', weight: 100 }],
        private_fallback_blocks: 25,
      });
      expect((await show(service, 'evm:base')).body.data).toEqual({
        id: 'evm:base',
        name: 'base',
        network_type: 'evm',
        chain_id: 8453,
        features: [],
        tags: [],
        explorer_urls: [],
        rpc_urls: [],
      });
      expect((await show(service, 'evm:my-rollup')).body.data).toMatchObject({
        chain_id: 77,
        symbol: 'MY',
        average_blocktime_ms: 2000,
        features: ['eip1559', 'blobs'],
        tags: ['rollup', 'optimism-based', 'mine'],
      });
      expect((await service.get(PATH)).body.pagination.total_items).toBe(BUILT_IN_NETWORKS.size + 2);
      expect(service.logs.join()).toContain('"networks":4');
    });
  });

  it('overwrites nothing, warns of differences, and recreates a deleted network that is configured', async () => {
    configure({ networks: [{ network: 'mine', type: 'evm', chain_id: 77, tags: ['x'] }] });
    await once(async (service) => {
      await service.patch(`${PATH}/evm:mine`, { rpc_urls: ['https://rpc.example.com'] });
      await service.call({ method: 'DELETE', path: `${PATH}/evm:linea` });
    });
    configure({
      networks: [
        { network: 'mine', type: 'evm', chain_id: 78, tags: ['x'] },
        { network: 'linea', type: 'evm', from: 'linea' },
        { network: 'scroll', type: 'evm', from: 'scroll' },
      ],
    });
    await once(async (service) => {
      expect(warnings(service)).toEqual([
        expect.objectContaining({ message: WARNING, id: 'evm:mine', fields: ['chain_id', 'rpc_urls'] }),
      ]);
      expect((await show(service, 'evm:mine')).body.data.chain_id).toBe(77);
      expect((await show(service, 'evm:linea')).body.data.chain_id).toBe(59144);
    });
  });

  it('creates no relayer on a network whose name has a trailing space, which databases may ignore', async () => {
    const signers = [{ id: 's', type: 'plain', config: { key: { type: 'plain', value: '7'.repeat(64) } } }];
    const relayer = { id: 'r', name: 'R', network_type: 'evm', signer_id: 's', paused: false };
    configure({ signers, relayers: [{ ...relayer, network: 'sepolia ' }] });
    const faults = ['CONFIG_FILE relayers[0]: network sepolia  of type evm does not exist'];
    // At the first start, the built-in networks are planned; at the next ones, they are stored.
    await expect(start()).rejects.toMatchObject({ faults });
    configure({ signers });
    await once((service) => service.get(PATH));
    configure({ signers, relayers: [{ ...relayer, network: 'sepolia ' }] });
    await expect(start()).rejects.toMatchObject({ faults });
  });

  it('creates no relayer on a network that is stored with another chain id', async () => {
    await once(async (service) => {
      await service.post(PATH, { name: 'mine', network_type: 'evm', chain_id: 1 });
      await service.post('/api/v1/signers', { id: 's', type: 'plain', config: { key: '7'.repeat(64) } });
    });
    const relayer = {
      id: 'r',
      name: 'R',
      network: 'mine',
      network_type: 'evm',
      signer_id: 's',
      paused: false,
    };
    const withChain = (chain_id: number) =>
      configure({ networks: [{ network: 'mine', type: 'evm', chain_id }], relayers: [relayer] });
    withChain(78);
    await expect(start()).rejects.toThrow(
      'relayers[0]: network mine is stored with chain id 1, and that of the file is 78',
    );
    withChain(1);
    await once(async (service) => {
      expect((await service.get('/api/v1/relayers/r')).status).toBe(200);
    });
    // Existing relayers stay where they are.
    withChain(78);
    await once(async (service) => {
      expect((await service.get('/api/v1/relayers/r')).status).toBe(200);
    });
  });

  it.each([
    ['./my-networks', 'my-networks'],
    [undefined, 'config/networks'],
    [null, 'config/networks'],
  ])('if networks is %j, reads the folder %s', async (networks, under) => {
    writeNetworks(under, {
      'b.json': { networks: [{ network: 'b', type: 'evm', from: 'a', chain_id: 2 }] },
      'a.json': [{ network: 'a', type: 'evm', chain_id: 1, symbol: 'A' }],
      'readme.txt': 'not read',
    });
    configure({ networks });
    await once(async (service) => {
      expect((await show(service, 'evm:b')).body.data).toMatchObject({ chain_id: 2, symbol: 'A' });
    });
  });

  it('works without the default folder', async () => {
    configure({});
    await once(async (service) => {
      expect((await service.get(PATH)).body.pagination.total_items).toBe(BUILT_IN_NETWORKS.size);
    });
  });

  it.each<[string, unknown, string[]]>([
    ['a missing folder', './nowhere', ['networks names the folder ./nowhere, which cannot be read']],
    [
      'a folder that is a file',
      './config.json',
      ['networks names the folder ./config.json, which cannot be read'],
    ],
    [
      'networks with missing or circular inheritance, or with missing fields',
      [
        { network: 'a', type: 'evm', from: 'nowhere' },
        { network: 'b', type: 'evm', from: 'c' },
        { network: 'c', type: 'evm', from: 'b' },
        { network: 'd', type: 'evm' },
        { network: 'e', type: 'solana', chain_id: 1 },
        { network: 'f', type: 'solana', from: 'sepolia' },
      ],
      [
        'networks[0]: from names the network nowhere of type evm, which does not exist',
        'networks[1]: from leads back to network b',
        'networks[2]: from leads back to network c',
        'networks[3]: chain_id is required for networks of type evm',
        'networks[4]: chain_id must not be given for networks of type solana',
        'networks[5]: from names the network sepolia of type solana, which does not exist',
      ],
    ],
    [
      'malformed networks',
      [
        { network: 'a', type: 'evm', chain_id: '1', colour: 'red' },
        { network: 'b', type: 'evm', chain_id: 1, rpc_urls: ['rpc.example.com'] },
        { network: 'b', type: 'evm', chain_id: 1, from: 5 },
        { network: 'c', type: 'evm', chain_id: 1 },
        { network: 'c', type: 'evm', chain_id: 1 },
        { network: 'c', type: 'solana' },
      ],
      [
        'networks[0].colour is not a known field',
        'networks[0].chain_id must be an integer number',
        'networks[1].rpc_urls[0].url must be an http or https URL of at most 2048 characters',
        'networks[2].from must be 1 to 64 lower-case letters, digits or dashes',
        'networks[4].network is given more than once for type evm',
      ],
    ],
    [
      'invalid files in a folder',
      './networks',
      [
        'networks/a.json the file is not valid JSON: line 1, column 2',
        'networks/b.json must hold a list of networks',
        'networks/c.json[0] must be an object',
        'networks/c.json[1].chain_id must be an integer number',
      ],
    ],
  ])('fails with %s, and creates nothing', async (_what, networks, faults) => {
    writeNetworks('networks', {
      'a.json': '{',
      'b.json': { relayers: [] },
      'c.json': [5, { network: 'c', type: 'evm', chain_id: 'one' }],
    });
    configure({ networks });
    await expect(start()).rejects.toMatchObject({ faults: faults.map((fault) => `CONFIG_FILE ${fault}`) });
    configure({ networks: [] });
    await once(async (service) => {
      expect((await service.get(PATH)).body.pagination.total_items).toBe(BUILT_IN_NETWORKS.size);
    });
  });

  it('creates a separate network for the demonstration relayer', async () => {
    Object.assign(settings, { CONFIG_FILE: '', NODE_ENV: 'development' });
    const showDemo = async (service: TestApplication): Promise<unknown> =>
      (await show(service, 'evm:demo')).body.data;
    const demo = await once(showDemo);
    expect(demo).toMatchObject({ id: 'evm:demo', chain_id: 1337, is_testnet: true, rpc_urls: [] });
    expect(await once(showDemo)).toEqual(demo);
    // The state after a migration that found the relayer but no network.
    await once(async (service) => {
      await service.app
        .get(DataSource)
        .query("UPDATE networks SET chain_id = NULL, is_testnet = NULL WHERE name = 'demo'");
      await sealRows(service, NetworkEntity, 'evm:demo');
    });
    expect(await once(showDemo)).toEqual(demo);
  });

  it('completes networks of which only the name is known, and does not change the others', async () => {
    await once(async (service) => {
      const insert = `INSERT INTO networks (id, name, network_type, features, tags, explorer_urls, created_at)
        VALUES (?, ?, 'evm', '[]', '[]', '[]', '2026-01-01')`;
      const source = service.app.get(DataSource);
      await source.query("DELETE FROM networks WHERE id IN ('evm:sepolia', 'evm:base')");
      await source.query("DELETE FROM network_seeds WHERE id IN ('evm:sepolia', 'evm:base')");
      for (const name of ['sepolia', 'mine', 'unknown']) await source.query(insert, [`evm:${name}`, name]);
      await sealRows(service, NetworkEntity);
      await service.post(PATH, { name: 'base', network_type: 'evm', chain_id: 1 });
    });
    configure({ networks: [{ network: 'mine', type: 'evm', chain_id: 77 }] });
    await once(async (service) => {
      expect((await show(service, 'evm:sepolia')).body.data).toMatchObject({
        chain_id: 11155111,
        symbol: 'ETH',
      });
      expect((await show(service, 'evm:sepolia')).body.data.rpc_urls).not.toEqual([]);
      expect((await show(service, 'evm:mine')).body.data.chain_id).toBe(77);
      expect((await show(service, 'evm:base')).body.data.chain_id).toBe(1);
      expect((await show(service, 'evm:unknown')).body.data).toEqual({
        id: 'evm:unknown',
        name: 'unknown',
        network_type: 'evm',
        features: [],
        tags: [],
        explorer_urls: [],
        rpc_urls: [],
      });
      expect(warnings(service)).toEqual([]);
    });
  });

  it('fails with a storage key other than the one that encrypted the networks', async () => {
    await once(() => Promise.resolve());
    settings.STORAGE_ENCRYPTION_KEY = storageKey(2);
    await expect(start()).rejects.toMatchObject({
      faults: [expect.stringMatching(/^STORAGE_ENCRYPTION_KEY lacks a key .* networks\.rpc_urls of row /)],
    });
  });
});

describeWithMariaDb('Networks of several instances', () => {
  it('are created once if four instances start concurrently', async () => {
    const database = await createMariaDb();
    const settings = { STORAGE_ENCRYPTION_KEY: storageKey(7) };
    const services = await Promise.all([1, 2, 3, 4].map(() => TestApplication.start(database, settings)));
    for (const service of services) {
      const response = await service.get(`${PATH}?per_page=1000`);
      expect(response.body.data).toHaveLength(BUILT_IN_NETWORKS.size);
      expect(new Set(response.body.data.map((network: { id: string }) => network.id)).size).toBe(
        BUILT_IN_NETWORKS.size,
      );
    }
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
  });
});
