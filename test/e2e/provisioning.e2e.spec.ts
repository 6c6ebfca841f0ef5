import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJson } from 'ethers';
import { DataSource } from 'typeorm';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { TestApplication } from '../support/application';
import { COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { storageKey } from '../support/keys';

const PASSPHRASE = 'correct horse battery staple';
const SIGNING_KEY = 'webhook-signing-key-0123456789abcdef';
const HASHES = {
  domain_separator: 'f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: 'c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};

const LONG_URLS = Array.from({ length: 16 }, (_, i) => `https://${i}.example.com/${'ж'.repeat(2000)}`);

/** A configuration file as users of the peer service write it. */
const CONTENT = {
  relayers: [
    {
      id: 'cow-sepolia',
      name: 'Cow on Sepolia',
      network: 'sepolia',
      paused: false,
      signer_id: 'cow',
      network_type: 'evm',
      notification_id: 'ops',
      policies: { min_balance: '100000000000000000', include_revert_data: true },
      custom_rpc_urls: [
        'https://rpc.example.com/v2/provider-key-7',
        { url: 'https://two.example.com', weight: 5 },
      ],
    },
    {
      id: 'cow-solana',
      name: 'Cow on Solana',
      network: 'devnet',
      paused: true,
      signer_id: 'cow',
      network_type: 'solana',
    },
  ],
  signers: [
    {
      id: 'cow',
      type: 'local',
      config: { path: 'keys/cow.json', passphrase: { type: 'env', value: 'KEYSTORE_PASSPHRASE' } },
    },
    // Stored as a local signer.
    { id: 'plain', type: 'plain', config: { key: { type: 'env', value: 'PLAIN_KEY' } } },
  ],
  notifications: [
    {
      id: 'ops',
      type: 'webhook',
      url: 'https://hooks.example.com',
      signing_key: { type: 'plain', value: SIGNING_KEY },
    },
  ],
  networks: './config/networks',
};

/** The content of the `networks` folder that it names. */
const NETWORKS = {
  networks: [
    { network: 'sepolia', type: 'evm', from: 'sepolia', rpc_urls: ['https://own.example.com/v2/k'] },
  ],
};

describeOnDatabases('Provisioning from a configuration file', (createDatabase) => {
  let database: TestDatabase;
  let folder: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-config-'));
    const keystore = await encryptKeystoreJson(
      { address: COW_ADDRESS, privateKey: `0x${COW_KEY}` },
      PASSPHRASE,
      {
        scrypt: { N: 1024, r: 8, p: 1 },
      },
    );
    writeFileSync(join(folder, 'cow.json'), keystore);
    mkdirSync(join(folder, 'config/networks'), { recursive: true });
    writeFileSync(join(folder, 'config/networks/sepolia.json'), JSON.stringify(NETWORKS));
  });

  beforeEach(async () => {
    database = await createDatabase();
    settings = {
      CONFIG_FILE: join(folder, 'config.json'),
      KEYSTORE_PASSPHRASE: PASSPHRASE,
      PLAIN_KEY: '0b'.repeat(32),
      STORAGE_ENCRYPTION_KEY: storageKey(1),
    };
    write(CONTENT);
  });

  afterEach(() => database.drop());

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (content: unknown): void => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, 'config.json'), text.replaceAll('keys/cow.json', 'cow.json'));
  };

  const start = async (): Promise<TestApplication> => {
    const service = await TestApplication.start(database, settings);
    for (const secret of [PASSPHRASE, SIGNING_KEY, COW_KEY, 'provider-key-7']) service.keepSecret(secret);
    return service;
  };

  it('creates the configured signers, notifications and relayers, and the relayer signs', async () => {
    const service = await start();
    expect((await service.get('/api/v1/relayers')).body.data).toEqual([
      {
        id: 'cow-sepolia',
        name: 'Cow on Sepolia',
        network: 'sepolia',
        network_type: 'evm',
        address: COW_ADDRESS,
        signer_id: 'cow',
        notification_id: 'ops',
        paused: false,
        system_disabled: false,
        policies: { min_balance: '100000000000000000', include_revert_data: true },
        custom_rpc_urls: [
          { url: 'https://rpc.example.com/***', weight: 100 },
          { url: 'https://two.example.com', weight: 5 },
        ],
      },
      expect.objectContaining({ id: 'cow-solana', network_type: 'solana', paused: true }),
    ]);
    expect((await service.get('/api/v1/notifications')).body.data).toEqual([
      { id: 'ops', type: 'webhook', url: 'https://hooks.example.com', has_signing_key: true },
    ]);
    const signed = await service.post('/api/v1/relayers/cow-sepolia/sign-typed-data', HASHES);
    expect(signed.body.data.v).toBe(28);
    const stored = await service.app
      .get(DataSource)
      .query<{ secret: string }[]>('SELECT secret FROM signers');
    expect(stored[0]?.secret).not.toContain(COW_KEY);
    await service.close();
  });

  it('creates new signers and their relayers only at a start after signing was unfrozen', async () => {
    write({ ...CONTENT, signers: [], relayers: [] });
    const first = await start();
    await first.post('/api/v1/signing/freeze', { reason: 'INC-142' });
    await first.close();
    write(CONTENT);
    const frozen = await start();
    expect(frozen.logs.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'Signing is frozen: new signers and their relayers are created at a later start',
        place: 'signers[0]',
      }),
    );
    for (const created of ['signers', 'relayers'])
      expect((await frozen.get(`/api/v1/${created}`)).body.data).toEqual([]);
    await frozen.post('/api/v1/signing/unfreeze', undefined);
    await frozen.close();
    const last = await start();
    expect((await last.get('/api/v1/relayers')).body.data).toHaveLength(2);
    await last.close();
  });

  it('creates only missing entries at the next start, and warns of differences', async () => {
    const first = await start();
    const ownWarnings = first.logs.filter(
      (line) => line.includes('"level":"warn"') && line.includes('ProvisioningService'),
    );
    expect(ownWarnings).toEqual([
      expect.stringMatching(/policies.include_revert_data .*"relayer_id":"cow-sepolia"/),
    ]);
    await first.patch('/api/v1/relayers/cow-sepolia', { paused: true, name: 'Renamed' });
    await first.close();

    const added = {
      id: 'late',
      name: 'Late',
      network: 'mainnet',
      paused: false,
      signer_id: 'cow',
      network_type: 'evm',
    };
    write({ ...CONTENT, relayers: [...CONTENT.relayers, added] });
    delete settings.KEYSTORE_PASSPHRASE;
    const second = await start();
    const { data } = (await second.get('/api/v1/relayers')).body;
    expect(data).toHaveLength(3);
    expect(data[0]).toMatchObject({ id: 'cow-sepolia', name: 'Renamed', paused: true });
    const warnings = second.logs
      .filter((line) => line.includes('"level":"warn"') && line.includes('ProvisioningService'))
      .map((line) => JSON.parse(line) as unknown);
    expect(warnings).toEqual([
      expect.objectContaining({
        message: 'The stored relayer differs from the configuration file and stays as it is',
        id: 'cow-sepolia',
        fields: ['name', 'paused'],
      }),
    ]);
    await second.close();
  });

  it('creates a notification again whose deletion was interrupted', async () => {
    write({ notifications: CONTENT.notifications });
    const first = await start();
    const { manager } = first.app.get(DataSource);
    const delivery = {
      notificationId: 'ops',
      event: 'test',
      payload: { payload_type: 'test' },
      state: 'pending' as const,
      attempts: 0,
      giveUpAt: new Date(Date.now() + 86_400_000),
      nextAttemptAt: new Date(Date.now() + 3_600_000),
      createdAt: new Date(),
    };
    for (let batch = 0; batch < 20; batch += 1)
      await manager.insert(
        DeliveryEntity,
        Array.from({ length: 100 }, () => ({ ...delivery, id: randomUUID() })),
      );
    await manager.update(NotificationEntity, { id: 'ops' }, { deletedAt: new Date() });
    await first.close();
    const second = await start();
    expect((await second.get('/api/v1/notifications')).body.data).toMatchObject([{ id: 'ops' }]);
    expect((await second.get('/api/v1/notifications/ops/deliveries')).body.data).toEqual([]);
    await second.close();
  });

  it.each([
    ['malformed JSON', '{', ['CONFIG_FILE the file is not valid JSON: line 1, column 2']],
    [
      'a malformed file, reporting all faults at once',
      {
        relayers: [{ id: 'a b', name: 'x', network: 'n', paused: 'no', signer_id: 's', network_type: 'evm' }],
        extra: 1,
      },
      [
        'CONFIG_FILE extra is not a known field',
        'CONFIG_FILE relayers[0].id must be 1 to 36 letters, digits, dashes or underscores',
        'CONFIG_FILE relayers[0].paused must be a boolean value',
      ],
    ],
    [
      'an unknown kind of signer',
      { signers: [{ id: 's', type: 'abacus', config: {} }] },
      [expect.stringMatching(/^CONFIG_FILE signers\[0\]: type must be one of .*\blocal\b/)],
    ],
    [
      'a missing keystore',
      {
        signers: [
          {
            id: 's',
            type: 'local',
            config: { path: 'nowhere.json', passphrase: { type: 'plain', value: 'x' } },
          },
        ],
      },
      ['CONFIG_FILE signers[0]: the file nowhere.json cannot be read: it does not exist'],
    ],
    [
      'a wrong passphrase',
      {
        signers: [
          { id: 's', type: 'local', config: { path: 'cow.json', passphrase: { type: 'plain', value: 'x' } } },
        ],
      },
      ['CONFIG_FILE signers[0]: the passphrase does not open the keystore'],
    ],
    [
      'a variable that is not set',
      {
        signers: [
          {
            id: 's',
            type: 'local',
            config: { path: 'cow.json', passphrase: { type: 'env', value: 'NO_SUCH' } },
          },
        ],
      },
      ['CONFIG_FILE signers[0]: config.passphrase names the environment variable NO_SUCH, which is not set'],
    ],
    [
      'relayers with missing references or invalid policies',
      {
        ...CONTENT,
        relayers: [
          { ...CONTENT.relayers[0], signer_id: 'nobody' },
          { ...CONTENT.relayers[1], notification_id: 'nowhere' },
          { ...CONTENT.relayers[0], id: 'three', network: 'x', policies: { min_balance: -1 } },
          { ...CONTENT.relayers[0], id: 'four', network: 'nowhere' },
        ],
      },
      [
        'CONFIG_FILE relayers[0]: signer_id nobody is not configured',
        'CONFIG_FILE relayers[1]: notification_id nowhere is not configured',
        'CONFIG_FILE relayers[2]: policies.min_balance must be a JSON integer or a decimal string from 0 to 340282366920938463463374607431768211455',
        'CONFIG_FILE relayers[3]: network nowhere of type evm does not exist',
      ],
    ],
    [
      'endpoints that are too long to be stored',
      { ...CONTENT, relayers: [{ ...CONTENT.relayers[0], custom_rpc_urls: LONG_URLS }] },
      ['CONFIG_FILE relayer cow-sepolia: custom_rpc_urls is too long as a whole'],
    ],
    [
      'malformed networks',
      {
        networks: [
          { network: 'x', type: 'evm', chain_id: 1 },
          { network: '', type: 'cosmos' },
        ],
      },
      [
        'CONFIG_FILE networks[1].network must be 1 to 64 lower-case letters, digits or dashes',
        'CONFIG_FILE networks[1].type must be one of evm, solana, stellar',
      ],
    ],
  ])('stops the start on %s, and creates nothing', async (_what, content, faults) => {
    write(content);
    await expect(TestApplication.start(database, settings)).rejects.toMatchObject({ faults });
    write({});
    const service = await start();
    expect((await service.get('/api/v1/relayers')).body.data).toEqual([]);
    expect((await service.get('/api/v1/notifications')).body.data).toEqual([]);
    await service.close();
  });

  it('stops the start when CONFIG_FILE does not exist', async () => {
    settings.CONFIG_FILE = join(folder, 'missing.json');
    await expect(TestApplication.start(database, settings)).rejects.toMatchObject({
      faults: [`CONFIG_FILE ${join(folder, 'missing.json')} cannot be read: it does not exist`],
    });
  });

  it('stops the start when the storage key is not the one that the database was written with', async () => {
    await (await start()).close();
    settings.STORAGE_ENCRYPTION_KEY = storageKey(2);
    await expect(TestApplication.start(database, settings)).rejects.toMatchObject({
      faults: [
        expect.stringMatching(
          /^STORAGE_ENCRYPTION_KEY lacks a key that this database was written with: signers\.secret of row cow names the key /,
        ),
      ],
    });
  });

  it('creates a demonstration relayer once, without a file and outside production', async () => {
    const demonstration = { ...settings, CONFIG_FILE: '', NODE_ENV: 'development' };
    const first = await TestApplication.start(database, demonstration);
    const { data } = (await first.get('/api/v1/relayers')).body;
    expect(data).toEqual([expect.objectContaining({ id: 'demo', network_type: 'evm', paused: false })]);
    expect((await first.post('/api/v1/relayers/demo/sign-typed-data', HASHES)).status).toBe(200);
    await first.close();
    const second = await TestApplication.start(database, demonstration);
    expect((await second.get('/api/v1/relayers')).body.data).toEqual(data);
    for (const path of ['relayers', 'signers'])
      expect((await second.call({ method: 'DELETE', path: `/api/v1/${path}/demo` })).status).toBe(200);
    await second.post('/api/v1/signing/freeze', { reason: 'INC-142' });
    await second.close();
    const frozen = await TestApplication.start(database, demonstration);
    expect((await frozen.get('/api/v1/relayers')).body.data).toEqual([]);
    await frozen.close();
  });

  it('creates no demonstration relayer in production', async () => {
    const service = await TestApplication.start(database, { ...settings, CONFIG_FILE: '' });
    expect((await service.get('/api/v1/relayers')).body.data).toEqual([]);
    await service.close();
  });
});
