import { Receivers } from '../../bench/deliveries/receivers';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';

const RECEIVERS = 10;
const HANGING = 3;
const EVENTS_EACH = 50;

/** `npm run bench:deliveries` runs the same test for longer and measures it. */
describeService(
  'Receivers that hang',
  { settings: { WEBHOOK_TIMEOUT_SECONDS: '60' }, startFor: 'test' },
  ({ service }) => {
    let receivers: Receivers;

    beforeEach(async () => {
      receivers = await Receivers.create(RECEIVERS, HANGING);
    });

    afterEach(async () => {
      await receivers.destroy();
    });

    it('do not delay other receivers, which receive all their events meanwhile', async () => {
      const changed = receivers.urls.map(async (url, index) => {
        await service.post('/api/v1/notifications', { id: `receiver-${index}`, url });
        const { id } = await addRelayer(service, { notificationId: `receiver-${index}` });
        for (let change = 0; change < EVENTS_EACH; change += 1)
          await service.patch(`/api/v1/relayers/${id}`, { name: `Change ${change}` });
      });
      await Promise.all(changed);

      const delivered = (): Promise<number> => deliveries().countBy({ state: 'delivered' });
      await until('the others to have theirs', async () => (await delivered()) === 350);

      const counts = Array<number>(RECEIVERS).fill(0);
      for (const { index } of receivers.received.values()) counts[index]! += 1;
      expect(counts).toEqual([1, 1, 1, 50, 50, 50, 50, 50, 50, 50]);
      expect(await deliveries().countBy({ state: 'pending', attempts: 0 })).toBe(150);
    });

    const deliveries = () => service.app.get(UnitOfWork).repository(DeliveryEntity);
  },
);
