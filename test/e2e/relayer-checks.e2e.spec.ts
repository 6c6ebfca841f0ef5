import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { computeAddress } from 'ethers';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { Anvil, describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { freePort, until } from '../support/private-servers';

/** Short enough for a test. The results do not depend on the durations. */
const QUICK = { enabled: true, intervalMs: 300, retryMs: [100], firstCheckMs: 5000, earlyMs: 0 };
const WEI = 10n ** 18n;
const WEBHOOK = { id: 'hook', url: 'http://127.0.0.1:9/hook' };

interface StateEvent {
  payload_type: string;
  relayer: { id: string; system_disabled: boolean; disabled_reason?: object };
  disable_reason?: string;
  retry_count?: number;
}

describeWithAnvil('Checks of relayers', () => {
  describeService('with short intervals', { checks: QUICK, startFor: 'test' }, ({ service, database }) => {
    let node: Anvil;

    beforeEach(async () => {
      node = await Anvil.create({ chainId: 424_242 });
      await service.post('/api/v1/notifications', WEBHOOK);
      await makeNetwork([node.url]);
    });

    afterEach(() => node.stop());

    const restart = async (checks: object): Promise<void> => {
      const [key] = service.config.storageKeys;
      await service.close();
      const settings = { STORAGE_ENCRYPTION_KEY: key?.reveal() };
      await service.start(database, settings, { checks: { ...QUICK, ...checks } });
    };

    const makeNetwork = async (rpc_urls: unknown[], name = 'devnet') => {
      const network = { name, network_type: 'evm', chain_id: 424_242, rpc_urls };
      expect((await service.post('/api/v1/networks', network)).status).toBe(201);
    };

    /** Creates a signer with a balance, and a relayer that uses it. */
    const makeRelayer = async (balance: bigint, more: object = {}) => {
      const signerId = `s-${randomBytes(4).toString('hex')}`;
      const key = service.keepSecret(randomBytes(32).toString('hex'));
      const signer = { id: signerId, type: 'plain', config: { key } };
      expect((await service.post('/api/v1/signers', signer)).status).toBe(201);
      await node.setBalance(computeAddress(`0x${key}`), balance);
      const relayer = {
        name: 'R',
        network: 'devnet',
        network_type: 'evm',
        paused: false,
        signer_id: signerId,
        notification_id: 'hook',
        ...more,
      };
      const response = await service.post('/api/v1/relayers', relayer);
      expect(response.body).toMatchObject({ success: true });
      return response.body.data as {
        id: string;
        address: string;
        system_disabled: boolean;
        disabled_reason?: object;
      };
    };

    const show = async (id: string) => (await service.get(`/api/v1/relayers/${id}`)).body.data;

    const untilDisabled = (id: string, type: string) =>
      until(type, async () => (await show(id)).disabled_reason?.type === type);

    const untilEnabled = (id: string) => until('enabled', async () => !(await show(id)).system_disabled);

    const eventsOf = async (): Promise<StateEvent[]> => {
      const rows = await service.app
        .get(UnitOfWork)
        .repository(DeliveryEntity)
        .findBy({ event: 'relayer_state_update' });
      return rows
        .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
        .map(({ payload }) => payload as StateEvent);
    };

    const kindsOf = async () => (await eventsOf()).map(({ payload_type }) => payload_type);

    it('disable a relayer when its node is down, and enable it when the node is back', async () => {
      const { id, system_disabled } = await makeRelayer(WEI);
      expect(system_disabled).toBe(false);
      await node.stop();
      await untilDisabled(id, 'RpcValidationFailed');
      expect((await show(id)).disabled_reason).toEqual({
        type: 'RpcValidationFailed',
        details: 'RPC endpoint validation failed',
      });
      const refused = await service.post(`/api/v1/relayers/${id}/rpc`, { method: 'eth_blockNumber' });
      expect([refused.status, refused.body.message]).toEqual([403, 'Relayer disabled']);
      await node.start();
      await node.setBalance((await show(id)).address as string, WEI);
      await untilEnabled(id);
      expect(await show(id)).not.toHaveProperty('disabled_reason');
      const [disabled, enabled, ...more] = await eventsOf();
      expect(more).toEqual([]);
      expect(disabled).toMatchObject({
        payload_type: 'relayer_disabled',
        disable_reason: 'RPC endpoint validation failed',
        relayer: { id, system_disabled: true, disabled_reason: { type: 'RpcValidationFailed' } },
      });
      expect(enabled).toMatchObject({
        payload_type: 'relayer_enabled',
        relayer: { id, system_disabled: false },
      });
      expect(enabled?.retry_count).toBeGreaterThanOrEqual(2);
    });

    it('leave no relayer disabled when they are switched off', async () => {
      const { id, system_disabled } = await makeRelayer(0n, { policies: { min_balance: 1 } });
      expect(system_disabled).toBe(true);
      await restart({ enabled: false });
      await untilEnabled(id);
      expect(await show(id)).not.toHaveProperty('disabled_reason');
      const call = await service.post(`/api/v1/relayers/${id}/rpc`, { method: 'eth_blockNumber' });
      expect(call.status).toBe(200);
      expect(await kindsOf()).toEqual(['relayer_disabled', 'relayer_enabled']);
    });

    it('are never late when they are switched off', async () => {
      await makeRelayer(WEI);
      const oldest = async () => (await service.get('/metrics/background_oldest_due_seconds')).text;
      expect(await oldest()).toContain('background_oldest_due_seconds{worker="checks"}');
      await restart({ enabled: false });
      expect(await oldest()).not.toContain('worker="checks"');
      expect(await oldest()).toContain('background_oldest_due_seconds{worker="deliveries"}');
    });

    it('disable a relayer when its node serves another chain, and enable it when the node serves the right chain', async () => {
      const { id, address } = await makeRelayer(WEI);
      const { port } = node;
      await node.stop();
      const wrong = await Anvil.create({ chainId: 7, port });
      await wrong.setBalance(address, WEI);
      await untilDisabled(id, 'RpcValidationFailed');
      expect(service.logs.some((line) => line.includes('RPC endpoint serves another chain'))).toBe(true);
      await wrong.stop();
      await node.start();
      await node.setBalance(address, WEI);
      await untilEnabled(id);
      expect(await kindsOf()).toEqual(['relayer_disabled', 'relayer_enabled']);
    });

    it('disable a relayer when its balance is too low, and enable it when the balance is sufficient', async () => {
      const { id, address } = await makeRelayer(WEI, { policies: { min_balance: WEI.toString() } });
      await node.setBalance(address, WEI - 1n);
      await untilDisabled(id, 'BalanceCheckFailed');
      await node.setBalance(address, WEI);
      await untilEnabled(id);
      await node.setBalance(address, 0n);
      await untilDisabled(id, 'BalanceCheckFailed');
      const patched = await service.patch(`/api/v1/relayers/${id}`, { policies: { min_balance: 0 } });
      expect(patched.status).toBe(200);
      await untilEnabled(id);
      expect(await kindsOf()).toEqual([
        'relayer_disabled',
        'relayer_enabled',
        'relayer_disabled',
        'relayer_enabled',
      ]);
    });

    it('report a relayer as disabled in the response to its creation', async () => {
      const poor = await makeRelayer(0n);
      expect(poor).toMatchObject({
        system_disabled: true,
        disabled_reason: { type: 'BalanceCheckFailed', details: 'Insufficient balance' },
      });
      const dead = await makeRelayer(WEI, {
        custom_rpc_urls: [{ url: `http://127.0.0.1:${await freePort()}` }],
      });
      expect(dead).toMatchObject({ system_disabled: true, disabled_reason: { type: 'RpcValidationFailed' } });
      expect(await kindsOf()).toEqual(['relayer_disabled', 'relayer_disabled']);
    });

    it('do not disable a relayer when one of several endpoints fails', async () => {
      const bad = `http://127.0.0.1:${await freePort()}`;
      const { id } = await makeRelayer(WEI, { custom_rpc_urls: [{ url: bad }, { url: node.url }] });
      await sleep(2000);
      expect((await show(id)).system_disabled).toBe(false);
      expect(await kindsOf()).toEqual([]);
    });

    it('run at once after the endpoints of the network were changed', async () => {
      await restart({ intervalMs: 600_000, retryMs: [600_000] });
      await makeNetwork([`http://127.0.0.1:${await freePort()}`], 'broken');
      const { id, system_disabled } = await makeRelayer(WEI, { network: 'broken' });
      expect(system_disabled).toBe(true);
      const patched = await service.patch('/api/v1/networks/evm:broken', { rpc_urls: [node.url] });
      expect(patched.status).toBe(200);
      await untilEnabled(id);
    });

    it('run at once when calls keep failing', async () => {
      await restart({ intervalMs: 600_000 });
      const { id, address } = await makeRelayer(WEI);
      await node.stop();
      for (let i = 0; i < 12; i += 1) {
        const response = await service.get(`/api/v1/relayers/${id}/balance`);
        expect(response.body).toMatchObject({ success: false, message: 'Service Unavailable' });
        await sleep(100);
      }
      await untilDisabled(id, 'RpcValidationFailed');
      await node.start();
      await node.setBalance(address, WEI);
      await untilEnabled(id);
    });

    it('skip relayers of networks without endpoints', async () => {
      await makeNetwork([], 'signing');
      const { id, system_disabled } = await makeRelayer(0n, { network: 'signing' });
      expect(system_disabled).toBe(false);
      await sleep(1000);
      expect((await show(id)).system_disabled).toBe(false);
      for (const call of ['status', 'balance']) {
        const response = await service.get(`/api/v1/relayers/${id}/${call}`);
        expect([response.status, response.body.error]).toEqual([400, 'Network signing has no RPC endpoint']);
      }
    });

    it('update the metric of relayers by state and reason', async () => {
      await makeRelayer(0n);
      await makeRelayer(WEI);
      const scrape = await service.get('/metrics/relayers');
      expect(scrape.text).toContain('relayers{state="disabled",reason="BalanceCheckFailed"} 1');
      expect(scrape.text).toContain('relayers{state="enabled",reason=""} 1');
    });
  });
});
