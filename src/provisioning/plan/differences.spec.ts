import { Secret } from '../../common/secrets/secret';
import { toNewNetwork } from '../../networks/new-network';
import type { NetworkFields } from '../../networks/dto/network-fields.dto';
import type { NotificationEntity } from '../../notifications/notification.entity';
import type { RelayerEntity } from '../../relayers/relayer.entity';
import type { ConfiguredNotificationDto, ConfiguredRelayerDto } from '../file/config-file.dto';
import { networkDifferences, notificationDifferences, relayerDifferences } from './differences';

const configuredRelayer = (change: Partial<ConfiguredRelayerDto> = {}): ConfiguredRelayerDto => ({
  id: 'treasury',
  name: 'Treasury',
  network: 'sepolia',
  network_type: 'evm',
  paused: false,
  signer_id: 'cow',
  group: 'payouts',
  notification_id: 'ops',
  policies: {
    whitelist_receivers: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
    min_balance: '7',
    gas_price_cap: null,
  },
  custom_rpc_urls: [{ url: 'https://rpc.example/v2' }],
  ...change,
});

const storedRelayer = (change: Partial<RelayerEntity> = {}): RelayerEntity => ({
  id: 'treasury',
  name: 'Treasury',
  network: 'sepolia',
  networkType: 'evm',
  address: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  chainId: '11155111',
  signerId: 'cow',
  group: 'payouts',
  notificationId: 'ops',
  paused: false,
  systemDisabled: true,
  disabledReason: null,
  customRpcUrls: 'v1.0123456789ab.AAAA',
  policies: { min_balance: 7, whitelist_receivers: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
  nextCheckAt: null,
  failedChecks: 0,
  lowBalance: false,
  revision: null,
  mac: null,
  createdAt: new Date(0),
  ...change,
});

const STORED_URLS = [{ url: 'https://rpc.example/v2', weight: 100 }];

describe('relayerDifferences', () => {
  it('finds none between equivalent settings', () => {
    expect(relayerDifferences(configuredRelayer(), storedRelayer(), STORED_URLS)).toEqual([]);
  });

  it.each<[string, Partial<ConfiguredRelayerDto>]>([
    ['name', { name: 'Other' }],
    ['network', { network: 'mainnet' }],
    ['signer_id', { signer_id: 'other' }],
    ['group', { group: null }],
    ['notification_id', { notification_id: null }],
    ['notification_id', { notification_id: undefined }],
    ['paused', { paused: true }],
    ['policies', { policies: null }],
    ['policies', { policies: { min_balance: 7 } }],
    ['custom_rpc_urls', { custom_rpc_urls: null }],
    ['custom_rpc_urls', { custom_rpc_urls: [] }],
    ['custom_rpc_urls', { custom_rpc_urls: [{ url: 'https://rpc.example/v2', weight: 99 }] }],
  ])('names %s if the file has %j', (field, change) => {
    expect(relayerDifferences(configuredRelayer(change), storedRelayer(), STORED_URLS)).toEqual([field]);
  });

  it('names the network type', () => {
    const configured = configuredRelayer({ network_type: 'solana', policies: null });
    expect(relayerDifferences(configured, storedRelayer({ policies: {} }), STORED_URLS)).toEqual([
      'network_type',
    ]);
  });

  it('names several fields', () => {
    expect(
      relayerDifferences(configuredRelayer({ name: 'x', paused: true }), storedRelayer(), undefined),
    ).toEqual(['name', 'paused', 'custom_rpc_urls']);
  });

  it('finds none if neither has custom endpoints', () => {
    expect(
      relayerDifferences(configuredRelayer({ custom_rpc_urls: undefined }), storedRelayer(), undefined),
    ).toEqual([]);
  });
});

describe('notificationDifferences', () => {
  const SECRETS = { url: 'https://ops.example/hook', signingKey: undefined };
  const configured = (change: Partial<ConfiguredNotificationDto>): ConfiguredNotificationDto => ({
    id: 'ops',
    type: 'webhook',
    url: 'https://ops.example/hook',
    signing_key: { type: 'env', value: 'WEBHOOK_KEY' },
    ...change,
  });
  const stored = (change: Partial<NotificationEntity>): NotificationEntity => ({
    id: 'ops',
    type: 'webhook',
    url: 'v1.0123456789ab.AAAA',
    signingKey: 'v1.0123456789ab.AAAA',
    events: null,
    isSubscriber: false,
    previousSigningKey: null,
    previousKeyUntil: null,
    failingSince: null,
    lastFailedAt: null,
    switchedOffAt: null,
    deletedAt: null,
    formerHost: null,
    mac: null,
    createdAt: new Date(0),
    ...change,
  });

  it.each<[string[], Partial<ConfiguredNotificationDto>, Partial<NotificationEntity>]>([
    [[], {}, {}],
    [['url'], { url: 'https://ops.example/other' }, {}],
    [['signing_key'], { signing_key: null }, {}],
    [['signing_key'], {}, { signingKey: null }],
    [[], { signing_key: undefined }, { signingKey: null }],
    [['url', 'signing_key'], { url: 'http://ops.example', signing_key: undefined }, {}],
  ])('names %j', (fields, file, row) => {
    expect(notificationDifferences(configured(file), stored(row), SECRETS, undefined)).toEqual(fields);
  });

  it.each<[string[], configured: string | undefined, stored: string | undefined]>([
    [[], 'the key', 'the key'],
    [['signing_key'], 'another key', 'the key'],
    [[], undefined, 'the key'],
    [[], 'the key', undefined],
  ])('names %j if the key is %s in the file, and %s in the database', (fields, inFile, inDatabase) => {
    const signingKey = inDatabase === undefined ? undefined : new Secret(inDatabase);
    const key = inFile === undefined ? undefined : new Secret(inFile);
    const secrets = { ...SECRETS, signingKey };
    expect(notificationDifferences(configured({}), stored({}), secrets, key)).toEqual(fields);
  });
});

describe('networkDifferences', () => {
  const SAID: NetworkFields = {
    chain_id: 10,
    symbol: 'ETH',
    features: ['eip1559'],
    rpc_urls: [{ url: 'https://rpc.example' }],
    private_rpc_urls: [{ url: 'https://private.example' }],
    private_fallback_blocks: 25,
    fees: { min_priority_fee: 1 },
  };
  const URLS = {
    rpcUrls: [{ url: 'https://rpc.example', weight: 100 }],
    privateRpcUrls: [{ url: 'https://private.example', weight: 100 }],
  };

  it.each<[string[], NetworkFields]>([
    [[], {}],
    [['chain_id'], { chain_id: 11 }],
    [['symbol'], { symbol: null }],
    [['features', 'tags'], { features: [], tags: ['rollup'] }],
    [['rpc_urls'], { rpc_urls: [{ url: 'https://rpc.example', weight: 1 }] }],
    [['rpc_urls'], { rpc_urls: null }],
    [['private_rpc_urls'], { private_rpc_urls: [] }],
    [['private_fallback_blocks'], { private_fallback_blocks: 26 }],
    [['fees'], { fees: { min_priority_fee: 2 } }],
    [['fees'], { fees: null }],
    [
      ['required_confirmations', 'average_blocktime_ms', 'is_testnet', 'explorer_urls'],
      {
        required_confirmations: 0,
        average_blocktime_ms: 1,
        is_testnet: false,
        explorer_urls: ['https://e.example'],
      },
    ],
  ])('names %j', (fields, change) => {
    const stored = {
      ...toNewNetwork('evm', 'x', SAID),
      rpcUrls: 'v1.sealed',
      privateRpcUrls: 'v1.sealed',
      mac: null,
      createdBy: null,
      createdAt: new Date(0),
    };
    const configured = toNewNetwork('evm', 'x', { ...SAID, ...change });
    expect(networkDifferences(configured, stored, URLS)).toEqual(fields);
  });

  it('names the fields that only Stellar networks have', () => {
    const stored = {
      ...toNewNetwork('stellar', 'x', {}),
      ...{ rpcUrls: null, privateRpcUrls: null, mac: null, createdBy: null, createdAt: new Date(0) },
    };
    const configured = toNewNetwork('stellar', 'x', { passphrase: 'p', horizon_url: 'https://h.example' });
    expect(networkDifferences(configured, stored, { rpcUrls: [], privateRpcUrls: [] })).toEqual([
      'passphrase',
      'horizon_url',
    ]);
  });
});
