import { UnitOfWork } from '../../src/database/unit-of-work';
import { NotificationEvents } from '../../src/notifications/events/notification-events';
import type { SingleReasonType } from '../../src/relayers/disabled-reason';
import type { Claim } from '../../src/background/leased-rows';
import { RelayerChecks } from '../../src/relayers/checks/relayer-checks';
import type { RelayerEntity } from '../../src/relayers/relayer.entity';
import { BY_HAND, CheckedRelayers } from '../support/checked-relayers';
import { describeService } from '../support/describe-service';

describeService('Relayer checks', { checks: BY_HAND, startFor: 'test' }, ({ service }) => {
  let relayers: CheckedRelayers;
  let checks: RelayerChecks;
  let id: string;

  beforeEach(async () => {
    relayers = new CheckedRelayers(service);
    checks = service.app.get(RelayerChecks);
    await relayers.prepare([]);
    ({ id } = await relayers.make());
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const claim = async (): Promise<Claim<RelayerEntity>> => {
    await checks.demand({ networkType: 'evm' });
    const [check] = await checks.claimDue(1);
    return check!;
  };

  /** Runs a complete check with these reasons. */
  const check = async (...reasons: SingleReasonType[]): Promise<void> =>
    checks.record(await claim(), reasons);

  const state = async () => {
    const { systemDisabled, disabledReason, failedChecks } = await relayers.row(id);
    return { disabled: systemDisabled, reason: disabledReason?.type, failedChecks };
  };

  /** Seconds from now until the next check. */
  const secondsToNext = async (): Promise<number> =>
    ((await relayers.row(id)).nextCheckAt!.getTime() - Date.now()) / 1000;

  it('are spread at four per second when the service starts, in the order of their due times', async () => {
    const ids = [id];
    for (let i = 0; i < 10; i += 1) ids.push((await relayers.make()).id);
    const demanded = ids.pop()!;
    await relayers.change(demanded, { nextCheckAt: null });
    for (const [index, each] of ids.entries())
      await relayers.change(each, { nextCheckAt: new Date(Date.now() + (index - 4) * 60_000) });
    const startedAt = Date.now();
    await checks.spreadOverStart();
    const secondsOf = async (each: string): Promise<number> =>
      ((await relayers.row(each)).nextCheckAt!.getTime() - startedAt) / 1000;
    const seconds = await Promise.all(ids.map(secondsOf));
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
    expect(seconds.map(Math.floor).filter((second) => second === 0)).toHaveLength(4);
    expect(Math.max(...seconds)).toBeGreaterThan(2);
    expect(Math.max(...seconds)).toBeLessThan(4);
    expect((await relayers.row(demanded)).nextCheckAt).toBeNull();
  });

  it('disable a new relayer at the first failure', async () => {
    await check('BalanceCheckFailed');
    expect(await state()).toEqual({ disabled: true, reason: 'BalanceCheckFailed', failedChecks: 2 });
    expect(await relayers.kinds()).toEqual(['relayer_disabled']);
  });

  it('disable a healthy relayer only at the second consecutive failure', async () => {
    await check();
    for (let i = 0; i < 3; i += 1) {
      await check('RpcValidationFailed');
      expect(await state()).toEqual({ disabled: false, reason: undefined, failedChecks: 1 });
      await check();
      expect(await state()).toEqual({ disabled: false, reason: undefined, failedChecks: 0 });
    }
    expect(await relayers.kinds()).toEqual([]);
    await check('RpcValidationFailed');
    await check('BalanceCheckFailed');
    expect(await state()).toEqual({ disabled: true, reason: 'BalanceCheckFailed', failedChecks: 2 });
    expect(await relayers.kinds()).toEqual(['relayer_disabled']);
  });

  it('repeat after 10, 20, 30, 45 and 60 s while the relayer is disabled, and after 60 s otherwise', async () => {
    for (const seconds of [10, 20, 30, 45, 60, 60, 60]) {
      await check('NonceSyncFailed');
      const next = await secondsToNext();
      expect(next).toBeGreaterThan(seconds * 0.9 - 5);
      expect(next).toBeLessThanOrEqual(seconds * 1.1);
    }
    for (const reasons of [[], ['NonceSyncFailed'], []] as SingleReasonType[][]) {
      await check(...reasons);
      expect(await secondsToNext()).toBeGreaterThan(49);
    }
    expect(await relayers.kinds()).toEqual(['relayer_disabled', 'relayer_enabled']);
    expect((await relayers.events())[1]).toMatchObject({ retry_count: 8 });
  });

  it('are spread randomly over a fifth of their interval', () => {
    const leases = Array.from({ length: 200 }, () => checks.newLease().getTime() - Date.now());
    expect(Math.min(...leases)).toBeGreaterThan(53_000);
    expect(Math.max(...leases)).toBeLessThanOrEqual(66_000);
    expect(Math.max(...leases) - Math.min(...leases)).toBeGreaterThan(6_000);
  });

  it('update the reason of a disabled relayer, with an event only if it changed', async () => {
    const found: [SingleReasonType[], string][] = [
      [['BalanceCheckFailed'], 'BalanceCheckFailed'],
      [['BalanceCheckFailed'], 'BalanceCheckFailed'],
      [['RpcValidationFailed'], 'RpcValidationFailed'],
      [['RpcValidationFailed'], 'RpcValidationFailed'],
      [['NonceSyncFailed', 'BalanceCheckFailed'], 'Multiple'],
      [['NonceSyncFailed', 'BalanceCheckFailed'], 'Multiple'],
      [['NonceSyncFailed', 'RpcValidationFailed'], 'Multiple'],
    ];
    for (const [reasons, type] of found) {
      await check(...reasons);
      expect((await state()).reason).toBe(type);
    }
    const recorded = (await relayers.events()).map(({ disable_reason }) => disable_reason);
    expect(recorded).toEqual([
      'Insufficient balance',
      'RPC endpoint validation failed',
      'Nonce synchronization failed, Insufficient balance',
      'Nonce synchronization failed, RPC endpoint validation failed',
    ]);
    expect((await service.get(`/api/v1/relayers/${id}`)).body.data.disabled_reason).toEqual({
      type: 'Multiple',
      details: [
        { type: 'NonceSyncFailed', details: 'Nonce synchronization failed' },
        { type: 'RpcValidationFailed', details: 'RPC endpoint validation failed' },
      ],
    });
  });

  it('record no events for a relayer without a notification', async () => {
    await service.patch(`/api/v1/relayers/${id}`, { notification_id: null });
    await check('BalanceCheckFailed');
    expect((await state()).disabled).toBe(true);
    await check();
    expect((await state()).disabled).toBe(false);
    expect(await relayers.kinds()).toEqual([]);
  });

  it('are dropped if the relayer was deleted meanwhile', async () => {
    const claimed = await claim();
    expect((await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` })).status).toBe(200);
    await checks.record(claimed, ['BalanceCheckFailed']);
    expect(await relayers.kinds()).toEqual([]);
  });

  it('take effect without an event if the notification was deleted meanwhile', async () => {
    const claimed = await claim();
    await service.patch(`/api/v1/relayers/${id}`, { notification_id: null });
    const deleted = await service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' });
    expect(deleted.status).toBe(200);
    await checks.record(claimed, ['BalanceCheckFailed']);
    expect((await state()).disabled).toBe(true);
    expect(await relayers.kinds()).toEqual([]);
  });

  it.each([{ policies: { min_balance: 5 } }, { custom_rpc_urls: [{ url: 'http://127.0.0.1:9' }] }])(
    'are dropped if the relayer was patched with %j meanwhile',
    async (patch) => {
      const claimed = await claim();
      expect((await service.patch(`/api/v1/relayers/${id}`, patch)).status).toBe(200);
      await checks.record(claimed, ['BalanceCheckFailed']);
      expect(await state()).toEqual({ disabled: false, reason: undefined, failedChecks: 1 });
      const [next, ...more] = await checks.claimDue(10);
      expect([next?.row.id, more]).toEqual([id, []]);
      await checks.record(next!, ['BalanceCheckFailed']);
      expect(await relayers.kinds()).toEqual(['relayer_disabled']);
    },
  );

  it('take effect if the relayer was renamed or paused meanwhile', async () => {
    const claimed = await claim();
    await service.patch(`/api/v1/relayers/${id}`, { name: 'Other', paused: true });
    await checks.record(claimed, ['BalanceCheckFailed']);
    expect(await state()).toMatchObject({ disabled: true });
    expect((await relayers.events()).at(-1)).toMatchObject({
      payload_type: 'relayer_disabled',
      relayer: { name: 'Other', paused: true },
    });
  });

  it('are dropped if their lease expired and another check was claimed meanwhile', async () => {
    const stale = await claim();
    await relayers.change(id, { nextCheckAt: new Date(Date.now() - 1) });
    const [fresh] = await checks.claimDue(1);
    await checks.record(stale, ['BalanceCheckFailed']);
    expect((await state()).disabled).toBe(false);
    await checks.record(fresh!, ['RpcValidationFailed']);
    await checks.record(stale, []);
    expect(await state()).toMatchObject({ disabled: true, reason: 'RpcValidationFailed' });
    expect(await relayers.kinds()).toEqual(['relayer_disabled']);
  });

  it('store their outcome only together with its event', async () => {
    const record = jest
      .spyOn(service.app.get(NotificationEvents), 'record')
      .mockRejectedValueOnce(new Error('no event'));
    await expect(check('BalanceCheckFailed')).rejects.toThrow('no event');
    expect(await state()).toEqual({ disabled: false, reason: undefined, failedChecks: 1 });
    record.mockRestore();
    await check('BalanceCheckFailed');
    expect((await state()).disabled).toBe(true);
    expect(await relayers.kinds()).toEqual(['relayer_disabled']);
  });

  it('record events only if their outcome is stored', async () => {
    const unitOfWork = service.app.get(UnitOfWork);
    const claimed = await claim();
    const failing = unitOfWork.run(async () => {
      await checks.record(claimed, ['BalanceCheckFailed']);
      expect(await relayers.kinds()).toEqual(['relayer_disabled']);
      throw new Error('after the event');
    });
    await expect(failing).rejects.toThrow('after the event');
    expect((await state()).disabled).toBe(false);
    expect(await relayers.kinds()).toEqual([]);
  });

  it('cause one change and one event if an outcome is recorded many times concurrently', async () => {
    for (const reasons of [['BalanceCheckFailed'], [], ['NonceSyncFailed'], ['NonceSyncFailed'], []]) {
      const claimed = await claim();
      await Promise.all(
        Array.from({ length: 20 }, () => checks.record(claimed, reasons as SingleReasonType[])),
      );
    }
    expect(await relayers.kinds()).toEqual([
      'relayer_disabled',
      'relayer_enabled',
      'relayer_disabled',
      'relayer_enabled',
    ]);
    expect(await state()).toEqual({ disabled: false, reason: undefined, failedChecks: 0 });
  });
});
