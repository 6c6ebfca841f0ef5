import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/configuration-error';
import { parseConfigFile, readConfigFile } from './config-file';

const SIGNER = {
  id: 'cow',
  type: 'local',
  config: { path: 'keys/cow.json', passphrase: { type: 'env', value: 'P' } },
};
const NOTIFICATION = {
  id: 'ops',
  type: 'webhook',
  url: 'https://ops.example/hook',
  signing_key: { type: 'env', value: 'WEBHOOK_KEY' },
};
const RELAYER = {
  id: 'treasury',
  name: 'Treasury',
  network: 'sepolia',
  network_type: 'evm',
  paused: false,
  signer_id: 'cow',
  notification_id: 'ops',
  policies: { min_balance: 1 },
  custom_rpc_urls: [{ url: 'https://rpc.example/v2', weight: 40 }],
};

const parse = (content: unknown) => parseConfigFile(JSON.stringify(content), 'config.json');

function faultsOf(text: string): string[] {
  try {
    parseConfigFile(text, 'config.json');
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

const faults = (content: unknown): string[] => faultsOf(JSON.stringify(content));

describe('parseConfigFile', () => {
  it('reads a whole file', () => {
    const file = parse({
      signers: [SIGNER],
      notifications: [NOTIFICATION],
      relayers: [RELAYER],
      networks: [{ network: 'sepolia', type: 'evm', chain_id: 11155111 }],
      plugins: [{ id: 'x' }],
    });
    expect(JSON.parse(JSON.stringify(file))).toEqual({
      path: 'config.json',
      networks: [
        { place: 'networks[0]', definition: { network: 'sepolia', type: 'evm', chain_id: 11155111 } },
      ],
      signers: [SIGNER],
      notifications: [NOTIFICATION],
      relayers: [RELAYER],
      hasPlugins: true,
    });
  });

  it.each([
    [{}, { networksFolder: null }],
    [{ signers: [], notifications: [], relayers: [], networks: [], plugins: [] }, {}],
    [
      { signers: null, notifications: null, relayers: null, networks: null, plugins: null },
      { networksFolder: null },
    ],
    [{ networks: './config/networks' }, { networksFolder: './config/networks' }],
  ])('reads %j, which configures nothing', (content, folder) => {
    expect(parse(content)).toEqual({
      path: 'config.json',
      networks: [],
      ...folder,
      signers: [],
      notifications: [],
      relayers: [],
      hasPlugins: false,
    });
  });

  it('accepts optional fields of relayers and notifications as absent or null', () => {
    const { notification_id, policies, custom_rpc_urls, ...bare } = RELAYER;
    expect([notification_id, policies, custom_rpc_urls]).not.toContain(undefined);
    const nulled = { ...bare, id: 'b', notification_id: null, policies: null, custom_rpc_urls: null };
    expect(parse({ relayers: [bare, nulled] }).relayers).toHaveLength(2);
    expect(parse({ notifications: [{ ...NOTIFICATION, signing_key: null }] }).notifications).toHaveLength(1);
  });

  it('accepts a plain string as an endpoint', () => {
    const custom_rpc_urls = [
      'https://a.example',
      { url: 'https://b.example' },
      { url: 'https://c.example', weight: 0 },
    ];
    expect(parse({ relayers: [{ ...RELAYER, custom_rpc_urls }] }).relayers[0]?.custom_rpc_urls).toEqual([
      { url: 'https://a.example' },
      { url: 'https://b.example' },
      { url: 'https://c.example', weight: 0 },
    ]);
  });

  it.each([
    ['', 'CONFIG_FILE the file is not valid JSON: line 1, column 1'],
    ['{"signers":\n  [,', 'CONFIG_FILE the file is not valid JSON: line 2, column 4'],
    ['[]', 'CONFIG_FILE must hold a JSON object'],
    ['null', 'CONFIG_FILE must hold a JSON object'],
    ['"text"', 'CONFIG_FILE must hold a JSON object'],
    ['{"signers":[],"signers":[]}', 'CONFIG_FILE signers is given more than once'],
    [
      '{"relayers":[{"policies":{"min_balance":9007199254740993}}]}',
      expect.stringMatching(/^CONFIG_FILE relayers\[0\]\.policies\.min_balance is a number /),
    ],
    ['['.repeat(65) + ']'.repeat(65), 'CONFIG_FILE the file nests deeper than 64 levels'],
  ])('refuses the text %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('reports all faults with their paths', () => {
    expect(
      faults({
        signers: [
          { ...SIGNER, id: 'c o w' },
          { id: 'x', type: 'local' },
        ],
        notifications: [
          { ...NOTIFICATION, url: 'ftp://ops.example' },
          { ...NOTIFICATION, id: 'two', type: 'mail', signing_key: { type: 'file', value: '' } },
        ],
        relayers: [
          { ...RELAYER, paused: 'no', network_type: 'bitcoin', colour: 1 },
          {
            ...RELAYER,
            id: 'two',
            custom_rpc_urls: ['rpc.example', { url: 'https://rpc.example', weight: 101 }],
          },
        ],
        extra: true,
      }),
    ).toEqual([
      'CONFIG_FILE extra is not a known field',
      'CONFIG_FILE signers[0].id must be 1 to 36 letters, digits, dashes or underscores',
      'CONFIG_FILE signers[1].config must be an object',
      'CONFIG_FILE notifications[0].url must be an http or https URL of at most 2048 characters, without user name or password',
      'CONFIG_FILE notifications[1].type must be webhook',
      'CONFIG_FILE notifications[1].signing_key.type must be env or plain',
      'CONFIG_FILE notifications[1].signing_key.value must be a string of 1 to 4096 characters without control characters',
      'CONFIG_FILE relayers[0].colour is not a known field',
      'CONFIG_FILE relayers[0].network_type must be one of evm, solana, stellar',
      'CONFIG_FILE relayers[0].paused must be a boolean value',
      'CONFIG_FILE relayers[1].custom_rpc_urls[0].url must be an http or https URL of at most 2048 characters',
      'CONFIG_FILE relayers[1].custom_rpc_urls[1].weight must not be greater than 100',
    ]);
  });

  it.each(['signers', 'notifications', 'relayers'])('refuses items of %s that are not objects', (section) => {
    for (const items of [[null], ['x'], [5], [[]], 'x', {}, 5]) {
      const found = faults({ [section]: items });
      expect(found.length).toBeGreaterThan(0);
      for (const fault of found) expect(fault).toMatch(new RegExp(`^CONFIG_FILE .*\\b${section}\\b`));
    }
  });

  it('refuses endpoints that are neither strings nor objects', () => {
    expect(faults({ relayers: [{ ...RELAYER, custom_rpc_urls: ['https://rpc.example', 7] }] })).toEqual([
      'CONFIG_FILE each item of relayers[0].custom_rpc_urls must be a URL or an object with url and weight',
    ]);
  });

  it('refuses duplicate ids', () => {
    expect(
      faults({
        signers: [SIGNER, { ...SIGNER, id: 'other' }, SIGNER, SIGNER],
        notifications: [NOTIFICATION, NOTIFICATION],
        relayers: [RELAYER, { ...RELAYER, id: 'cow' }, RELAYER],
      }),
    ).toEqual([
      'CONFIG_FILE signers[2].id is given more than once',
      'CONFIG_FILE signers[3].id is given more than once',
      'CONFIG_FILE notifications[1].id is given more than once',
      'CONFIG_FILE relayers[2].id is given more than once',
    ]);
  });

  it('does not treat missing ids as duplicates', () => {
    const { id, ...nameless } = NOTIFICATION;
    expect(id).toBe('ops');
    expect(faults({ notifications: [nameless, nameless] })).toEqual([
      'CONFIG_FILE notifications[0].id must be 1 to 36 letters, digits, dashes or underscores',
      'CONFIG_FILE notifications[1].id must be 1 to 36 letters, digits, dashes or underscores',
    ]);
  });

  it.each([
    [5, ['networks must be an array or the path of a folder']],
    [{}, ['networks must be an array or the path of a folder']],
    [['sepolia'], ['networks[0] must be an object']],
    [[null], ['networks[0] must be an object']],
    [
      [{ network: 'a', type: 'evm' }, { type: 'evm' }],
      ['networks[1].network must be 1 to 64 lower-case letters, digits or dashes'],
    ],
    [
      [{ network: '', type: 'bitcoin' }],
      [
        'networks[0].network must be 1 to 64 lower-case letters, digits or dashes',
        'networks[0].type must be one of evm, solana, stellar',
      ],
    ],
  ])('refuses the networks %j', (networks, expected) => {
    expect(faults({ networks })).toEqual(expected.map((fault) => `CONFIG_FILE ${fault}`));
  });

  it('does not reveal values', () => {
    const secret = { type: 's3cret', value: 's3cret\n' };
    expect(
      faults({ notifications: [{ ...NOTIFICATION, url: 's3cret', signing_key: secret }] }).join(),
    ).not.toContain('s3cret');
  });
});

describe('readConfigFile', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'config-file-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('reads the file', async () => {
    const path = join(directory, 'config.json');
    writeFileSync(path, JSON.stringify({ signers: [SIGNER] }));
    expect(await readConfigFile({ path, required: true })).toMatchObject({ path, signers: [{ id: 'cow' }] });
  });

  it('reads a file with a byte order mark, as Windows editors write it', async () => {
    const path = join(directory, 'config.json');
    const networks = [{ network: 'sepolia', type: 'evm', chain_id: 11155111 }];
    mkdirSync(join(directory, 'networks'));
    writeFileSync(join(directory, 'networks/all.json'), `\uFEFF${JSON.stringify({ networks })}`);
    writeFileSync(path, `\uFEFF${JSON.stringify({ signers: [SIGNER], networks: 'networks' })}`);
    expect(await readConfigFile({ path, required: true })).toMatchObject({
      signers: [{ id: 'cow' }],
      networks: [{ definition: { network: 'sepolia' } }],
    });
  });

  it('returns undefined if an optional file is missing', async () => {
    expect(await readConfigFile({ path: join(directory, 'none.json'), required: false })).toBeUndefined();
  });

  it('fails if a required file is missing', async () => {
    const path = join(directory, 'none.json');
    await expect(readConfigFile({ path, required: true })).rejects.toMatchObject({
      faults: [`CONFIG_FILE ${path} cannot be read: it does not exist`],
    });
  });

  it('fails if an optional file exists but cannot be read', async () => {
    await expect(readConfigFile({ path: directory, required: false })).rejects.toBeInstanceOf(
      ConfigurationError,
    );
  });
});
