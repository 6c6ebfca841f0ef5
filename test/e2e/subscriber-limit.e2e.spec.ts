import { DataSource } from 'typeorm';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { sealRows } from '../support/row-macs';

const LIST = '/api/v1/notifications';
const URL = 'http://127.0.0.1:9/hook';
const MESSAGE = 'Too many notifications name events of all relayers';

describeService('Notifications that name events of all relayers', { startFor: 'test' }, ({ service }) => {
  /** Adds subscribers, even more than the service allows. */
  const addSubscribers = async (count: number): Promise<void> => {
    const rows = Array.from({ length: count }, (_, i) => ({
      id: `hook-${i}`,
      type: 'webhook' as const,
      url: 'x',
      events: ['signer_deleted' as const],
      isSubscriber: true,
      createdAt: new Date(),
    }));
    await service.app.get(DataSource).getRepository(NotificationEntity).insert(rows);
    await sealRows(service, NotificationEntity);
  };

  const create = (id: string, events?: string[]): Promise<HttpResponse> =>
    service.post(LIST, { id, url: URL, ...(events && { events }) });
  const patch = (id: string, body: object): Promise<HttpResponse> => service.patch(`${LIST}/${id}`, body);
  const remove = (id: string): Promise<HttpResponse> =>
    service.call({ method: 'DELETE', path: `${LIST}/${id}` });
  const outcome = ({ status, body }: HttpResponse): unknown => (status < 300 ? status : body.message);

  it('are at most a hundred, whether they are created or changed', async () => {
    await addSubscribers(99);
    await create('other', ['relayer_update', 'signature_created']);
    await create('default');
    expect(outcome(await create('last', ['change_update']))).toBe(201);

    const refused = await create('one-more', ['relayer_update', 'signer_deleted']);
    expect([refused.status, refused.body.message, refused.body.error]).toEqual([
      409,
      MESSAGE,
      'events: at most 100 notifications may name signer_deleted, change_update or events of plugins',
    ]);
    expect((await service.get(`${LIST}/one-more`)).status).toBe(404);
    expect(outcome(await patch('other', { events: ['change_update'], url: `${URL}/moved` }))).toBe(MESSAGE);
    expect((await service.get(`${LIST}/other`)).body.data).toMatchObject({
      url: URL,
      events: ['relayer_update', 'signature_created'],
    });
    expect(outcome(await create('another', ['relayer_update']))).toBe(201);
    expect(outcome(await create('another-default'))).toBe(201);
  });

  it('can be changed in every way, and replaced by others', async () => {
    await addSubscribers(99);
    await create('last', ['change_update']);
    expect(outcome(await patch('last', { events: ['change_update', 'signer_deleted'] }))).toBe(200);
    expect(outcome(await patch('last', { events: ['signer_deleted'], url: `${URL}/moved` }))).toBe(200);

    expect(outcome(await patch('last', { events: null }))).toBe(200);
    expect(outcome(await create('next', ['change_update']))).toBe(201);
    expect(outcome(await patch('last', { events: ['signer_deleted'] }))).toBe(MESSAGE);
    expect(outcome(await remove('hook-7'))).toBe(200);
    expect(outcome(await patch('last', { events: ['signer_deleted'] }))).toBe(200);
    expect(outcome(await create('one-more', ['change_update']))).toBe(MESSAGE);
  });

  it('are counted exactly if many are created and changed at the same time', async () => {
    await addSubscribers(92);
    const ids = Array.from({ length: 8 }, (_, i) => `p${i}`);
    for (const id of ids) await create(id);
    const outcomes = await Promise.all([
      ...ids.map((id) => patch(id, { events: ['change_update'] })),
      ...ids.map((id) => create(`new-${id}`, ['signer_deleted'])),
    ]);
    const refused = outcomes.map(outcome).filter((result) => typeof result !== 'number');
    expect(refused).toEqual(Array(8).fill(MESSAGE));
    const where = { isSubscriber: true };
    expect(await service.app.get(DataSource).getRepository(NotificationEntity).countBy(where)).toBe(100);
  });

  it('continue to work if there are already more', async () => {
    await addSubscribers(130);
    expect(outcome(await patch('hook-129', { url: URL }))).toBe(200);
    expect(outcome(await patch('hook-129', { events: ['signer_deleted', 'change_update'] }))).toBe(200);
    expect(outcome(await create('one-more', ['change_update']))).toBe(MESSAGE);

    const { id, signerId } = await addRelayer(service);
    await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
    expect((await service.call({ method: 'DELETE', path: `/api/v1/signers/${signerId}` })).status).toBe(200);
    const deliveries = service.app.get(DataSource).getRepository(DeliveryEntity);
    expect(await deliveries.countBy({ event: 'signer_deleted' })).toBe(130);
  });
});
