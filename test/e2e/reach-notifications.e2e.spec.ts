import { DataSource, EntityManager } from 'typeorm';
import { DeliveryEntity, type DeliveryState } from '../../src/notifications/deliveries/delivery.entity';
import { addRelayer, emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import { addGroupedRelayers, GROUPS } from '../support/grouped-relayers';
import type { HttpResponse } from '../support/http';
import { type Grant, LimitedClient, write } from '../support/limited-keys';

const RELAYERS = '/api/v1/relayers';

describeService('The reach of API keys among notifications', ({ service }) => {
  beforeEach(() => addGroupedRelayers(service));

  afterEach(() => emptyTables(service));

  const limited = (reach: Omit<Grant, 'scopes'>): Promise<LimitedClient> =>
    LimitedClient.create(service, { scopes: ['*'], ...reach });

  it.each(['change_update', 'signer_deleted'])(
    'does not include the event %s if it is limited',
    async (event) => {
      const HOOKS = '/api/v1/notifications';
      const url = 'http://127.0.0.1:9/mine';
      const approvers = { id: 'approvers', url: 'http://127.0.0.1:9/theirs', events: [event] };
      expect((await service.post(HOOKS, approvers)).status).toBe(201);
      const client = await limited({ groups: ['payouts'] });
      for (const [method, path, body] of [
        ['POST', HOOKS, { url, events: ['relayer_update', event] }],
        ['PATCH', `${HOOKS}/hook`, { events: [event] }],
        ['PATCH', `${HOOKS}/approvers`, { url }],
        ['PATCH', `${HOOKS}/approvers`, {}],
      ] as const) {
        const refused = await write(client, method, path, body);
        expect([refused.status, refused.body.error]).toEqual([
          403,
          `this API key cannot reach what the event ${event} is about`,
        ]);
      }
      expect((await write(client, 'POST', HOOKS, { url, events: ['signature_created'] })).status).toBe(201);
      const silenced = await write(client, 'DELETE', `${HOOKS}/approvers`);
      expect([silenced.status, silenced.body.error]).toEqual([
        403,
        `this API key cannot reach what the event ${event} is about`,
      ]);
      expect((await service.get(`${HOOKS}/approvers`)).status).toBe(200);
    },
  );

  it('does not allow changes to a notification of a relayer outside it', async () => {
    const HOOK = '/api/v1/notifications/hook';
    const url = 'http://127.0.0.1:9/mine';
    for (const reach of [{ relayers: ['a'] }, { groups: ['payouts', 'treasury'] }])
      for (const body of [{ url }, { signing_key: '' }, { events: ['relayer_update'] }, {}]) {
        const { status, body: response } = await write(await limited(reach), 'PATCH', HOOK, body);
        expect([status, response.error]).toEqual([
          403,
          "this API key cannot reach every relayer that notification 'hook' is of",
        ]);
      }
    expect((await service.get(HOOK)).body.data).not.toHaveProperty('events');
    const all = await limited({ relayers: ['d'], groups: ['payouts', 'treasury'] });
    expect((await write(all, 'PATCH', HOOK, { url })).status).toBe(200);
    for (const id of ['b', 'c', 'd']) await service.patch(`${RELAYERS}/${id}`, { notification_id: null });
    // Events about them wait for a retry, which their former webhook must still get.
    const client = await limited({ relayers: ['a'] });
    expect((await write(client, 'PATCH', HOOK, { url: `${url}/2` })).status).toBe(403);
    await service.app.get(DataSource).query("DELETE FROM deliveries WHERE relayer_id <> 'a'");
    expect((await write(client, 'PATCH', HOOK, { url: `${url}/2` })).status).toBe(200);
  });

  it('does not allow its relayers a notification of relayers outside it, whose receiver trusts its events', async () => {
    await service.post('/api/v1/notifications', { id: 'free', url: 'http://127.0.0.1:9/free' });
    const client = await limited({ groups: ['payouts'] });
    const link = (id: string | null) => write(client, 'PATCH', `${RELAYERS}/a`, { notification_id: id });
    // It has this one already.
    expect((await link('hook')).status).toBe(200);
    expect((await link('free')).status).toBe(200);
    const refused = await link('hook');
    expect([refused.status, refused.body.error]).toEqual([
      403,
      "this API key cannot reach every relayer that notification 'hook' is of",
    ]);
    expect((await write(client, 'PATCH', `${RELAYERS}/b`, { notification_id: 'free' })).status).toBe(200);
    const both = await limited({ relayers: ['d'], groups: ['payouts', 'treasury'] });
    expect((await write(both, 'PATCH', `${RELAYERS}/a`, { notification_id: 'hook' })).status).toBe(200);
  });

  const HOOKS = '/api/v1/notifications';
  const MASKED = 'https://hooks.example.com/***';
  const urlFor = (id: string) => `https://hooks.example.com/services/${id}?token=t0k3n`;

  it.each<[string, Omit<Grant, 'scopes'>, string[]]>([
    ['no limits', {}, ['approvers', 'mixed', 'payouts', 'treasury', 'unused']],
    ['a group', { groups: ['payouts'] }, ['payouts']],
    ['relayers', { relayers: ['a', 'c'] }, ['treasury']],
    ['both', { relayers: ['b', 'c'], groups: ['payouts'] }, ['mixed', 'payouts', 'treasury']],
    ['nothing', { relayers: ['nobody'] }, []],
  ])('with %s shows whole URLs only of notifications that no others use', async (_what, reach, shown) => {
    const users = { payouts: ['a', 'b'], treasury: ['c'], mixed: ['b', 'c'], unused: [], approvers: ['a'] };
    for (const [id, relayers] of Object.entries(users)) {
      const body = { id, url: urlFor(id), ...(id === 'approvers' && { events: ['change_update'] }) };
      expect((await service.post(HOOKS, body)).status).toBe(201);
      for (const relayer of relayers) {
        const more = { signerId: `signer-${id}-${relayer}`, group: GROUPS[relayer] ?? null };
        await addRelayer(service, { id: `${id}-${relayer}`, notificationId: id, ...more });
      }
    }
    const { relayers, groups } = reach;
    const named = relayers?.flatMap((relayer) => Object.keys(users).map((id) => `${id}-${relayer}`));
    const client = await limited({ ...(named && { relayers: named }), ...(groups && { groups }) });
    const list = await client.get(`${HOOKS}?per_page=100`);
    const others = (list.body.data as { id: string; url: string }[]).filter(({ id }) => id !== 'hook');
    expect(Object.fromEntries(others.map(({ id, url }) => [id, url]))).toEqual(
      Object.fromEntries(Object.keys(users).map((id) => [id, shown.includes(id) ? urlFor(id) : MASKED])),
    );
    for (const { id, url } of others)
      expect((await client.get(`${HOOKS}/${id}`)).body.data).toMatchObject({ id, url });
  });

  it('shows the URL of a notification to the key that sets it', async () => {
    const client = await limited({ groups: ['payouts'] });
    const created = await write(client, 'POST', HOOKS, { id: 'own', url: urlFor('own') });
    expect([created.status, created.body.data.url]).toEqual([201, urlFor('own')]);
    const own = `${HOOKS}/own`;
    expect((await client.get(own)).body.data.url).toBe(MASKED);
    for (const body of [{}, { events: ['relayer_update'] }])
      expect((await write(client, 'PATCH', own, body)).body.data.url).toBe(MASKED);
    const asShown = await write(client, 'PATCH', own, { url: MASKED });
    expect([asShown.status, asShown.body.data.url]).toEqual([200, MASKED]);
    expect((await service.get(own)).body.data.url).toBe(urlFor('own'));
    const moved = await write(client, 'PATCH', own, { url: urlFor('moved') });
    expect([moved.status, moved.body.data.url]).toEqual([200, urlFor('moved')]);
    await service.patch(`${RELAYERS}/a`, { notification_id: 'own' });
    expect((await client.get(own)).body.data.url).toBe(urlFor('moved'));
    expect((await write(client, 'PATCH', own, {})).body.data.url).toBe(urlFor('moved'));
  });

  it('takes one statement for a list, however long', async () => {
    for (const id of ['one', 'two', 'three']) await service.post(HOOKS, { id, url: urlFor(id) });
    const client = await limited({ groups: ['payouts'] });
    const query = jest.spyOn(EntityManager.prototype, 'query');
    const counts: number[] = [];
    for (const size of [1, 4]) {
      query.mockClear();
      expect((await client.get(`${HOOKS}?per_page=${size}`)).body.data).toHaveLength(size);
      counts.push(query.mock.calls.filter(([sql]) => /from relayers/i.test(sql)).length);
    }
    query.mockRestore();
    expect(counts).toEqual([1, 1]);
  });

  it.each<[string, string, string | null, number]>([
    ['pending', 'relayer_update', 'c', 403],
    ['dead', 'relayer_update', 'c', 403],
    ['dead', 'relayer_deleted', 'gone', 200],
    ['pending', 'change_update', null, 403],
    ['delivered', 'relayer_update', 'c', 200],
    ['pending', 'relayer_update', 'a', 200],
    ['pending', 'relayer_update', 'b', 200],
    ['pending', 'test', null, 200],
    ['pending', 'notification_update', null, 200],
  ])(
    'if a delivery is %s (%s about %s), decides about changes to its notification: %i',
    async (state, event, relayerId, status) => {
      const path = '/api/v1/notifications/former';
      const client = await limited({ relayers: ['a'], groups: ['payouts'] });
      await service.post('/api/v1/notifications', { id: 'former', url: 'http://127.0.0.1:9/former' });
      const createdAt = new Date();
      const later = new Date(Date.now() + 3_600_000);
      await service.app.get(DataSource).manager.insert(DeliveryEntity, {
        ...{
          id: 'd',
          notificationId: 'former',
          relayerId,
          event,
          payload: {},
          state: state as DeliveryState,
        },
        ...{ attempts: 1, giveUpAt: later, nextAttemptAt: state === 'pending' ? later : null, createdAt },
      });
      expect((await write(client, 'PATCH', path, { events: ['relayer_update'] })).status).toBe(200);
      const responses = [
        await write(client, 'PATCH', path, { url: 'http://127.0.0.1:9/mine' }),
        await write(client, 'DELETE', path),
      ];
      expect(responses.map((response) => response.status)).toEqual([status, status]);
      for (const { body } of responses.filter((response) => response.status === 403))
        expect(body.error).toBe(
          "this API key cannot reach everything that waits to be delivered to notification 'former'",
        );
      expect((await write(await limited({}), 'DELETE', path)).status).toBe(status === 403 ? 200 : 404);
    },
  );

  it.each<[Omit<Grant, 'scopes'>, number]>([
    [{ groups: ['payouts'] }, 403],
    [{ relayers: ['a', 'd'] }, 403],
    [{ groups: ['treasury'] }, 200],
    [{ relayers: ['c'] }, 200],
    [{}, 200],
  ])('with %j decides about the events of a deleted relayer that wait: %i', async (reach, status) => {
    // Nobody listens there, so that the event about the deletion waits for a retry.
    await service.post(HOOKS, { id: 'theirs', url: 'http://127.0.0.1:9/theirs' });
    await service.patch(`${RELAYERS}/c`, { notification_id: 'theirs' });
    await service.call({ method: 'DELETE', path: `${RELAYERS}/c` });
    const client = await limited(reach);
    for (const [method, body] of [
      ['PATCH', { url: 'http://127.0.0.1:9/mine' }],
      ['DELETE', undefined],
    ] as const)
      expect((await write(client, method, `${HOOKS}/theirs`, body)).status).toBe(status);
  });

  it('allows the deletion of a notification that no relayer uses, unless its row was altered', async () => {
    const client = await limited({ relayers: ['a'] });
    for (const id of ['free', 'altered'])
      await service.post('/api/v1/notifications', { id, url: 'http://127.0.0.1:9/free' });
    await service.app.get(DataSource).query("UPDATE notifications SET type = 'other' WHERE id = 'altered'");
    const statusOf = async (id: string, by: Pick<LimitedClient, 'call'>): Promise<number> =>
      (await by.call({ method: 'DELETE', path: `/api/v1/notifications/${id}` })).status;
    expect(await statusOf('free', client)).toBe(200);
    expect(await statusOf('altered', client)).toBe(403);
    expect(await statusOf('altered', service)).toBe(200);
  });

  describe('for deliveries', () => {
    const DELIVERIES = '/api/v1/notifications/hook/deliveries';

    beforeEach(async () => {
      await service.app
        .get(DataSource)
        .query("UPDATE notifications SET switched_off_at = '2026-01-01 00:00:00'");
      for (const id of Object.keys(GROUPS)) await service.patch(`${RELAYERS}/${id}`, { paused: true });
      await service.post('/api/v1/notifications/hook/test', {});
    });

    const seenBy = async (client: Pick<LimitedClient, 'get'>): Promise<Map<string, string>> => {
      const { body } = await client.get(`${DELIVERIES}?per_page=100`);
      const found = body.data as { id: string; payload: { relayer?: { id: string } } }[];
      return new Map(found.map(({ id, payload }) => [payload.relayer?.id ?? 'test', id]));
    };

    it.each<[Omit<Grant, 'scopes'>, string[]]>([
      [{}, ['a', 'b', 'c', 'd', 'test']],
      [{ relayers: ['a'] }, ['a', 'test']],
      [{ groups: ['payouts'] }, ['a', 'b', 'test']],
      [{ relayers: ['d'], groups: ['treasury'] }, ['c', 'd', 'test']],
      [{ relayers: ['nobody'] }, []],
    ])('with %j is the same in lists, GET and replays', async (reach, expected) => {
      const client = await limited(reach);
      const all = await seenBy(service);
      expect([...all.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'test']);
      expect([...(await seenBy(client)).keys()].sort()).toEqual(expected);
      for (const [about, id] of all) {
        const status = expected.includes(about) ? 200 : 404;
        expect((await client.get(`${DELIVERIES}/${id}`)).status).toBe(status);
        expect((await write(client, 'POST', `${DELIVERIES}/${id}/replay`)).status).toBe(status);
      }
    });

    it('allows tests of receivers within it, and of unused ones, unless they get events about all relayers', async () => {
      const client = await limited({ relayers: ['a'] });
      await service.post('/api/v1/notifications', { id: 'theirs', url: 'http://127.0.0.1:9/theirs' });
      await service.patch(`${RELAYERS}/d`, { notification_id: 'theirs' });
      const approvers = { id: 'approvers', url: 'http://127.0.0.1:9/a', events: ['change_update'] };
      await service.post('/api/v1/notifications', approvers);
      await service.post('/api/v1/notifications', { id: 'unused', url: 'http://127.0.0.1:9/unused' });
      for (const [id, isAllowed] of [
        ['hook', true],
        ['unused', true],
        ['theirs', false],
        ['approvers', false],
      ] as const) {
        const path = `/api/v1/notifications/${id}`;
        const { data } = (await service.post(`${path}/test`, {})).body as { data: { id: string } };
        const shown = await client.get(`${path}/deliveries/${data.id}`);
        expect([id, shown.status]).toEqual([id, isAllowed ? 200 : 404]);
        const own = await write(client, 'POST', `${path}/test`);
        expect([id, own.status]).toEqual([id, isAllowed ? 201 : 403]);
        if (!isAllowed)
          expect(own.body.error).toBe(`this API key cannot reach what notification '${id}' is about`);
      }
    });

    it('limits a replay to the deliveries within it', async () => {
      const client = await limited({ groups: ['payouts'] });
      const since = '2026-01-01T00:00:00Z';
      const { body } = await write(client, 'POST', `${DELIVERIES}/replay`, { since });
      expect(body.data.replayed).toBeGreaterThanOrEqual(2);
      for (const [about, id] of await seenBy(service)) {
        const failure = (await service.get(`${DELIVERIES}/${id}`)).body.data.last_failure as string;
        const isLeft = ['c', 'd'].includes(about);
        expect([about, failure === 'switched_off']).toEqual([about, isLeft]);
      }
    });

    it('is the same with filters and cursors', async () => {
      const client = await limited({ groups: ['payouts'] });
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: HttpResponse = await client.get(
          `${DELIVERIES}?event=relayer_state_update&per_page=1&cursor=${cursor}`,
        );
        found.push(
          ...page.body.data.map(
            ({ payload }: { payload: { relayer: { id: string } } }) => payload.relayer.id,
          ),
        );
        cursor = page.body.pagination.next_cursor;
      }
      expect(found.sort()).toEqual(['a', 'b']);
    });

    it('includes those of a deleted relayer only if it names the relayer', async () => {
      await service.call({ method: 'DELETE', path: `${RELAYERS}/a` });
      expect([...(await seenBy(await limited({ relayers: ['a'] }))).keys()]).toContain('a');
      expect([...(await seenBy(await limited({ groups: ['payouts'] }))).keys()]).not.toContain('a');
    });
  });
});
