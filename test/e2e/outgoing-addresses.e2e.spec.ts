import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { VaultStandIn } from '../support/key-services/vault.stand-in';

const NOT_ALLOWED = 'leads to an address that is not allowed';
const PUBLIC = 'https://rpc.example.com/v2/key';
const METADATA = 'http://169.254.169.254/latest';
const PRIVATE = 'http://10.0.0.5:8545';
const NETWORK = '/api/v1/networks/evm:sepolia';

describeOnDatabases('Addresses that may not be called', (createDatabase) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase();
  });

  afterEach(() => database.drop());

  const start = (settings: Record<string, string> = {}): Promise<TestApplication> =>
    TestApplication.start(database, { OUTBOUND_ALLOW: '', ...settings });

  it('are refused where they are written, by the name of the field, and change nothing', async () => {
    const service = await start();
    const relayer = `/api/v1/relayers/${(await addRelayer(service, { id: 'treasury', network: 'sepolia' })).id}`;
    const hook = { id: 'hook', url: 'https://hooks.example.com' };
    expect((await service.post('/api/v1/notifications', hook)).status).toBe(201);
    await service.post('/api/v1/signers', { id: 'key', type: 'plain', config: { key: '11'.repeat(32) } });
    const fresh = { name: 'x', network_type: 'evm', chain_id: 5 };
    const made = { name: 'x', network: 'sepolia', network_type: 'evm', paused: false, signer_id: 'key' };
    const before = await Promise.all([NETWORK, relayer].map((path) => service.get(path)));
    for (const url of [
      METADATA,
      PRIVATE,
      'http://0x7f.1',
      'http://[::ffff:10.0.0.1]',
      'http://localhost:8545',
    ]) {
      const endpoints = [PUBLIC, { url, weight: 1 }].map((item) =>
        typeof item === 'string' ? { url: item } : item,
      );
      const answers = [
        await service.post('/api/v1/networks', { ...fresh, rpc_urls: [PUBLIC, url] }),
        await service.patch(NETWORK, { rpc_urls: endpoints }),
        await service.post('/api/v1/networks', { name: 'x', network_type: 'stellar', horizon_url: url }),
        await service.patch(relayer, { paused: true, custom_rpc_urls: endpoints }),
        await service.post('/api/v1/relayers', { ...made, custom_rpc_urls: endpoints }),
        await service.post('/api/v1/notifications', { url }),
        await service.patch('/api/v1/notifications/hook', { url }),
      ];
      expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
        [400, `rpc_urls.1.url ${NOT_ALLOWED}`],
        [400, `rpc_urls.1.url ${NOT_ALLOWED}`],
        [400, `horizon_url ${NOT_ALLOWED}`],
        [400, `custom_rpc_urls.1.url ${NOT_ALLOWED}`],
        [400, `custom_rpc_urls.1.url ${NOT_ALLOWED}`],
        [400, `url ${NOT_ALLOWED}`],
        [400, `url ${NOT_ALLOWED}`],
      ]);
    }
    const after = await Promise.all([NETWORK, relayer].map((path) => service.get(path)));
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
    expect((await service.get('/api/v1/notifications')).body.data).toEqual([
      { ...hook, type: 'webhook', has_signing_key: false },
    ]);
    await service.close();
  });

  it('are those that OUTBOUND_ALLOW does not name, and always those of metadata services', async () => {
    const service = await start({ OUTBOUND_ALLOW: '0.0.0.0/0' });
    expect((await service.patch(NETWORK, { rpc_urls: [PRIVATE] })).status).toBe(200);
    expect((await service.patch(NETWORK, { rpc_urls: [METADATA] })).body.error).toBe(
      `rpc_urls.0.url ${NOT_ALLOWED}`,
    );
    await service.close();
  });

  it('are not asked for keys', async () => {
    const vault = new VaultStandIn();
    await vault.start();
    const service = await start();
    const secrets = { role_id: vault.roleId, secret_id: vault.secretId, key_name: 'key' };
    for (const address of [vault.address, 'https://10.0.0.5:8200', 'https://169.254.169.254']) {
      const answer = await service.post('/api/v1/signers', {
        type: 'vault',
        config: { ...secrets, address },
      });
      expect([answer.status, answer.body.error]).toEqual([400, `config.address ${NOT_ALLOWED}`]);
    }
    expect(vault.requests).toEqual([]);
    await service.close();
    await vault.stop();
  });

  it('do not stop the start when the configuration file names them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'relayer-outgoing-'));
    const CONFIG_FILE = join(folder, 'config.json');
    const network = { network: 'inside', type: 'evm', chain_id: 5, rpc_urls: [PRIVATE] };
    const notification = { id: 'inside', type: 'webhook', url: PRIVATE };
    const content = { relayers: [], signers: [], notifications: [notification], networks: [network] };
    writeFileSync(CONFIG_FILE, JSON.stringify(content));
    const service = await start({ CONFIG_FILE });
    expect((await service.get('/api/v1/networks/evm:inside')).body.data.rpc_urls).toEqual([
      { url: PRIVATE, weight: 100 },
    ]);
    expect((await service.get('/api/v1/notifications')).body.data).toEqual([
      { id: 'inside', type: 'webhook', url: PRIVATE, has_signing_key: false },
    ]);
    await service.close();
    rmSync(folder, { recursive: true });
  });
});
