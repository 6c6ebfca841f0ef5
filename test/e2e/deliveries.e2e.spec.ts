import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryAttemptEntity } from '../../src/notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { RelayerChangesService } from '../../src/relayers/relayer-changes.service';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { sealRows } from '../support/row-macs';
import { until } from '../support/private-servers';
import { type Received, Receiver } from '../support/receiver';

describeService('Deliveries', { startFor: 'test' }, ({ service }) => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await Receiver.start();
  });

  afterEach(async () => {
    await receiver.close();
  });

  const addNotification = async (more: object = {}): Promise<void> => {
    const response = await service.post('/api/v1/notifications', { id: 'hook', url: receiver.url, ...more });
    expect(response.status).toBe(201);
  };

  const sendTest = async (): Promise<void> => {
    expect((await service.call({ method: 'POST', path: '/api/v1/notifications/hook/test' })).status).toBe(
      201,
    );
  };

  const arrived = (count: number) => until(`${count} events`, () => receiver.received.length === count);

  const kinds = () => receiver.received.map(({ event }) => [event.event, event.payload.payload_type]).sort();

  it('report pauses and changes, but not patches that change nothing', async () => {
    await addNotification();
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    await service.patch(`/api/v1/relayers/${id}`, { paused: true });
    await service.patch(`/api/v1/relayers/${id}`, { paused: true });
    await service.patch(`/api/v1/relayers/${id}`, { name: 'New' });
    await service.patch(`/api/v1/relayers/${id}`, { paused: false });
    await arrived(3);
    expect(kinds()).toEqual([
      ['relayer_state_update', 'relayer_paused'],
      ['relayer_state_update', 'relayer_resumed'],
      ['relayer_update', 'relayer'],
    ]);
  });

  it('have the body and headers that receivers expect', async () => {
    await addNotification();
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    await service.patch(`/api/v1/relayers/${id}`, { paused: true });
    await arrived(1);
    const [{ event, headers }] = receiver.received as [Received];
    expect(event).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'relayer_state_update',
      payload: {
        payload_type: 'relayer_paused',
        relayer: (await service.get(`/api/v1/relayers/${id}`)).body.data,
      },
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    for (const name of ['x-signature', 'x-signature-previous', 'webhook-signature'])
      expect(headers).not.toHaveProperty(name);
  });

  it('are stored together with the change that they report, or not at all', async () => {
    await addNotification();
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const unitOfWork = service.app.get(UnitOfWork);
    const undone = unitOfWork.run(async () => {
      await service.app.get(RelayerChangesService).update(id, { paused: true });
      expect(await unitOfWork.repository(DeliveryEntity).count()).toBe(1);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await unitOfWork.repository(DeliveryEntity).count()).toBe(0);
    expect((await service.get(`/api/v1/relayers/${id}`)).body.data.paused).toBe(false);
    await sendTest();
    await arrived(1);
    expect(kinds()).toEqual([['test', 'test']]);
  });

  it('include the events that a notification lists, or all but signatures if it lists none', async () => {
    await addNotification({ events: ['relayer_update'] });
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const change = async (name: string) => {
      await service.patch(`/api/v1/relayers/${id}`, { paused: true });
      await service.patch(`/api/v1/relayers/${id}`, { name });
      await service.patch(`/api/v1/relayers/${id}`, { paused: false });
    };
    await change('One');
    const patch = async (events: unknown) =>
      (await service.patch('/api/v1/notifications/hook', { events })).body.data;
    expect(await patch(['relayer_state_update', 'signature_created'])).toMatchObject({
      events: ['relayer_state_update', 'signature_created'],
    });
    await change('Two');
    await service.post(`/api/v1/relayers/${id}/sign`, { message: 'Two' });
    expect(await patch(null)).not.toHaveProperty('events');
    await change('Three');
    await service.post(`/api/v1/relayers/${id}/sign`, { message: 'Three' });
    await arrived(9);
    expect(kinds().map(([, type]) => type)).toEqual([
      // Each change of the list removes events from it, which is an event itself.
      'notification',
      'notification',
      'relayer_paused',
      'relayer_paused',
      'relayer_resumed',
      'relayer_resumed',
      'relayer',
      'relayer',
      'signature',
    ]);
  });

  it.each([
    [[]],
    [['test']],
    [['nothing']],
    [['relayer_update', 'relayer_update']],
    ['relayer_update'],
    [{}],
  ])('cannot be limited to the events %j', async (events) => {
    const made = await service.post('/api/v1/notifications', { id: 'hook', url: receiver.url, events });
    await addNotification();
    const changed = await service.patch('/api/v1/notifications/hook', { events });
    for (const { status, body } of [made, changed])
      expect([status, body.message, body.error]).toEqual([
        400,
        'Bad Request',
        expect.stringMatching(/\bevents\b/),
      ]);
    expect((await service.get('/api/v1/notifications/hook')).body.data).not.toHaveProperty('events');
  });

  it('are signed with both the old and the new key until the overlap ends', async () => {
    const [first, second, third] = [1, 2, 3].map((n) =>
      service.keepSecret(`a signing key of 32 bytes: ${n}-----`),
    );
    const isBy = ({ body, headers }: Received, key: string | undefined): boolean => {
      try {
        new Webhook(key ?? '', { format: 'raw' }).verify(body, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    const signers = (received: Received | undefined) =>
      [first, second, third].map((key) => received !== undefined && isBy(received, key));
    const send = async (count: number) => {
      await sendTest();
      // Each change of the key is an event too.
      const tests = () => receiver.received.filter(({ event }) => event.event === 'test');
      await until(`${count} tests`, () => tests().length === count);
      return signers(tests().at(-1));
    };
    await addNotification({ signing_key: first });
    expect(await send(1)).toEqual([true, false, false]);
    await service.patch('/api/v1/notifications/hook', { signing_key: second });
    expect(await send(2)).toEqual([true, true, false]);
    await service.patch('/api/v1/notifications/hook', { signing_key: third });
    expect(await send(3)).toEqual([false, true, true]);
    await service.app
      .get(UnitOfWork)
      .manager.query('UPDATE notifications SET previous_key_until = ?', ['2020-01-01 00:00:00.000']);
    await sealRows(service, NotificationEntity);
    expect(await send(4)).toEqual([false, false, true]);
    await service.patch('/api/v1/notifications/hook', { signing_key: '' });
    expect(await send(5)).toEqual([false, false, false]);
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('x-signature');
  });

  it('are deleted with their notification, and retained if it cannot be deleted', async () => {
    await addNotification();
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    await sendTest();
    await arrived(1);
    const unitOfWork = service.app.get(UnitOfWork);
    const deliveries = unitOfWork.repository(DeliveryEntity);
    // The former receiver gets an event, with a delivery of its own.
    const ofHook = { notificationId: 'hook' };
    const kept = async () => [
      await deliveries.countBy(ofHook),
      await unitOfWork.repository(DeliveryAttemptEntity).countBy({ delivery: ofHook }),
    ];
    await until('the attempt', async () => (await kept()).join() === '1,1');
    const [delivery] = await deliveries.find();
    await deliveries.insert(
      Array.from({ length: 250 }, () => Object.assign({}, delivery, { id: randomUUID() })),
    );
    const remove = () => service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' });
    expect((await remove()).status).toBe(409);
    expect(await kept()).toEqual([251, 1]);
    await service.patch(`/api/v1/relayers/${id}`, { notification_id: null });
    expect((await remove()).status).toBe(200);
    expect(await kept()).toEqual([0, 0]);
  });

  it('cause no errors if their notification is deleted during an attempt', async () => {
    const finish: (() => void)[] = [];
    receiver.respond = (response) => finish.push(() => response.end());
    await addNotification();
    await sendTest();
    await arrived(1);
    await service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' });
    // The former receiver is told of the deletion.
    await arrived(2);
    receiver.respondWith(204);
    for (const end of finish) end();
    await addNotification();
    await sendTest();
    await arrived(3);
    expect(kinds().map(([event]) => event)).toEqual(['notification_deleted', 'test', 'test']);
    expect(service.logs.filter((line) => line.includes('A row could not be processed'))).toEqual([]);
  });
});
