import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnitOfWork } from '../../src/database/unit-of-work';
import type { DueDelivery } from '../../src/notifications/deliveries/delivery.entity';
import { DeliverySender } from '../../src/notifications/deliveries/delivery-sender';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { NotificationsService } from '../../src/notifications/notifications.service';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { storageKey } from '../support/keys';
import { VaultStandIn } from '../support/key-services/vault.stand-in';

const NOT_ALLOWED = 'leads to an address that is not allowed';
const PUBLIC = 'https://rpc.example.com/v2/key';
const METADATA = 'http://169.254.169.254/latest';
const PRIVATE = 'http://10.0.0.5:8545';
const NETWORK = '/api/v1/networks/evm:sepolia';

describeOnDatabases('Outgoing addresses', (createDatabase) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase();
  });

  afterEach(() => database.drop());

  const start = (settings: Record<string, string> = {}): Promise<TestApplication> =>
    TestApplication.start(database, { OUTBOUND_ALLOW: '', ...settings });

  it('are refused on write if they are forbidden, with the name of the field, and change nothing', async () => {
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
      const responses = [
        await service.post('/api/v1/networks', { ...fresh, rpc_urls: [PUBLIC, url] }),
        await service.patch(NETWORK, { rpc_urls: endpoints }),
        await service.post('/api/v1/networks', { ...fresh, private_rpc_urls: [PUBLIC, url] }),
        await service.patch(NETWORK, { private_rpc_urls: endpoints }),
        await service.post('/api/v1/networks', { name: 'x', network_type: 'stellar', horizon_url: url }),
        await service.patch(relayer, { paused: true, custom_rpc_urls: endpoints }),
        await service.post('/api/v1/relayers', { ...made, custom_rpc_urls: endpoints }),
        await service.post('/api/v1/notifications', { url }),
        await service.patch('/api/v1/notifications/hook', { url }),
      ];
      expect(responses.map(({ status, body }) => [status, body.error])).toEqual([
        [400, `rpc_urls[1].url ${NOT_ALLOWED}`],
        [400, `rpc_urls[1].url ${NOT_ALLOWED}`],
        [400, `private_rpc_urls[1].url ${NOT_ALLOWED}`],
        [400, `private_rpc_urls[1].url ${NOT_ALLOWED}`],
        [400, `horizon_url ${NOT_ALLOWED}`],
        [400, `custom_rpc_urls[1].url ${NOT_ALLOWED}`],
        [400, `custom_rpc_urls[1].url ${NOT_ALLOWED}`],
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

  it('are allowed if OUTBOUND_ALLOW names them, except those of metadata services', async () => {
    const service = await start({ OUTBOUND_ALLOW: '0.0.0.0/0' });
    expect((await service.patch(NETWORK, { rpc_urls: [PRIVATE] })).status).toBe(200);
    expect((await service.patch(NETWORK, { rpc_urls: [METADATA] })).body.error).toBe(
      `rpc_urls[0].url ${NOT_ALLOWED}`,
    );
    await service.close();
  });

  it('are allowed only for the purpose and port of their entry', async () => {
    const service = await start({ OUTBOUND_ALLOW: 'rpc:10.0.0.0/8:8545, webhook:10.0.0.9:443' });
    const hookAt = (url: string) => service.post('/api/v1/notifications', { url });
    expect((await service.patch(NETWORK, { rpc_urls: [PRIVATE] })).status).toBe(200);
    expect((await service.patch(NETWORK, { rpc_urls: ['http://10.0.0.5:8546'] })).body.error).toBe(
      `rpc_urls[0].url ${NOT_ALLOWED}`,
    );
    expect((await hookAt(PRIVATE)).body.error).toBe(`url ${NOT_ALLOWED}`);
    expect((await hookAt('https://10.0.0.9')).status).toBe(201);
    expect((await service.patch(NETWORK, { rpc_urls: ['https://10.0.0.9'] })).body.error).toBe(
      `rpc_urls[0].url ${NOT_ALLOWED}`,
    );
    const vault = { address: 'https://10.0.0.5:8545', role_id: 'r', secret_id: 's', key_name: 'key' };
    expect((await service.post('/api/v1/signers', { type: 'vault', config: vault })).body.error).toBe(
      `config.address ${NOT_ALLOWED}`,
    );
    await service.close();
  });

  it('cause a warning at start if an entry covers all purposes or ports', async () => {
    const service = await start({ OUTBOUND_ALLOW: 'rpc:10.0.0.5:8545, 10.1.0.0/16, webhook:hooks.internal' });
    const warnings = service.logs.filter((line) => line.includes('OUTBOUND_ALLOW'));
    expect(warnings.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', positions: [2, 3] }),
    ]);
    expect(warnings.join()).not.toMatch(/10\.1|hooks/);
    await service.close();
  });

  it('must use https if they are public, and stored ones that do not are logged at start', async () => {
    const HTTPS_ONLY =
      'must use https: plain http is for private addresses, unless OUTBOUND_PLAIN_HTTP is on';
    const keys = { STORAGE_ENCRYPTION_KEY: storageKey(1) };
    const open = await start({ ...keys, OUTBOUND_PLAIN_HTTP: 'on' });
    const hook = { id: 'hook', url: 'http://8.8.8.8/hook' };
    expect((await open.post('/api/v1/notifications', hook)).status).toBe(201);
    expect((await open.patch(NETWORK, { rpc_urls: ['http://rpc.example.com'] })).status).toBe(200);
    expect(open.logs.some((line) => line.includes('OUTBOUND_PLAIN_HTTP is on'))).toBe(true);
    await open.close();

    const service = await start(keys);
    const named = service.logs.filter((line) => line.includes('with plain http'));
    expect(named.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', ids: ['evm:sepolia'], count: 1 }),
      expect.objectContaining({ level: 'warn', ids: ['hook'], count: 1 }),
    ]);
    expect(named.join()).not.toMatch(/8\.8\.8\.8|rpc\.example/);
    const responses = [
      await service.patch(NETWORK, { rpc_urls: [PUBLIC, 'http://rpc.example.com'] }),
      await service.post('/api/v1/notifications', { url: 'http://8.8.8.8' }),
      await service.patch('/api/v1/notifications/hook', { url: 'http://hooks.example.com' }),
    ];
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual([
      [400, `rpc_urls[1].url ${HTTPS_ONLY}`],
      [400, `url ${HTTPS_ONLY}`],
      [400, `url ${HTTPS_ONLY}`],
    ]);
    const [stored] = await service.app.get(UnitOfWork).repository(NotificationEntity).find();
    const sent = await service.app.get(DeliverySender).send({
      id: '0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11',
      notificationId: 'hook',
      notification: Object.assign({}, stored, { url: service.app.get(NotificationsService).urlOf(stored!) }),
      payload: {},
      createdAt: new Date(),
    } as unknown as DueDelivery);
    expect(sent).toMatchObject({ status: null, failure: 'refused' });
    expect(service.logs.some((line) => line.includes(`8.8.8.8:80 ${HTTPS_ONLY}`))).toBe(true);
    await service.close();
  });

  it('are not called for keys if they are forbidden', async () => {
    const vault = new VaultStandIn();
    await vault.start();
    const service = await start();
    const secrets = { role_id: vault.roleId, secret_id: vault.secretId, key_name: 'key' };
    for (const address of [vault.address, 'https://10.0.0.5:8200', 'https://169.254.169.254']) {
      const response = await service.post('/api/v1/signers', {
        type: 'vault',
        config: { ...secrets, address },
      });
      expect([response.status, response.body.error]).toEqual([400, `config.address ${NOT_ALLOWED}`]);
    }
    expect(vault.requests).toEqual([]);
    await service.close();
    await vault.stop();
  });

  it('do not prevent the start if the configuration file names forbidden ones', async () => {
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
