import { DataSource, Repository } from 'typeorm';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import { sealRows } from '../support/row-macs';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeService('The notifications API', ({ service }) => {
  afterEach(() => emptyTables(service));

  const storedKey = async (id: string): Promise<string | null> => {
    const rows: { signing_key: string | null }[] = await service.app
      .get(DataSource)
      .query('SELECT signing_key FROM notifications WHERE id = ?', [id]);
    return rows[0]?.signing_key ?? null;
  };

  it('creates a notification with the required fields only', async () => {
    const response = await service.post('/api/v1/notifications', { url: 'https://hooks.example.com/a?b=c' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(UUID_V4),
        type: 'webhook',
        url: 'https://hooks.example.com/a?b=c',
        has_signing_key: false,
      },
      error: null,
    });
  });

  it('creates a notification with all fields, and encrypts the key', async () => {
    const signing_key = service.keepSecret('a signing key that nobody may see 1');
    const body = { id: 'ops_Hook-1', type: 'webhook', url: 'http://hooks.example.com', signing_key };
    const response = await service.post('/api/v1/notifications', body);
    expect(response.status).toBe(201);
    expect(response.body.data).toEqual({
      id: 'ops_Hook-1',
      type: 'webhook',
      url: body.url,
      has_signing_key: true,
    });
    expect(await storedKey('ops_Hook-1')).toMatch(/^v1\.[0-9a-f]{12}\./);
  });

  it('treats null in optional fields as absent', async () => {
    const body = { id: null, type: null, signing_key: null, url: 'https://hooks.example.com' };
    expect((await service.post('/api/v1/notifications', body)).status).toBe(201);
  });

  it('returns 409 for an existing id, and does not change its notification', async () => {
    await service.post('/api/v1/notifications', { id: 'hook', url: 'https://one.example.com' });
    const response = await service.post('/api/v1/notifications', {
      id: 'hook',
      url: 'https://two.example.com',
    });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({
      success: false,
      data: null,
      error: 'Notification with this ID already exists',
      message: 'Notification with this ID already exists',
    });
    expect((await service.get('/api/v1/notifications')).body.data).toEqual([
      { id: 'hook', type: 'webhook', url: 'https://one.example.com', has_signing_key: false },
    ]);
  });

  it('creates an id once for 20 concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.post('/api/v1/notifications', { id: 'one', url: 'https://a.example.com' }),
      ),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([
      201,
      ...Array<number>(19).fill(409),
    ]);
  });

  it('lists in order of creation with pagination', async () => {
    for (const id of ['c', 'a', 'b'])
      await service.post('/api/v1/notifications', { id, url: 'https://x.example.com' });
    const response = await service.get('/api/v1/notifications?per_page=2');
    expect(response.body.data.map((item: { id: string }) => item.id)).toEqual(['c', 'a']);
    expect(response.body.pagination).toEqual({ current_page: 1, per_page: 2, total_items: 3 });
  });

  it('updates the URL, and sets, retains and removes the key', async () => {
    const patch = (body: unknown) => service.patch('/api/v1/notifications/hook', body);
    await service.post('/api/v1/notifications', { id: 'hook', url: 'https://one.example.com' });
    expect((await patch({ url: 'https://two.example.com' })).body.data).toMatchObject({
      url: 'https://two.example.com',
    });
    const signing_key = service.keepSecret('a signing key that nobody may see 2');
    expect((await patch({ signing_key })).body.data.has_signing_key).toBe(true);
    const sealed = await storedKey('hook');
    expect((await patch({})).body.data.has_signing_key).toBe(true);
    expect((await patch({ signing_key: null, url: null, type: null })).body.data).toMatchObject({
      url: 'https://two.example.com',
    });
    expect(await storedKey('hook')).toBe(sealed);
    expect((await patch({ signing_key: '' })).body.data.has_signing_key).toBe(false);
    expect(await storedKey('hook')).toBeNull();
    expect((await patch({ type: 'webhook' })).status).toBe(200);
  });

  it('replaces a key that can no longer be decrypted, without retaining a previous key', async () => {
    await service.post('/api/v1/notifications', {
      id: 'hook',
      url: 'https://one.example.com',
      signing_key: service.keepSecret('a signing key that nobody may see 3'),
    });
    const dataSource = service.app.get(DataSource);
    const lost = 'v1.0123456789ab.AAAA';
    await dataSource.query('UPDATE notifications SET signing_key = ?, previous_signing_key = ?', [
      lost,
      lost,
    ]);
    await sealRows(service, NotificationEntity);
    const signing_key = service.keepSecret('a signing key that nobody may see 4');
    const response = await service.patch('/api/v1/notifications/hook', { signing_key });
    expect([response.status, response.body.data?.has_signing_key]).toEqual([200, true]);
    expect(await storedKey('hook')).not.toBe(lost);
    expect(await dataSource.query('SELECT previous_signing_key FROM notifications')).toEqual([
      { previous_signing_key: null },
    ]);
  });

  it('deletes a notification despite a deadlock', async () => {
    await service.post('/api/v1/notifications', { id: 'hook', url: 'https://one.example.com' });
    const deadlock = Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' });
    const remove = jest.spyOn(Repository.prototype, 'delete').mockRejectedValueOnce(deadlock);
    const response = await service.call({ method: 'DELETE', path: '/api/v1/notifications/hook' });
    remove.mockRestore();
    expect(response.status).toBe(200);
    expect((await service.get('/api/v1/notifications')).body.data).toEqual([]);
  });

  it.each(['nowhere', 'x'.repeat(100), 'a%20b'])('returns 404 for %s', async (id) => {
    const response = await service.patch(`/api/v1/notifications/${id}`, { url: 'https://x.example.com' });
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({
      message: 'Notification not found',
      error: 'Notification not found',
    });
  });
});
