import type { ConfigService } from '@nestjs/config';
import { type DomainError, invalidRequest } from '../../common/errors/domain-error';
import { Secret } from '../../common/secrets/secret';
import type { AppConfig } from '../../config/app-config';
import type { UnitOfWork } from '../../database/unit-of-work';
import { BUILT_IN_NETWORKS } from '../../networks/built-in-networks';
import type { NetworksService } from '../../networks/networks.service';
import type { NotificationsService } from '../../notifications/notifications.service';
import { RelayerAccounts } from '../../relayers/relayer-accounts';
import { accountInUse, relayerExists } from '../../relayers/relayer.errors';
import type { FormerRelayers } from '../../relayers/former-relayers';
import type { NewRelayerApprovals } from '../../relayers/new-relayer-approvals';
import type { RelayersService } from '../../relayers/relayers.service';
import { signingFrozen } from '../../freeze/signing-freeze.errors';
import { signerFailure } from '../../signers/signer-failure';
import { SignerUnsuitableError } from '../../signers/signer-provider';
import type { SignerKeys } from '../../signers/opening/signer-keys';
import type { SignerPreparation } from '../../signers/opening/signer-preparation';
import type { SignersService } from '../../signers/signers.service';
import { parseConfigFile } from '../file/config-file';
import { ConfiguredSigners } from './configured-signers';
import { NetworkPlanner } from './network-planner';
import { ProvisioningPlanner } from './planner';
import { RelayerConflicts } from './relayer-conflicts';
import type { ProvisioningPlan } from './provisioning-plan';

const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const WEBHOOK_KEY = 'a webhook key of thirty-two bytes';
const PREPARED = {
  kind: 'local',
  material: { settings: {}, secret: new Secret('00'.repeat(32)) },
  identity: { address: ADDRESS, publicKey: '0x04' },
};

/** The content of the database, by id. */
interface Stored {
  networks?: string[];
  signers?: string[];
  /** The address of its signers; by default, that of signers in the file. */
  address?: string;
  notifications?: string[];
  relayers?: string[];
  /** The reason why the database would refuse a relayer. */
  conflict?: DomainError;
  /** The chain ids and ids of relayers that only requests may create. */
  withheld?: string[];
}

const CHAIN_IDS: Record<string, string | null> = {
  'evm:sepolia': '11155111',
  'evm:twin': '11155111',
  'evm:bare': null,
};

/** Why the keys of other kinds cannot be used now. */
const FAULTS: Record<string, DomainError> = {
  frozen: signingFrozen('incident'),
  slow: signerFailure('timeout'),
  refusing: signerFailure('refused'),
};

function plan(
  content: object,
  { networks: named = ['evm:sepolia', 'solana:devnet'], ...stored }: Stored = {},
): Promise<ProvisioningPlan> {
  const finder =
    (ids: string[] = []) =>
    (id: string) =>
      Promise.resolve(ids.includes(id) ? { id } : null);
  const knows =
    (ids: string[] = []) =>
    (id: string) =>
      Promise.resolve(ids.includes(id));
  const derive = (networkType: string): Promise<string> =>
    networkType === 'evm'
      ? Promise.resolve(ADDRESS)
      : Promise.reject(new SignerUnsuitableError('local', 'solana'));
  const signers = {
    find: finder(stored.signers),
    exists: knows(stored.signers),
  };
  const preparation = {
    prepare: (kind: string) =>
      kind === 'local'
        ? Promise.resolve({ ...PREPARED, material: { settings: {}, secret: new Secret('00'.repeat(32)) } })
        : Promise.reject(FAULTS[kind] ?? invalidRequest('type must be one of local')),
    addressOf: (_signer: unknown, networkType: string) => derive(networkType),
  };
  const variables: Record<string, Secret> = {
    WEBHOOK_KEY: new Secret(WEBHOOK_KEY),
    SHORT: new Secret('s3cret'),
    NO_BASE64: new Secret('whsec_ of thirty-two bytes, and no base64'),
  };
  const networks = {
    find: (id: string) => Promise.resolve(named.includes(id) ? { id, chainId: CHAIN_IDS[id] ?? null } : null),
    exists: knows(named),
    findIntact: () => Promise.resolve({ intact: [], altered: [] }),
  } as unknown as NetworksService;
  const seeds = [...BUILT_IN_NETWORKS.keys()].map((id) => ({ id }));
  const unitOfWork = { repository: () => ({ find: () => Promise.resolve(seeds) }) } as unknown as UnitOfWork;
  const accounts = { conflictOf: () => Promise.resolve(stored.conflict) } as unknown as RelayerAccounts;
  const planner = new ProvisioningPlanner(
    { get: () => (name: string) => variables[name] } as unknown as ConfigService<AppConfig, true>,
    new NetworkPlanner(networks, unitOfWork, accounts),
    networks,
    signers as unknown as SignersService,
    preparation as unknown as SignerPreparation,
    {
      addressOf: async (_signer: unknown, networkType: string) =>
        stored.address ?? (await derive(networkType)),
    } as unknown as SignerKeys,
    new ConfiguredSigners(preparation as unknown as SignerPreparation),
    { exists: knows(stored.notifications) } as unknown as NotificationsService,
    { exists: knows(stored.relayers) } as unknown as RelayersService,
    new RelayerConflicts(networks, accounts),
    { areNeededFor: () => Promise.resolve(true) } as unknown as NewRelayerApprovals,
    {
      lastDeletionBefore: ({ id, chainId }: Record<string, string>) =>
        Promise.resolve(stored.withheld?.includes(`${chainId}:${id}`) ? new Date() : null),
    } as unknown as FormerRelayers,
  );
  return planner.plan(parseConfigFile(JSON.stringify(content), 'config.json'));
}

const NO_NETWORKS = { configured: [], create: [], complete: [], seeds: [] };
const SIGNER = { id: 'cow', type: 'local', config: {} };
const NOTIFICATION = { id: 'ops', type: 'webhook', url: 'https://ops.example' };
const RELAYER = {
  id: 'treasury',
  name: 'Treasury',
  network: 'sepolia',
  network_type: 'evm',
  paused: false,
  signer_id: 'cow',
};

const faultsOf = async (content: object, stored?: Stored): Promise<unknown> => {
  const error: unknown = await plan(content, stored).catch((reason: unknown) => reason);
  return (error as { faults?: unknown }).faults;
};

describe('ProvisioningPlanner', () => {
  it('plans everything that does not exist yet', async () => {
    const relayer = {
      ...RELAYER,
      notification_id: 'ops',
      policies: { min_balance: '5' },
      custom_rpc_urls: ['http://rpc'],
    };
    const signing_key = { type: 'env', value: 'WEBHOOK_KEY' };
    expect(
      await plan({
        signers: [SIGNER],
        notifications: [{ ...NOTIFICATION, signing_key }],
        relayers: [relayer],
      }),
    ).toEqual({
      networks: NO_NETWORKS,
      signers: [{ id: 'cow', ...PREPARED }],
      notifications: [{ ...NOTIFICATION, signing_key: WEBHOOK_KEY }],
      relayers: [
        {
          id: 'treasury',
          name: 'Treasury',
          network: 'sepolia',
          networkType: 'evm',
          address: ADDRESS,
          signerId: 'cow',
          group: null,
          notificationId: 'ops',
          paused: false,
          customRpcUrls: [{ url: 'http://rpc', weight: 100 }],
          policies: { min_balance: 5 },
        },
      ],
      withheld: [],
    });
  });

  it('plans nothing that already exists', async () => {
    expect(
      await plan(
        { signers: [SIGNER], notifications: [NOTIFICATION], relayers: [RELAYER] },
        { signers: ['cow'], notifications: ['ops'], relayers: ['treasury'] },
      ),
    ).toEqual({ networks: NO_NETWORKS, signers: [], notifications: [], relayers: [], withheld: [] });
  });

  it('accepts a relayer that refers to a stored signer and notification', async () => {
    const { relayers } = await plan(
      { relayers: [{ ...RELAYER, notification_id: 'ops' }] },
      { signers: ['cow'], notifications: ['ops'] },
    );
    expect(relayers).toMatchObject([{ address: ADDRESS, notificationId: 'ops' }]);
  });

  it('accepts a new relayer with a stored signer of the file only if their keys are the same', async () => {
    const content = { signers: [SIGNER], relayers: [RELAYER] };
    const { relayers } = await plan(content, { signers: ['cow'] });
    expect(relayers).toMatchObject([{ address: ADDRESS }]);
    const other = '0x0000000000000000000000000000000000000001';
    await expect(plan(content, { signers: ['cow'], address: other })).rejects.toThrow(
      `signer_id cow is stored with another key: its address is ${other}, and that of the file ${ADDRESS}`,
    );
    // Existing relayers do not get another signer.
    await plan(content, { signers: ['cow'], address: other, relayers: ['treasury'] });
  });

  it('uses a stored signer whose key in the file cannot be used any more', async () => {
    for (const type of ['hsm', 'refusing']) {
      const content = { signers: [{ ...SIGNER, type }], relayers: [RELAYER] };
      const { relayers } = await plan(content, { signers: ['cow'] });
      expect(relayers).toMatchObject([{ address: ADDRESS }]);
    }
  });

  it('uses no stored signer while its key in the file only cannot be used now', async () => {
    const content = (type: string) => ({ signers: [{ ...SIGNER, type }], relayers: [RELAYER] });
    await expect(plan(content('slow'), { signers: ['cow'] })).rejects.toThrow(
      'relayers[0]: the key service of the signer did not respond in time',
    );
    // Nothing is to be created.
    await plan(content('slow'), { signers: ['cow'], withheld: ['11155111:treasury'] });
    // A freeze must not prevent the start.
    expect((await plan(content('frozen'), { signers: ['cow'] })).relayers).toEqual([]);
  });

  it('reports all faults at once, each with its path but without values', async () => {
    expect(
      await faultsOf({
        signers: [SIGNER, { ...SIGNER, id: 'hsm', type: 'hsm' }],
        notifications: [
          { ...NOTIFICATION, signing_key: { type: 'env', value: 'SHORT' } },
          { ...NOTIFICATION, id: 'two', signing_key: { type: 'env', value: 'MISSING' } },
          { ...NOTIFICATION, id: 'three', signing_key: { type: 'env', value: 'NO_BASE64' } },
        ],
        relayers: [
          { ...RELAYER, id: 'a', signer_id: 'nobody' },
          { ...RELAYER, id: 'b', notification_id: 'nobody' },
          { ...RELAYER, id: 'c', policies: { colour: 1 } },
          { ...RELAYER, id: 'd', network: 'devnet', network_type: 'solana' },
          { ...RELAYER, id: 'e', signer_id: 'hsm' },
          { ...RELAYER, id: 'f', network: 'nowhere' },
          { ...RELAYER, id: 'g', network: 'devnet' },
          RELAYER,
          { ...RELAYER, id: 'h' },
        ],
      }),
    ).toEqual([
      'CONFIG_FILE signers[1]: type must be one of local',
      'CONFIG_FILE notifications[0]: signing_key must be at least 32 bytes',
      'CONFIG_FILE notifications[1]: signing_key names the environment variable MISSING, which is not set',
      'CONFIG_FILE notifications[2]: signing_key must be whsec_ and the base64 of 24 to 64 bytes',
      'CONFIG_FILE relayers[0]: signer_id nobody is not configured',
      'CONFIG_FILE relayers[1]: notification_id nobody is not configured',
      'CONFIG_FILE relayers[2]: policies.colour is not a known field',
      'CONFIG_FILE relayers[3]: the signer has no account on solana networks',
      'CONFIG_FILE relayers[5]: network nowhere of type evm does not exist',
      'CONFIG_FILE relayers[6]: network devnet of type evm does not exist',
      "CONFIG_FILE relayers[8]: Signer 'cow' already serves a relayer on network 'sepolia': a signer serves one relayer per network",
    ]);
  });

  it('refuses a second relayer for an account, whichever network or signer leads to it', async () => {
    const signers = [SIGNER, { ...SIGNER, id: 'copy' }];
    const named = ['evm:sepolia', 'evm:twin'];
    const second = { ...RELAYER, id: 'second' };
    const fault = `CONFIG_FILE relayers[1]: Relayer 'treasury' already has account ${ADDRESS} on chain id 11155111: an account has one relayer, whichever network or signer leads to it`;
    for (const twin of [
      { ...second, network: 'twin' },
      { ...second, signer_id: 'copy' },
    ])
      expect(await faultsOf({ signers, relayers: [RELAYER, twin] }, { networks: named })).toEqual([fault]);
  });

  it('reports a conflict with a stored relayer, unless it is the same relayer', async () => {
    const content = { signers: [SIGNER], relayers: [RELAYER] };
    expect(await faultsOf(content, { conflict: accountInUse('other', ADDRESS, '11155111') })).toEqual([
      expect.stringContaining("relayers[0]: Relayer 'other' already has account"),
    ]);
    expect((await plan(content, { conflict: relayerExists() })).relayers).toEqual([]);
  });

  it('plans no relayer that only a request may create, even if another has its account', async () => {
    const content = { signers: [SIGNER], relayers: [RELAYER] };
    const stored = { withheld: ['11155111:treasury'], conflict: accountInUse('other', ADDRESS, '11155111') };
    expect(await plan(content, stored)).toMatchObject({ relayers: [], withheld: ['treasury'] });
    expect((await plan(content, { ...stored, relayers: ['treasury'] })).withheld).toEqual([]);
  });

  it('refuses a relayer on a network without a chain id', async () => {
    expect(
      await faultsOf(
        { signers: [SIGNER], relayers: [{ ...RELAYER, network: 'bare' }] },
        { networks: ['evm:bare'] },
      ),
    ).toEqual(['CONFIG_FILE relayers[0]: Network bare has no chain id']);
  });

  it('refuses a relayer that would top up itself', async () => {
    const policies = { top_up: { from_relayer: 'treasury', below: '1', to: '2' } };
    expect(await faultsOf({ signers: [SIGNER], relayers: [{ ...RELAYER, policies }] })).toEqual([
      'CONFIG_FILE relayers[0]: policies.top_up.from_relayer must be another relayer',
    ]);
  });

  it('refuses invalid policies even for an existing relayer', async () => {
    expect(
      await faultsOf({ relayers: [{ ...RELAYER, policies: { colour: 1 } }] }, { relayers: ['treasury'] }),
    ).toEqual(['CONFIG_FILE relayers[0]: policies.colour is not a known field']);
  });
});
