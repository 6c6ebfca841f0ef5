import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeService } from '../support/describe-service';
import { storageKey } from '../support/keys';

const PATH = '/api/v1/networks';
const SEPOLIA = `${PATH}/evm:sepolia`;
const SEND = ['read', 'eth_sendRawTransaction'];

describeService('RPC methods of networks', { startFor: 'none' }, ({ service, database }) => {
  const start = (settings: Record<string, string> = {}): Promise<void> => service.start(database, settings);
  const show = async (path = SEPOLIA) => (await service.get(path)).body.data;

  it('are omitted by default, and shown if they are set', async () => {
    await start();
    expect(await show()).not.toHaveProperty('rpc_methods');
    const body = { name: 'mine', network_type: 'evm', chain_id: 5, rpc_methods: SEND };
    const response = await service.post(PATH, body);
    expect([response.status, response.body.data.rpc_methods]).toEqual([201, SEND]);
    expect((await show(`${PATH}/evm:mine`)).rpc_methods).toEqual(SEND);
  });

  it('can be replaced independently of the endpoints', async () => {
    await start();
    const before = await show();
    const steps: [object, object][] = [
      [{ rpc_methods: SEND }, { ...before, rpc_methods: SEND }],
      [{ rpc_methods: [] }, { ...before, rpc_methods: [] }],
      [
        { rpc_urls: ['https://own.example.com'] },
        { ...before, rpc_methods: [], rpc_urls: [{ url: 'https://own.example.com', weight: 100 }] },
      ],
      [{ rpc_methods: null }, { ...before, rpc_urls: [{ url: 'https://own.example.com', weight: 100 }] }],
      [
        { rpc_methods: ['eth_call'], rpc_urls: [{ url: 'https://two.example.com', weight: 1 }] },
        { ...before, rpc_methods: ['eth_call'], rpc_urls: [{ url: 'https://two.example.com', weight: 1 }] },
      ],
    ];
    for (const [change, expected] of steps) {
      const response = await service.patch(SEPOLIA, change);
      expect([response.status, response.body.data]).toEqual([200, expected]);
      expect(await show()).toEqual(expected);
    }
  });

  it.each(['solana:mainnet-beta', 'stellar:testnet'])('cannot be set on %s', async (id) => {
    await start();
    const error = `rpc_methods must not be given for networks of type ${id.split(':')[0]}`;
    const network_type = id.split(':')[0];
    const responses = [
      await service.patch(`${PATH}/${id}`, { rpc_methods: SEND }),
      await service.post(PATH, { name: 'mine', network_type, rpc_methods: SEND }),
    ];
    for (const response of responses) expect([response.status, response.body.error]).toEqual([400, error]);
    expect(await show(`${PATH}/${id}`)).not.toHaveProperty('rpc_methods');
  });

  it('can be set in the configuration file, and are inherited there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'relayer-methods-'));
    const CONFIG_FILE = join(folder, 'config.json');
    const parent = { network: 'parent', type: 'evm', chain_id: 5, rpc_methods: SEND };
    const networks = [
      parent,
      { network: 'child', type: 'evm', from: 'parent' },
      { network: 'other', type: 'evm', from: 'parent', rpc_methods: [] },
    ];
    const STORAGE_ENCRYPTION_KEY = storageKey(1);
    const startWith = (content: object[]) => {
      writeFileSync(CONFIG_FILE, JSON.stringify({ networks: content }));
      return start({ CONFIG_FILE, STORAGE_ENCRYPTION_KEY });
    };
    await startWith(networks);
    expect((await show(`${PATH}/evm:parent`)).rpc_methods).toEqual(SEND);
    expect((await show(`${PATH}/evm:child`)).rpc_methods).toEqual(SEND);
    expect((await show(`${PATH}/evm:other`)).rpc_methods).toEqual([]);
    await service.close();
    await startWith([{ ...parent, rpc_methods: ['read'] }]);
    expect((await show(`${PATH}/evm:parent`)).rpc_methods).toEqual(SEND);
    const warnings = service.logs.filter((line) => line.includes('differs from the configuration file'));
    expect(warnings.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ id: 'evm:parent', fields: ['rpc_methods'] }),
    ]);
    rmSync(folder, { recursive: true });
  });
});
