import type { AuditEventResponse } from '../../src/audit/events/audit-event.response';
import { createHmac } from 'node:crypto';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

const KEY = 'the first signing key, 32 bytes and more';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };

describeService('A change that hides something from a webhook', { startFor: 'test' }, ({ service }) => {
  let receiver: Receiver;
  let other: Receiver;

  beforeEach(async () => {
    [receiver, other] = await Promise.all([Receiver.start(), Receiver.start()]);
  });

  afterEach(() => Promise.all([receiver.close(), other.close()]));

  const add = async (more: object = {}): Promise<void> => {
    const body = { id: 'hook', url: receiver.url, ...more };
    expect((await service.post('/api/v1/notifications', body)).status).toBe(201);
  };

  const change = async (path: string, body: object): Promise<void> => {
    expect((await service.patch(path, body)).status).toBe(200);
  };

  const remove = async (path: string): Promise<void> => {
    expect((await service.call({ method: 'DELETE', path })).status).toBe(200);
  };

  const kindsAt = ({ received }: Receiver) =>
    received.map(({ event }) => `${event.event} ${event.payload.payload_type}`).sort();

  const arrived = (at: Receiver, count: number) =>
    until(`${count} events`, () => at.received.length >= count);

  it('is reported if the relayer is unlinked, signs under looser policies and is linked again', async () => {
    await add();
    const policies = { typed_data: { allowed: [] } };
    const { id } = await addRelayer(service, { notificationId: 'hook', policies });
    const path = `/api/v1/relayers/${id}`;
    expect((await service.post(`${path}/sign-typed-data`, HASHES)).status).toBe(403);
    await change(path, { notification_id: null });
    await change(path, { policies: { typed_data: { allow_blind_hashes: true } } });
    expect((await service.post(`${path}/sign-typed-data`, HASHES)).status).toBe(200);
    await change(path, { policies: { typed_data: { allow_blind_hashes: null } } });
    await change(path, { notification_id: 'hook' });
    await arrived(receiver, 2);
    expect(kindsAt(receiver)).toEqual(['relayer_update relayer', 'relayer_update relayer_unlinked']);
    const unlinked = receiver.received.find(({ event }) => event.payload.payload_type === 'relayer_unlinked');
    expect(unlinked?.event.payload).toMatchObject({ relayer: { id } });
    expect(unlinked?.event.payload).not.toHaveProperty('relayer.notification_id');
    const { body } = await service.get(`/api/v1/audit-events?relayer_id=${id}&per_page=100`);
    const recorded = (body.data as AuditEventResponse[]).map(({ action, outcome, changes }) =>
      [action, outcome, ...(action === 'relayer.update' ? Object.keys(changes ?? {}) : [])].join(' '),
    );
    expect(recorded.reverse()).toEqual([
      'relayer.create success',
      'signature.create failure',
      'relayer.update success notification_id',
      'relayer.update success policies',
      'signature.create success',
      'relayer.update success policies',
      'relayer.update success notification_id',
    ]);
  });

  it('is reported if the relayer is linked to another webhook', async () => {
    await add();
    await service.post('/api/v1/notifications', { id: 'other', url: other.url });
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    await change(`/api/v1/relayers/${id}`, { notification_id: 'other', paused: true });
    await Promise.all([arrived(receiver, 1), arrived(other, 2)]);
    expect(kindsAt(receiver)).toEqual(['relayer_update relayer_unlinked']);
    expect(kindsAt(other)).toEqual(['relayer_state_update relayer_paused', 'relayer_update relayer']);
    expect(receiver.received[0]?.event.payload).toMatchObject({ relayer: { notification_id: 'other' } });
  });

  it('is reported if the relayer is unlinked or deleted, whatever the list names', async () => {
    await add({ events: ['signature_created'] });
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const path = `/api/v1/relayers/${id}`;
    await change(path, { notification_id: null });
    expect((await service.post(`${path}/sign-typed-data`, HASHES)).status).toBe(200);
    await change(path, { notification_id: 'hook' });
    await change(path, { name: 'another' });
    await arrived(receiver, 1);
    await remove(path);
    await arrived(receiver, 2);
    expect(kindsAt(receiver)).toEqual(['relayer_deleted relayer_deleted', 'relayer_update relayer_unlinked']);
    for (const { event } of receiver.received) expect(event.payload).toMatchObject({ relayer: { id } });
  });

  it('is reported if events are removed from the list, whatever the list names', async () => {
    await add({ events: ['relayer_update', 'relayer_state_update'] });
    await change('/api/v1/notifications/hook', { events: ['relayer_update', 'relayer_low_balance'] });
    await arrived(receiver, 1);
    expect(receiver.received[0]?.event).toMatchObject({
      event: 'notification_update',
      payload: {
        payload_type: 'notification',
        notification_id: 'hook',
        changed: ['events'],
        events: ['relayer_update', 'relayer_low_balance'],
      },
    });
  });

  it('is not reported if it only adds events or changes nothing', async () => {
    await add({ events: ['relayer_update'], signing_key: KEY });
    for (const body of [{ events: null }, { url: receiver.url }, { signing_key: KEY }, { type: 'webhook' }])
      await change('/api/v1/notifications/hook', body);
    const { body } = await service.get('/api/v1/notifications/hook/deliveries');
    expect(body.data).toEqual([]);
  });

  it('is reported to the former URL, signed with the former key', async () => {
    await add({ signing_key: KEY });
    await change('/api/v1/notifications/hook', { url: other.url, signing_key: '' });
    await Promise.all([arrived(receiver, 1), arrived(other, 1)]);
    for (const at of [receiver, other]) {
      expect(kindsAt(at)).toEqual(['notification_update notification']);
      expect(at.received[0]?.event.payload).toMatchObject({ changed: ['url', 'signing_key'] });
    }
    const { headers, body } = receiver.received[0]!;
    expect(headers['x-signature']).toBe(createHmac('sha256', KEY).update(body).digest('base64'));
    expect(other.received[0]?.headers).not.toHaveProperty('x-signature');
    expect(JSON.stringify(receiver.received)).not.toContain(other.url);
  });

  it('is reported if the signing key is replaced, signed with both keys', async () => {
    await add({ signing_key: KEY });
    await change('/api/v1/notifications/hook', { signing_key: 'x'.repeat(40) });
    await arrived(receiver, 1);
    const { headers, body } = receiver.received[0]!;
    expect(headers['x-signature-previous']).toBe(createHmac('sha256', KEY).update(body).digest('base64'));
  });

  it('is reported if the relayer is deleted, and then the webhook', async () => {
    await add({ signing_key: KEY });
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const relayer = (await service.get(`/api/v1/relayers/${id}`)).body.data;
    await remove(`/api/v1/relayers/${id}`);
    await arrived(receiver, 1);
    expect(receiver.received[0]?.event).toMatchObject({
      event: 'relayer_deleted',
      payload: { payload_type: 'relayer_deleted', relayer },
    });
    await remove('/api/v1/notifications/hook');
    await arrived(receiver, 2);
    expect(receiver.received[1]?.event).toMatchObject({
      event: 'notification_deleted',
      payload: { payload_type: 'notification_deleted', notification_id: 'hook' },
    });
    expect(receiver.received[1]?.headers).toHaveProperty('x-signature');
  });

  it('is not reported if it is refused', async () => {
    await add();
    await addRelayer(service, { notificationId: 'hook' });
    const refused = await service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' });
    expect(refused.status).toBe(409);
    await service.post('/api/v1/notifications/hook/test', {});
    await arrived(receiver, 1);
    expect(kindsAt(receiver)).toEqual(['test test']);
  });

  it('is reported even if many former receivers do not respond', async () => {
    await add();
    const hanging = await Receiver.start();
    hanging.respond = () => undefined;
    const path = '/api/v1/notifications/hanging';
    await service.post('/api/v1/notifications', { id: 'hanging', url: hanging.url });
    for (let i = 0; i < 100; i += 1) await change(path, { url: `${hanging.url}/${i}` });
    await change('/api/v1/notifications/hook', { url: other.url });
    await arrived(receiver, 1);
    expect(kindsAt(receiver)).toEqual(['notification_update notification']);
    await hanging.close();
  });

  it('is reported if a signer is deleted, to webhooks that subscribe to this', async () => {
    await add({ events: ['signer_deleted'] });
    await service.post('/api/v1/notifications', { id: 'other', url: other.url });
    const { id, signerId, address } = await addRelayer(service);
    await remove(`/api/v1/relayers/${id}`);
    await remove(`/api/v1/signers/${signerId}`);
    await arrived(receiver, 1);
    expect(receiver.received[0]?.event).toMatchObject({
      event: 'signer_deleted',
      payload: { payload_type: 'signer_deleted', signer: { id: signerId, address } },
    });
    expect(other.received).toEqual([]);
  });
});
