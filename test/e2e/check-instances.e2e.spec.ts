import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NetworksService } from '../../src/networks/networks.service';
import type { RelayerCheckSettings } from '../../src/config/app-config';
import { RelayerEvents } from '../../src/relayers/relayer-events';
import { RelayerChecks } from '../../src/relayers/checks/relayer-checks';
import { TestApplication } from '../support/application';
import { BY_HAND, CHAIN_ID, CheckedRelayers, QUICK } from '../support/checked-relayers';
import { createMariaDb, createSqlite, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { until } from '../support/private-servers';
import { rounds } from '../support/rounds';
import { ScriptedNode } from '../support/scripted-node';

const FLAPS = rounds(100, 20);
const BAD: { node: Parameters<ScriptedNode['be']>[0]; reason: string }[] = [
  { node: { status: 503 }, reason: 'RpcValidationFailed' },
  { node: { eth_chainId: '0x1' }, reason: 'RpcValidationFailed' },
  { node: { eth_getBalance: '0x0' }, reason: 'BalanceCheckFailed' },
  {
    node: { eth_getTransactionCount: { code: -32000, message: 'refused' } },
    reason: 'NonceSyncFailed',
  },
];

/** Instances of the service on one database and one network. */
class Instances {
  readonly all: TestApplication[] = [];
  /** Spies on the state changes that each instance reports. */
  readonly changes: jest.SpyInstance[][] = [];
  private readonly secrets = {
    API_KEY: randomBytes(32).toString('hex'),
    STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };

  constructor(
    readonly database: TestDatabase,
    readonly node: ScriptedNode,
  ) {}

  async start(checks: Partial<RelayerCheckSettings>): Promise<TestApplication> {
    const service = await TestApplication.start(this.database, this.secrets, { checks });
    const events = service.app.get(RelayerEvents);
    this.changes.push([jest.spyOn(events, 'disabled'), jest.spyOn(events, 'enabled')]);
    this.all.push(service);
    return service;
  }

  async destroy(): Promise<void> {
    for (const service of this.all) await service.close();
    await this.node.stop();
    await this.database.drop();
  }
}

async function checksOf(service: TestApplication): Promise<number> {
  const { text } = await service.get('/metrics/relayer_check_duration_seconds');
  const counts = text.matchAll(/relayer_check_duration_seconds_count\S* (\d+)/g);
  return [...counts].reduce((sum, [, checks]) => sum + Number(checks), 0);
}

/** Breaks and repairs a node {@link FLAPS} times while every instance is triggered to check continuously. */
async function flap({ all, node }: Instances, relayers: CheckedRelayers, id: string): Promise<void> {
  let done = false;
  let triggers = 0;
  const hurry = async (service: TestApplication): Promise<void> => {
    while (!done) {
      service.app.get(NetworksService).endpointsChanged.next({ networkType: 'evm', name: 'devnet' });
      // A trigger discards the check in progress, so on a busy machine triggers must become rarer.
      await sleep(20 + 100 * Math.random() * 1.05 ** triggers++);
    }
  };
  const hurrying = all.map(hurry);
  try {
    for (let i = 0; i < FLAPS; i += 1) {
      const { node: behaviour, reason } = BAD[i % BAD.length]!;
      node.be(behaviour);
      triggers = 0;
      await relayers.until(id, reason);
      node.be({});
      triggers = 0;
      await relayers.until(id, undefined);
    }
  } finally {
    done = true;
    await Promise.all(hurrying);
  }
}

async function expectEachChangeOnce(instances: Instances, relayers: CheckedRelayers): Promise<void> {
  const kinds = await relayers.kinds();
  expect(kinds).toEqual(Array.from({ length: FLAPS }, () => ['relayer_disabled', 'relayer_enabled']).flat());
  for (const service of instances.all) expect(await checksOf(service)).toBeGreaterThan(FLAPS / 2);
  for (const changes of instances.changes)
    expect(changes.flatMap((kind) => kind.mock.calls).length).toBeGreaterThan(0);
}

describe('A flapping relayer on SQLite', () => {
  it('has one event for each state change', async () => {
    const instances = new Instances(await createSqlite(), await ScriptedNode.start(CHAIN_ID));
    const relayers = new CheckedRelayers(await instances.start(QUICK));
    await relayers.prepare([instances.node.url]);
    const { id } = await relayers.make();
    await flap(instances, relayers, id);
    await expectEachChangeOnce(instances, relayers);
    await instances.destroy();
  });
});

describeWithMariaDb('Instances that check the same relayers', () => {
  let instances: Instances;

  beforeEach(async () => {
    instances = new Instances(await createMariaDb(), await ScriptedNode.start(CHAIN_ID));
  });

  afterEach(() => instances.destroy());

  const pair = async (a: Partial<RelayerCheckSettings>, b = a) => {
    const first = await instances.start(a);
    const relayers = new CheckedRelayers(first);
    await relayers.prepare([instances.node.url]);
    return { first, second: await instances.start(b), relayers };
  };

  it(`record one event for each of ${2 * FLAPS} changes`, async () => {
    const { relayers } = await pair(QUICK);
    const { id } = await relayers.make();
    await flap(instances, relayers, id);
    await expectEachChangeOnce(instances, relayers);
  });

  it('claim each relayer once, however short the interval is', async () => {
    const { first, second, relayers } = await pair({ ...BY_HAND, intervalMs: 1 });
    for (let i = 0; i < 12; i += 1) await relayers.make();
    const checks = [first, second].map(({ app }) => app.get(RelayerChecks));
    for (let round = 0; round < 20; round += 1) {
      await checks[0]!.demand({ networkType: 'evm' });
      const claims = await Promise.all([...checks, ...checks].map((each) => each.claimDue(5)));
      claims.push(await checks[0]!.claimDue(12));
      const ids = claims.flat().map(({ row }) => row.id);
      expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
    }
  });

  it('record one event if both record the same outcome of the same claim concurrently', async () => {
    const { first, second, relayers } = await pair(BY_HAND);
    const { id } = await relayers.make();
    const checks = [first, second].map(({ app }) => app.get(RelayerChecks));
    const expected: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      await checks[0]!.demand({ networkType: 'evm' });
      const [claimed] = await checks[round % 2]!.claimDue(1);
      const disable = round % 2 === 0;
      await Promise.all(checks.map((each) => each.record(claimed!, disable ? ['BalanceCheckFailed'] : [])));
      // A new relayer is disabled by its first failure, a healthy one by its second.
      if (disable && round > 0) {
        expect((await relayers.row(id)).failedChecks).toBe(1);
        await checks[0]!.demand({ networkType: 'evm' });
        const [again] = await checks[1]!.claimDue(1);
        await Promise.all(checks.map((each) => each.record(again!, ['BalanceCheckFailed'])));
      }
      expected.push(disable ? 'relayer_disabled' : 'relayer_enabled');
    }
    expect(await relayers.kinds()).toEqual(expected);
  });

  it('ignore an outcome under a stale lease while another instance holds the new one', async () => {
    const { first, second, relayers } = await pair(BY_HAND);
    const { id } = await relayers.make();
    const [slow, quick] = [first, second].map(({ app }) => app.get(RelayerChecks)) as [
      RelayerChecks,
      RelayerChecks,
    ];
    for (let round = 0; round < 20; round += 1) {
      await relayers.change(id, { systemDisabled: false, disabledReason: null, failedChecks: 1 });
      await slow.demand({ networkType: 'evm' });
      const [stale] = await slow.claimDue(1);
      await quick.demand({ networkType: 'evm' });
      const [fresh] = await quick.claimDue(1);
      await Promise.all([
        slow.record(stale!, ['RpcValidationFailed']),
        quick.record(fresh!, ['BalanceCheckFailed']),
      ]);
      expect((await relayers.row(id)).disabledReason?.type).toBe('BalanceCheckFailed');
    }
    expect(await relayers.kinds()).toEqual(Array.from({ length: 20 }, () => 'relayer_disabled'));
  });

  it('take over a check that another instance claimed but never recorded', async () => {
    const { first, relayers } = await pair({ ...BY_HAND, leaseMs: 2000 }, QUICK);
    const { id } = await relayers.make();
    await until('checked', async () => (await relayers.row(id)).failedChecks === 0);
    const dying = first.app.get(RelayerChecks);
    let claimed = await dying.claimDue(1);
    await until('the claim', async () => {
      await dying.demand({ id });
      claimed = await dying.claimDue(1);
      return claimed.length === 1;
    });
    instances.node.be({ eth_getBalance: '0x0' });
    await sleep(500);
    expect((await relayers.row(id)).nextCheckAt).toEqual(claimed[0]!.lease);
    await relayers.until(id, 'BalanceCheckFailed');
    expect(instances.changes.map(([disabled]) => disabled!.mock.calls.length)).toEqual([0, 1]);
    await dying.record(claimed[0]!, ['RpcValidationFailed']);
    expect(await relayers.kinds()).toEqual(['relayer_disabled']);
  });
});
