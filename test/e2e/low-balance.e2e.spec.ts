import type { Claim } from '../../src/background/leased-rows';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { NotificationEvents } from '../../src/notifications/events/notification-events';
import { BalanceWatch } from '../../src/relayers/checks/balance-watch';
import { RelayerChecks } from '../../src/relayers/checks/relayer-checks';
import type { RelayerEntity } from '../../src/relayers/relayer.entity';
import { BY_HAND, CheckedRelayers } from '../support/checked-relayers';
import { describeService } from '../support/describe-service';

const THRESHOLD = 10n ** 18n;

describeService('A low balance', { checks: BY_HAND, startFor: 'test' }, ({ service }) => {
  let relayers: CheckedRelayers;
  let id: string;

  beforeEach(async () => {
    relayers = new CheckedRelayers(service);
    await relayers.prepare([]);
    ({ id } = await relayers.make({ policies: { low_balance: THRESHOLD.toString() } }));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const claim = async (): Promise<Claim<RelayerEntity>> => {
    const checks = service.app.get(RelayerChecks);
    await checks.demand({ id });
    const claims = await checks.claimDue(10);
    return claims.find(({ row }) => row.id === id)!;
  };

  const watch = (): BalanceWatch => service.app.get(BalanceWatch);

  const read = async (balance: bigint): Promise<void> => watch().record(await claim(), balance);

  const isLow = async (): Promise<boolean> => (await relayers.row(id)).lowBalance;

  const events = async (): Promise<object[]> => {
    const rows = await service.app
      .get(UnitOfWork)
      .repository(DeliveryEntity)
      .find({
        where: { event: 'relayer_low_balance' },
      });
    return rows.map(({ payload }) => payload);
  };

  it('is reported when the balance falls below the threshold, and again only after it has recovered', async () => {
    const balances = [THRESHOLD, THRESHOLD - 1n, 5n, 0n, THRESHOLD, THRESHOLD + 1n, 7n];
    const seen: [boolean, number][] = [];
    for (const balance of balances) {
      await read(balance);
      seen.push([await isLow(), (await events()).length]);
    }
    expect(seen).toEqual([
      [false, 0],
      [true, 1],
      [true, 1],
      [true, 1],
      [false, 1],
      [false, 1],
      [true, 2],
    ]);
    expect(await events()).toContainEqual({
      payload_type: 'relayer_low_balance',
      relayer: expect.objectContaining({ id, system_disabled: false }),
      balance: (THRESHOLD - 1n).toString(),
      threshold: THRESHOLD.toString(),
    });
  });

  it('is cleared when the threshold is removed, and not recorded without one', async () => {
    await read(1n);
    await service.patch(`/api/v1/relayers/${id}`, { policies: { low_balance: null } });
    await read(0n);
    expect([await isLow(), (await events()).length]).toEqual([false, 1]);
  });

  it('is dropped if the policies were changed meanwhile', async () => {
    const claimed = await claim();
    await service.patch(`/api/v1/relayers/${id}`, { policies: { low_balance: 1 } });
    await watch().record(claimed, 5n);
    expect([await isLow(), await events()]).toEqual([false, []]);
  });

  it('that is recorded many times concurrently creates one event', async () => {
    const claimed = await claim();
    await Promise.all(Array.from({ length: 20 }, () => watch().record(claimed, 5n)));
    expect([await isLow(), (await events()).length]).toEqual([true, 1]);
  });

  it('is stored only together with its event', async () => {
    jest.spyOn(service.app.get(NotificationEvents), 'record').mockRejectedValueOnce(new Error('no event'));
    await expect(read(5n)).rejects.toThrow('no event');
    expect([await isLow(), await events()]).toEqual([false, []]);
  });

  it('is stored without a notification too', async () => {
    await service.patch(`/api/v1/relayers/${id}`, { notification_id: null });
    await read(5n);
    expect([await isLow(), await events()]).toEqual([true, []]);
  });

  it('is counted in the metrics, and does not disable the relayer', async () => {
    await relayers.make();
    await read(5n);
    const { text } = await service.get('/metrics/relayers_low_balance');
    expect(text).toMatch(/^relayers_low_balance 1$/m);
    expect((await relayers.row(id)).systemDisabled).toBe(false);
  });
});
