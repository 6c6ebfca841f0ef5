import { ProtectedRows } from '../../src/database/integrity/protected-rows';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { addRelayer, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';
import { freePort } from '../support/private-servers';

const HASHES = {
  domain_separator: 'f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: 'c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};
/** The digest of the EIP-712 example. */
const DIGEST = 'be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

describeService('Events of signatures', { startFor: 'test' }, ({ service }) => {
  const addNotification = async (id: string, events?: string[]): Promise<void> => {
    const url = `http://127.0.0.1:${await freePort()}/hook`;
    expect((await service.post('/api/v1/notifications', { id, url, events })).status).toBe(201);
  };

  const payloads = async (): Promise<object[]> => {
    const deliveries = await service.app.get(UnitOfWork).repository(DeliveryEntity).find();
    return deliveries.map(({ event, payload }) => ({ event, ...payload }));
  };

  it('report the form and digest of a signature to notifications that subscribe to them', async () => {
    await addNotification('hook', ['signature_created']);
    const { id } = await addRelayer(service, { privateKey: COW_KEY, notificationId: 'hook' });
    const path = `/api/v1/relayers/${id}`;
    expect((await service.post(`${path}/sign-typed-data`, HASHES)).status).toBe(200);
    expect((await service.post(`${path}/sign`, { message: 'Some data' })).status).toBe(200);
    const batch = await service.post(`${path}/sign-typed-data/batch`, { items: [HASHES, {}, HASHES] });
    expect(batch.body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, false, true]);
    const received = await payloads();
    const of = (form: string) => received.filter((payload) => 'form' in payload && payload.form === form);
    expect(of('typed_data_hashes')).toEqual(
      Array(3).fill({
        event: 'signature_created',
        payload_type: 'signature',
        relayer_id: id,
        form: 'typed_data_hashes',
        digest: DIGEST,
      }),
    );
    expect(of('message')).toMatchObject([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(received).toHaveLength(4);
  });

  it('are not sent to notifications that do not subscribe to them', async () => {
    await addNotification('hook');
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    expect((await service.post(`/api/v1/relayers/${id}/sign-typed-data`, HASHES)).status).toBe(200);
    expect(await payloads()).toEqual([]);
  });

  it('are created for each item of the largest batch', async () => {
    await addNotification('hook', ['signature_created']);
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const items = Array(1000).fill(HASHES);
    const response = await service.post(`/api/v1/relayers/${id}/sign-typed-data/batch`, { items });
    expect(response.status).toBe(200);
    expect(await payloads()).toHaveLength(1000);
  });

  it('do not block a signature whose notification is deleted concurrently', async () => {
    await addNotification('hook', ['signature_created']);
    const { id } = await addRelayer(service, { notificationId: 'hook' });
    const path = `/api/v1/relayers/${id}`;
    const findById = ProtectedRows.prototype.findById;
    const isDeleted = jest.fn();
    const reading = jest.spyOn(ProtectedRows.prototype, 'findById').mockImplementation(async function (
      this: ProtectedRows<never>,
      rowId,
    ) {
      const row = await findById.call(this, rowId);
      if (rowId === 'hook') {
        reading.mockRestore();
        expect((await service.patch(path, { notification_id: null })).status).toBe(200);
        isDeleted((await service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' })).status);
      }
      return row as never;
    });
    expect((await service.post(`${path}/sign-typed-data`, HASHES)).status).toBe(200);
    expect(isDeleted).toHaveBeenCalledWith(200);
    // Only the former receiver gets an event, of the deletion.
    expect(await payloads()).toEqual([
      { event: 'notification_deleted', payload_type: 'notification_deleted', notification_id: 'hook' },
    ]);
  });
});
