import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../common/secrets/secret';
import { parseConfigFile } from '../provisioning/file/config-file';
import { checkConfiguredItems, NOTHING_STORED, type StoredItems } from './configured-items';

const OK = 'variables, files and items that it names exist; only a start opens new keys';
const VARIABLES: Record<string, string> = {
  PASSPHRASE: 'correct horse',
  SHORT: 'short',
  KEY: 'k'.repeat(32),
};
const env = (value: string) => ({ type: 'env', value });

describe('checkConfiguredItems', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'doctor-items-'));
    writeFileSync(join(folder, 'keystore.json'), '{}');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const SIGNER = {
    id: 'treasury',
    type: 'local',
    config: { path: 'keystore.json', passphrase: env('PASSPHRASE') },
  };
  const WEBHOOK = {
    id: 'ops',
    type: 'webhook',
    url: 'https://hooks.example.com',
    signing_key: env('KEY'),
  };
  const RELAYER = {
    id: 'main',
    name: 'Main',
    network: 'sepolia',
    network_type: 'evm',
    paused: false,
    signer_id: 'treasury',
    notification_id: 'ops',
  };
  const VALID = { signers: [SIGNER], notifications: [WEBHOOK], relayers: [RELAYER] };

  const check = (content: object, stored: StoredItems = NOTHING_STORED) => {
    const secretVariable = (name: string) => {
      const value = VARIABLES[name];
      return value === undefined ? undefined : new Secret(value);
    };
    const file = parseConfigFile(JSON.stringify(content), join(folder, 'config.json'));
    return checkConfiguredItems(file, { secretVariable }, stored);
  };

  it('passes a file whose references exist, and says what it leaves to a start', async () => {
    expect(await check(VALID)).toEqual([{ check: 'configuration file', status: 'ok', detail: OK }]);
  });

  it.each<[change: object, fault: string]>([
    [
      { signers: [{ ...SIGNER, config: { ...SIGNER.config, passphrase: env('UNSET') } }] },
      'signers[0]: config.passphrase names the environment variable UNSET, which is not set',
    ],
    [
      { signers: [{ ...SIGNER, type: 'acme_hsm', config: { login: { pin: env('UNSET') } } }] },
      'signers[0]: config.login.pin names the environment variable UNSET, which is not set',
    ],
    [
      { signers: [{ ...SIGNER, config: { ...SIGNER.config, path: 'lost.json' } }] },
      'signers[0]: the file lost.json cannot be read: it does not exist',
    ],
    [
      { notifications: [{ ...WEBHOOK, signing_key: env('UNSET') }] },
      'notifications[0]: signing_key names the environment variable UNSET, which is not set',
    ],
    [
      { notifications: [{ ...WEBHOOK, signing_key: env('SHORT') }] },
      'notifications[0]: signing_key must be at least 32 bytes',
    ],
    [
      { relayers: [{ ...RELAYER, network: 'nowhere' }] },
      'relayers[0]: network nowhere of type evm does not exist',
    ],
    [{ notifications: [] }, 'relayers[0]: notification_id ops is not configured'],
    [{ signers: [] }, 'relayers[0]: signer_id treasury is not configured'],
    [
      { relayers: [{ ...RELAYER, policies: { top_up: { from_relayer: 'main', below: '1', to: '2' } } }] },
      'relayers[0]: policies.top_up.from_relayer must be another relayer',
    ],
  ])('reports %j', async (change, fault) => {
    expect(await check({ ...VALID, ...change })).toEqual([
      {
        check: 'configuration file',
        status: 'problem',
        detail: `CONFIG_FILE ${fault}`,
        advice: expect.stringContaining('a start would fail') as string,
      },
    ]);
  });

  it('needs nothing for items that are stored', async () => {
    const yes = { exists: () => Promise.resolve(true) };
    const stored = { signers: yes, notifications: yes, networks: yes, relayers: yes };
    const content = {
      signers: [{ ...SIGNER, config: { path: 'lost.json', passphrase: env('UNSET') } }],
      notifications: [{ ...WEBHOOK, signing_key: env('UNSET') }],
      relayers: [{ ...RELAYER, signer_id: 'gone' }],
    };
    expect(await check(content, stored)).toMatchObject([{ status: 'ok' }]);
    const reference = [{ ...RELAYER, network: 'own-net', signer_id: 'older', notification_id: 'older' }];
    expect(
      await check({ relayers: reference }, { ...stored, relayers: NOTHING_STORED.relayers }),
    ).toMatchObject([{ status: 'ok' }]);
  });
});
