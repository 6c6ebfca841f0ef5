import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { Environment } from '../../src/config/env-file';
import type { RelayerCheckSettings } from '../../src/config/app-config';
import { TestApplication } from '../support/application';
import { CHAIN_ID, CheckedRelayers, QUICK } from '../support/checked-relayers';
import { describeWithMariaDb } from '../support/databases';
import { describeService } from '../support/describe-service';
import { PrivateMariaDb, until } from '../support/private-servers';
import { ScriptedNode } from '../support/scripted-node';

const REFUSAL = { code: -32000, message: 'not now' };
const HANGING = { eth_chainId: 'hang', eth_getTransactionCount: 'hang', eth_getBalance: 'hang' };
const SELDOM = { ...QUICK, intervalMs: 600_000, retryMs: [600_000] };

describeService('Checks against nodes', { startFor: 'none' }, ({ service, database }) => {
  let relayers: CheckedRelayers;
  let node: ScriptedNode;

  beforeEach(async () => {
    node = await ScriptedNode.start(CHAIN_ID);
  });

  afterEach(() => node.stop());

  const start = async (
    checks: Partial<RelayerCheckSettings> = QUICK,
    settings: Environment = {},
  ): Promise<void> => {
    await service.start(database, settings, { checks });
    relayers = new CheckedRelayers(service);
  };

  const startWithNetwork = async (...args: Parameters<typeof start>): Promise<void> => {
    await start(...args);
    await relayers.prepare([node.url]);
  };

  it.each([
    ['the nonce alone', { eth_getTransactionCount: REFUSAL }, 'NonceSyncFailed'],
    ['the balance alone', { eth_getBalance: REFUSAL }, 'RpcValidationFailed'],
    ['both', { eth_getTransactionCount: REFUSAL, eth_getBalance: REFUSAL }, 'NonceSyncFailed'],
  ])('report the reason if %s cannot be read', async (_, behaviour, type) => {
    await startWithNetwork();
    node.be(behaviour);
    expect((await relayers.make()).disabled_reason).toMatchObject({ type });
  });

  it('report all reasons if there are several', async () => {
    await startWithNetwork();
    node.be({ eth_getTransactionCount: REFUSAL, eth_getBalance: '0x0' });
    expect((await relayers.make()).disabled_reason).toEqual({
      type: 'Multiple',
      details: [
        { type: 'NonceSyncFailed', details: 'Nonce synchronization failed' },
        { type: 'BalanceCheckFailed', details: 'Insufficient balance' },
      ],
    });
    expect((await relayers.events())[0]).toMatchObject({
      disable_reason: 'Nonce synchronization failed, Insufficient balance',
    });
  });

  it('run for all relayers at start', async () => {
    await startWithNetwork(SELDOM);
    const { id } = await relayers.make();
    const [key] = service.config.storageKeys;
    await service.close();
    node.be({ eth_getBalance: '0x0' });
    await start({ ...SELDOM, retryMs: [100] }, { STORAGE_ENCRYPTION_KEY: key!.reveal() });
    await until('a check', async () => (await relayers.row(id)).failedChecks === 1);
  });

  it('re-enable relayers whose network has lost its endpoints', async () => {
    await startWithNetwork({ ...SELDOM });
    node.be({ status: 500 });
    const { id } = await relayers.make();
    expect((await relayers.row(id)).systemDisabled).toBe(true);
    const unused = { rpc_urls: [{ url: node.url, weight: 0 }] };
    expect((await service.patch('/api/v1/networks/evm:devnet', unused)).status).toBe(200);
    await relayers.until(id, undefined);
    expect(await relayers.kinds()).toEqual(['relayer_disabled', 'relayer_enabled']);
  });

  it('run for paused relayers too', async () => {
    await startWithNetwork();
    const { id } = await relayers.make({ paused: true });
    node.be({ eth_getBalance: '0x0' });
    await relayers.until(id, 'BalanceCheckFailed');
    node.be({});
    await relayers.until(id, undefined);
    expect((await relayers.row(id)).paused).toBe(true);
  });

  it.each([
    ['on', true],
    ['off', false],
  ])('export balances as set by METRICS_RELAYER_BALANCES: %s', async (value, shown) => {
    await startWithNetwork(QUICK, { METRICS_RELAYER_BALANCES: value });
    const { id } = await relayers.make();
    const { text } = await service.get('/debug/metrics/scrape');
    expect(text.includes(`relayer_balance_wei{relayer="${id}"} 1000000000000000000\n`)).toBe(shown);
    expect(text.includes('relayer_balance_wei')).toBe(shown);
    expect((await service.get('/metrics')).body.includes('relayer_balance_wei')).toBe(shown);
    expect(text).toMatch(/relayer_check_duration_seconds_count\{outcome="passed"\} [1-9]/);
  });
});

const TOLD_SOON = { checks: { ...QUICK, firstCheckMs: 500 }, startFor: 'test', onlySqlite: true } as const;

describeService('Checks against a node that hangs', TOLD_SOON, ({ service }) => {
  let relayers: CheckedRelayers;
  let node: ScriptedNode;

  beforeEach(async () => {
    node = await ScriptedNode.start(CHAIN_ID);
    relayers = new CheckedRelayers(service);
    await relayers.prepare([node.url]);
  });

  afterEach(() => node.stop());

  it('delay the creation of a relayer only briefly, and disable it later', async () => {
    node.be(HANGING);
    const { id, system_disabled } = await relayers.make();
    expect(system_disabled).toBe(false);
    expect(node.calls).toBe(1);
    // The checks take far longer than the interval between them.
    await relayers.until(id, 'RpcValidationFailed');
    expect(await relayers.kinds()).toEqual(['relayer_disabled']);
    await service.close();
  });

  it('do not delay the shutdown', async () => {
    await relayers.make();
    const before = node.calls;
    node.be(HANGING);
    await until('a check', () => node.calls > before);
    const stopping = service.close().then(() => 'stopped');
    // The check takes 20 s.
    expect(await Promise.race([stopping, sleep(9000, 'still checking')])).toBe('stopped');
    expect(service.logs.filter((line) => line.includes('A row could not be processed'))).toEqual([]);
  });
});

describeWithMariaDb('Checks while the database is unavailable', () => {
  it('log the failure, and continue afterwards', async () => {
    const server = await PrivateMariaDb.create({ durable: true });
    const node = await ScriptedNode.start(CHAIN_ID);
    const connection = await createConnection(server.url);
    await connection.query('CREATE DATABASE relayer');
    await connection.end();
    const database = { url: `${server.url}/relayer`, drop: () => Promise.resolve() };
    const service = await TestApplication.start(database, {}, { checks: QUICK });
    const relayers = new CheckedRelayers(service);
    await relayers.prepare([node.url]);
    const { id } = await relayers.make();
    await server.stop();
    await until('the log', () =>
      service.logs.some((line) => line.includes('"Due rows could not be claimed"')),
    );
    const failures = (): number =>
      service.logs.filter((line) => line.includes('"Due rows could not be claimed"')).length;
    const before = failures();
    await sleep(1000);
    // At most one of each worker.
    expect(failures() - before).toBeLessThan(5);
    node.be({ eth_getBalance: '0x0' });
    await server.start();
    await relayers.until(id, 'BalanceCheckFailed');
    await service.close();
    await node.stop();
    await server.destroy();
  });
});
