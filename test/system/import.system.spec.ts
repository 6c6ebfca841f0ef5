import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJson } from 'ethers';
import { TestApplication } from '../support/application';
import { COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { apiKey, storageKey } from '../support/keys';

const IMPORT = join(__dirname, '../../dist/commands/import.js');
const PASSPHRASE = 'correct horse battery staple';
const SIGNING_KEY = 'webhook-signing-key-0123456789abcdef';
const relayer = (id: string, changes: object = {}): object => ({
  id,
  name: id,
  network: 'private-chain',
  paused: false,
  signer_id: 'cow',
  network_type: 'evm',
  ...changes,
});

/** A configuration folder of a user of the peer, with some entries that cannot be imported. */
const CONTENT = {
  relayers: [
    relayer('good', {
      notification_id: 'ops',
      policies: { min_balance: 5 },
      custom_rpc_urls: ['https://rpc.example.com'],
    }),
    relayer('second', { network: 'sepolia' }),
    relayer('lost', { signer_id: 'turnkey', network: 'mainnet' }),
    relayer('nowhere', { network: 'atlantis' }),
    relayer('greedy', { network: 'mainnet', policies: { min_balance: -1 } }),
    relayer('third'),
    relayer('fourth', { signer_id: 'cow-again' }),
  ],
  signers: [
    {
      id: 'cow',
      type: 'local',
      config: { path: 'config/keys/cow.json', passphrase: { type: 'env', value: 'KEYSTORE_PASSPHRASE' } },
    },
    {
      id: 'cow-again',
      type: 'local',
      config: { path: 'config/keys/cow.json', passphrase: { type: 'env', value: 'KEYSTORE_PASSPHRASE' } },
    },
    { id: 'turnkey', type: 'turnkey', config: {} },
    { id: 'lost key', type: 'local', config: {} },
  ],
  notifications: [
    {
      id: 'ops',
      type: 'webhook',
      url: 'https://hooks.example.com',
      signing_key: { type: 'plain', value: SIGNING_KEY },
    },
    { id: 'bad', type: 'webhook', url: 'ftp://hooks.example.com' },
  ],
  networks: './config/networks',
  plugins: [],
};
const NETWORKS = {
  networks: [
    {
      type: 'evm',
      network: 'private-chain',
      chain_id: 4242,
      symbol: 'ETH',
      rpc_urls: ['http://127.0.0.1:1'],
      is_testnet: true,
    },
    { type: 'evm', network: 'broken', chain_id: -1 },
    { type: 'evm', network: 'mainnet', from: 'mainnet' },
    { type: 'evm', network: 'sepolia', from: 'sepolia' },
  ],
};

describeOnDatabases('npm run import', (createDatabase) => {
  let database: TestDatabase;
  let root: string;
  const keys = { API_KEY: apiKey('import'), STORAGE_ENCRYPTION_KEY: storageKey(3) };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'relayer-import-'));
    mkdirSync(join(root, 'config/keys'), { recursive: true });
    mkdirSync(join(root, 'config/networks'));
    const keystore = await encryptKeystoreJson(
      { address: COW_ADDRESS, privateKey: `0x${COW_KEY}` },
      PASSPHRASE,
      {
        scrypt: { N: 1024, r: 8, p: 1 },
      },
    );
    writeFileSync(join(root, 'config/keys/cow.json'), keystore);
    writeFileSync(join(root, 'config/networks/private.json'), JSON.stringify(NETWORKS));
    writeFileSync(join(root, 'config/config.json'), JSON.stringify(CONTENT));
    database = await createDatabase();
  });

  afterAll(async () => {
    await database.drop();
    rmSync(root, { recursive: true });
  });

  const run = (...args: string[]): Promise<{ code: number; lines: string[]; errors: string }> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        DATABASE_URL: database.url,
        KEYSTORE_PASSPHRASE: PASSPHRASE,
        ...keys,
      };
      const child = execFile(
        process.execPath,
        [IMPORT, ...args],
        { cwd: tmpdir(), env },
        (_error, stdout, stderr) => {
          for (const secret of [PASSPHRASE, SIGNING_KEY, COW_KEY, ...Object.values(keys)]) {
            expect(stdout + stderr).not.toContain(secret);
          }
          resolve({ code: child.exitCode ?? -1, lines: stdout.trim().split('\n'), errors: stderr.trim() });
        },
      );
    });

  const REFUSED = [
    'refused      network      networks/private.json[1].chain_id: must not be less than 1',
    'refused      signer       turnkey: type must be one of aws_kms, azure_key_vault, google_cloud_kms, keystore, local, plain, vault',
    'refused      signer       lost key: id must be 1 to 36 letters, digits, dashes or underscores',
    'refused      notification bad: url must be an http or https URL of at most 2048 characters, without user name or password',
    'refused      relayer      lost: signer_id turnkey: this signer of the folder was refused',
    'refused      relayer      nowhere: network atlantis is not among the accepted ones of the folder, of which some were refused',
    'refused      relayer      greedy: policies.min_balance must be a JSON integer or a decimal string from 0 to 340282366920938463463374607431768211455',
    "refused      relayer      third: Signer 'cow' already serves a relayer on network 'private-chain': a signer serves one relayer per network",
    `refused      relayer      fourth: Relayer 'good' already has account ${COW_ADDRESS} on chain id 4242: an account has one relayer, whichever network or signer leads to it`,
  ];

  it('reports in a dry run what it would create, and stores nothing', async () => {
    const { code, lines } = await run(join(root, 'config'), '--dry-run');
    expect(lines).toEqual(
      expect.arrayContaining([
        'would create network      evm:private-chain',
        'would create signer       cow',
        'would create notification ops',
        'would create relayer      good',
        'would create relayer      second',
        ...REFUSED,
      ]),
    );
    expect(lines.at(-1)).toBe('8 would be created, 0 already present, 9 refused');
    expect(code).toBe(1);
  });

  it('creates the valid entries, and reports why it refused the rest', async () => {
    const { code, lines } = await run(join(root, 'config'));
    expect(lines).toEqual(
      expect.arrayContaining(['created      signer       cow', 'created      relayer      good', ...REFUSED]),
    );
    expect(lines.at(-1)).toBe('8 created, 0 already present, 9 refused');
    expect(code).toBe(1);

    const service = await TestApplication.start(database, keys);
    for (const secret of [PASSPHRASE, SIGNING_KEY, COW_KEY]) service.keepSecret(secret);
    const { data } = (await service.get('/api/v1/relayers')).body;
    expect(data).toEqual([
      expect.objectContaining({
        id: 'good',
        address: COW_ADDRESS,
        network: 'private-chain',
        notification_id: 'ops',
      }),
      expect.objectContaining({ id: 'second', network: 'sepolia' }),
    ]);
    const hashes = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
    expect((await service.post('/api/v1/relayers/good/sign-typed-data', hashes)).status).toBe(200);
    await service.close();
  });

  it('reports created entries as present the second time', async () => {
    const { lines } = await run(join(root, 'config'));
    expect(lines).toEqual(
      expect.arrayContaining(['present      signer       cow', 'present      relayer      good']),
    );
    expect(lines.at(-1)).toMatch(/^0 created, 8 already present, 9 refused$/);
  });

  it('creates no relayer with what is stored under the name of something that it refused', async () => {
    mkdirSync(join(root, 'mixed'));
    const importMixed = async (correct: boolean, ...args: string[]) => {
      const content = {
        networks: [
          { type: 'evm', network: 'mainnet', from: 'mainnet' },
          { type: 'evm', network: 'sepolia', ...(correct ? { from: 'sepolia' } : { chain_id: -1 }) },
        ],
        signers: [
          correct ? CONTENT.signers[0] : { id: 'cow', kind: 'local', config: {} },
          { id: 'hat', type: 'plain', config: { key: { type: 'plain', value: '0b'.repeat(32) } } },
        ],
        notifications: [
          { id: 'ops', type: 'webhook', url: `${correct ? 'https' : 'ftp'}://hooks.example.com` },
        ],
        relayers: [
          relayer('good'),
          relayer('by-signer', { network: 'mainnet' }),
          relayer('by-notification', { network: 'mainnet', signer_id: 'hat', notification_id: 'ops' }),
          relayer('by-network', { network: 'sepolia', signer_id: 'hat' }),
        ],
      };
      writeFileSync(join(root, 'mixed/config.json'), JSON.stringify(content));
      const { lines } = await run(join(root, 'mixed'), ...args);
      return lines.filter((line) => line.includes(' relayer '));
    };
    const refused = [
      'present      relayer      good',
      'refused      relayer      by-signer: signer_id cow: this signer of the folder was refused',
      'refused      relayer      by-notification: notification_id ops: this notification of the folder was refused',
      'refused      relayer      by-network: network sepolia is not among the accepted ones of the folder, of which some were refused',
    ];
    expect(await importMixed(false, '--dry-run')).toEqual(refused);
    expect(await importMixed(false)).toEqual(refused);
    expect(await importMixed(true)).toEqual([
      'present      relayer      good',
      'created      relayer      by-signer',
      'created      relayer      by-notification',
      'created      relayer      by-network',
    ]);
  });

  it('refuses sections that are not lists instead of ignoring them', async () => {
    mkdirSync(join(root, 'odd'));
    const file = join(root, 'odd/config.json');
    writeFileSync(
      file,
      JSON.stringify({ relayers: { good: relayer('good') }, signers: 'cow', networks: [] }),
    );
    expect(await run(join(root, 'odd'))).toMatchObject({
      code: 1,
      lines: [
        'refused      signer       signers: must be an array',
        'refused      relayer      relayers: must be an array',
        '0 created, 0 already present, 2 refused',
      ],
    });
    writeFileSync(file, JSON.stringify([relayer('good')]));
    expect(await run(join(root, 'odd'))).toMatchObject({
      code: 1,
      errors: `${file}: must hold a JSON object`,
    });
  });

  it('prints no control characters of the file, which could imitate lines', async () => {
    mkdirSync(join(root, 'sly'));
    const path = 'x\n\u001b[1Acreated      signer       vault\u202e\u2028';
    const sly = { type: 'local', config: { path, passphrase: { type: 'plain', value: 'x' } } };
    const content = { networks: [], signers: [{ id: 'a', ...sly }, { id: 'b\u001b[31m' }], relayers: [7] };
    writeFileSync(join(root, 'sly/config.json'), JSON.stringify(content));
    expect((await run(join(root, 'sly'))).lines).toEqual([
      'refused      signer       a: the file x\ufffd\ufffd[1Acreated      signer       vault\ufffd\ufffd cannot be read: it does not exist',
      'refused      signer       b\ufffd[31m: id must be 1 to 36 letters, digits, dashes or underscores; type must be a string of 1 to 32 characters without control characters; config must be an object',
      'refused      relayer      relayers[0]: each item of relayers must be an object',
      '0 created, 0 already present, 3 refused',
    ]);
  });

  it.each([
    [[], 'Usage: npm run import -- <configuration folder> [--dry-run]'],
    [['a', 'b'], 'Usage: npm run import -- <configuration folder> [--dry-run]'],
    [['/nowhere'], '/nowhere/config.json: cannot be read'],
  ])('reports why it refuses the arguments %j', async (args, error) => {
    expect(await run(...args)).toMatchObject({ code: 1, errors: error });
  });
});
