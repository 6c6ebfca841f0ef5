import { emptyTables } from '../support/builders';
import { describeService } from '../support/describe-service';
import { addGroupedRelayers, GROUPS } from '../support/grouped-relayers';
import type { Call, HttpResponse } from '../support/http';
import { type Grant, LimitedClient, write } from '../support/limited-keys';
import { ROUTE_SCOPES } from '../support/route-scopes';

const RELAYERS = '/api/v1/relayers';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const RAW = {
  transaction: '0xec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080',
};
/** Valid bodies for routes that validate the body before they find the relayer, by the end of their path. */
const BODIES: Record<string, object> = {
  sign: { message: 'x' },
  'sign-transaction': RAW,
  'sign-typed-data': HASHES,
  'sign-typed-data/batch': { items: [HASHES] },
  'transactions/batch': { transactions: [{}] },
};

const bodyFor = (route: string): object =>
  route.startsWith('PATCH') ? { paused: true } : (BODIES[route.split('/:relayer_id/')[1] ?? ''] ?? {});

function requestTo(route: string, relayer: string): Call {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace(':relayer_id', relayer).replaceAll(/:[a-z_]+/g, '0');
  return method === 'GET' || method === 'DELETE' ? { method, path } : { method, path, body: bodyFor(route) };
}

const idsOf = ({ body }: HttpResponse): string[] => body.data.map(({ id }: { id: string }) => id);

describeService('The reach of API keys', ({ service }) => {
  beforeEach(() => addGroupedRelayers(service));

  afterEach(() => emptyTables(service));

  const limited = (reach: Partial<Grant>): Promise<LimitedClient> =>
    LimitedClient.create(service, { scopes: ['*'], ...reach });

  describe.each<[Omit<Grant, 'scopes'>, string[]]>([
    [{}, ['a', 'b', 'c', 'd']],
    [{ relayers: ['a'] }, ['a']],
    [{ relayers: ['a', 'd', 'nobody'] }, ['a', 'd']],
    [{ groups: ['payouts'] }, ['a', 'b']],
    [{ relayers: ['c'], groups: ['payouts'] }, ['a', 'b', 'c']],
    [{ relayers: ['a'], groups: ['payouts', 'treasury'] }, ['a', 'b', 'c']],
    [{ groups: ['nobody'] }, []],
    [{ relayers: ['A'], groups: ['Payouts'] }, []],
    [{ relayers: ['nobody'] }, []],
  ])('with %j', (reach, reached) => {
    it('is the same in lists and in GET', async () => {
      const client = await limited(reach);
      const page = await client.get(`${RELAYERS}?per_page=2`);
      expect(idsOf(page)).toEqual(reached.slice(0, 2));
      expect(page.body.pagination.total_items).toBe(reached.length);
      expect(idsOf(await client.get(`${RELAYERS}?per_page=2&page=2`))).toEqual(reached.slice(2));
      for (const id of Object.keys(GROUPS)) {
        const { status } = await client.get(`${RELAYERS}/${id}`);
        expect([id, status]).toEqual([id, reached.includes(id) ? 200 : 404]);
      }
    });

    it('is the same with cursors', async () => {
      const client = await limited(reach);
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: HttpResponse = await client.get(`${RELAYERS}?per_page=1&cursor=${cursor}`);
        found.push(...idsOf(page));
        cursor = page.body.pagination.next_cursor;
      }
      expect(found).toEqual(reached);
    });
  });

  it.each(Object.keys(ROUTE_SCOPES).filter((route) => route.includes(':relayer_id')))(
    'makes %s respond to a relayer outside it as to one that does not exist',
    async (route) => {
      const client = await limited({ relayers: ['a'], groups: ['payouts'] });
      const [missing, hidden] = [
        await client.call(requestTo(route, 'x')),
        await client.call(requestTo(route, 'c')),
      ];
      expect(missing.status).toBe(404);
      expect([hidden.status, hidden.body]).toEqual([
        404,
        JSON.parse(JSON.stringify(missing.body).replaceAll('ID x', 'ID c')),
      ]);
      expect((await service.get(`${RELAYERS}/c`)).body.data).toMatchObject({ paused: false });
    },
  );

  describe('when relayers are created and changed', () => {
    const create = (client: LimitedClient, body: object) =>
      write(client, 'POST', RELAYERS, {
        ...{ name: 'New', network: 'sepolia', network_type: 'evm', paused: false, signer_id: 'spare' },
        ...body,
      });

    beforeEach(async () => {
      const key = service.keepSecret('7'.repeat(64));
      await service.post('/api/v1/signers', { id: 'spare', type: 'plain', config: { key } });
    });

    it.each([{ id: 'e' }, {}, { id: 'new', group: 'treasury' }, { id: 'new', group: null }])(
      'does not allow the creation of %j, which is outside it',
      async (body) => {
        const { status, body: response } = await create(
          await limited({ relayers: ['new2'], groups: ['payouts'] }),
          body,
        );
        expect([status, response.error]).toEqual([
          403,
          'this API key cannot reach a relayer with this id and group',
        ]);
      },
    );

    it.each([{ id: 'new' }, { group: 'payouts' }, { id: 'new', group: 'treasury' }])(
      'allows %j to be created and read',
      async (body) => {
        const client = await limited({ relayers: ['new'], groups: ['payouts'] });
        const created = await create(client, body);
        expect(created.status).toBe(201);
        expect((await client.get(`${RELAYERS}/${created.body.data.id}`)).body.data).toMatchObject(body);
      },
    );

    it('does not allow the reuse of the id of a deleted relayer outside it, whose history the key could then read', async () => {
      const group = 'payouts';
      for (const id of ['b', 'c', 'd']) await service.call({ method: 'DELETE', path: `${RELAYERS}/${id}` });
      const client = await limited({ groups: [group] });
      for (const id of ['c', 'd']) {
        const refused = await create(client, { id, group });
        expect([refused.status, refused.body.error]).toEqual([
          403,
          'this API key cannot reach what is left of an earlier relayer with this id',
        ]);
        expect((await client.get(`/api/v1/audit-events?relayer_id=${id}`)).body.data).toEqual([]);
      }
      expect((await create(client, { id: 'b', group })).status).toBe(201);
      const deleted = await client.get('/api/v1/audit-events?relayer_id=b&action=relayer.delete');
      expect(deleted.body.data).not.toEqual([]);
      await service.call({ method: 'DELETE', path: `${RELAYERS}/b` });
      const naming = await limited({ relayers: ['c'], groups: [group] });
      expect((await create(naming, { id: 'c', group })).status).toBe(201);
    });

    it('does not allow the use of a signer that serves a relayer outside it', async () => {
      const networks = (await service.get('/api/v1/networks?per_page=1000')).body.data as { name: string }[];
      const network = networks.find(({ name }) => name === 'mainnet')?.name ?? '';
      const body = { group: 'payouts', signer_id: 'signer-c', network };
      const refused = await create(await limited({ groups: ['payouts'] }), body);
      expect([refused.status, refused.body.error]).toEqual([
        403,
        "this API key cannot reach every relayer that signer 'signer-c' serves",
      ]);
      expect((await create(await limited({ groups: ['payouts', 'treasury'] }), body)).status).toBe(201);
    });

    it('does not allow the use of a second signer with the key of a relayer outside it', async () => {
      const treasury = { id: 'other', group: 'treasury', network: 'mainnet' };
      expect((await create(await limited({ groups: ['treasury'] }), treasury)).status).toBe(201);
      const key = service.keepSecret('7'.repeat(64));
      await service.post('/api/v1/signers', { id: 'copy', type: 'plain', config: { key } });
      const body = { id: 'e', group: 'payouts', signer_id: 'copy' };
      const refused = await create(await limited({ groups: ['payouts'] }), body);
      const { address } = (await service.get(`${RELAYERS}/other`)).body.data as { address: string };
      expect([refused.status, refused.body.error]).toEqual([
        403,
        `this API key cannot reach every relayer with the address ${address}`,
      ]);
      expect((await service.get(`${RELAYERS}/e`)).status).toBe(404);
      expect((await create(await limited({ groups: ['payouts', 'treasury'] }), body)).status).toBe(201);
    });

    it('does not allow a relayer to be moved out of it', async () => {
      const client = await limited({ relayers: ['d'], groups: ['payouts'] });
      for (const group of ['treasury', null]) {
        const moved = await write(client, 'PATCH', `${RELAYERS}/a`, { group });
        expect([moved.status, moved.body.message]).toEqual([403, 'Forbidden']);
      }
      expect((await write(client, 'PATCH', `${RELAYERS}/a`, { name: 'Renamed' })).status).toBe(200);
      expect((await write(client, 'PATCH', `${RELAYERS}/d`, { group: 'treasury' })).status).toBe(200);
      expect((await service.get(`${RELAYERS}/a`)).body.data).toMatchObject({
        group: 'payouts',
        name: 'Renamed',
      });
    });

    it('does not allow a relayer to be funded from outside it', async () => {
      const client = await limited({ groups: ['payouts'] });
      const from = (from_relayer: string) => ({
        policies: { top_up: { from_relayer, below: '1', to: '2' } },
      });
      for (const source of ['c', 'nobody']) {
        const { status, body } = await write(client, 'PATCH', `${RELAYERS}/a`, from(source));
        expect([status, body.error]).toEqual([
          403,
          'this API key cannot reach the relayer of policies.top_up.from_relayer',
        ]);
        expect((await create(client, { group: 'payouts', ...from(source) })).status).toBe(403);
      }
      expect((await write(client, 'PATCH', `${RELAYERS}/a`, from('b'))).status).toBe(200);
    });

    it('does not allow a top-up by a key that may not send transactions', async () => {
      const client = await limited({ groups: ['payouts'], scopes: ['relayers:read', 'relayers:write'] });
      const policies = { top_up: { from_relayer: 'b', below: '1', to: '2' } };
      const error = 'this API key lacks the scope transactions:write';
      const changed = await write(client, 'PATCH', `${RELAYERS}/a`, { policies });
      expect([changed.status, changed.body.error]).toEqual([403, error]);
      const created = await create(client, { group: 'payouts', policies });
      expect([created.status, created.body.error]).toEqual([403, error]);
      await service.patch(`${RELAYERS}/a`, { policies });
      const repeated = { policies: { ...policies, min_balance: 3 } };
      expect((await write(client, 'PATCH', `${RELAYERS}/a`, repeated)).status).toBe(200);
      const ended = await write(client, 'PATCH', `${RELAYERS}/a`, { policies: { top_up: null } });
      expect(ended.status).toBe(200);
    });

    it('does not allow changes to the amounts of a top-up from outside it', async () => {
      const client = await limited({ groups: ['payouts'] });
      const policies = { top_up: { from_relayer: 'c', below: '1', to: '2' }, min_balance: 1 };
      expect((await service.patch(`${RELAYERS}/a`, { policies })).status).toBe(200);
      for (const top_up of [{ to: '1000000000000000000' }, { below: '0' }, {}]) {
        const { status, body } = await write(client, 'PATCH', `${RELAYERS}/a`, { policies: { top_up } });
        expect([status, body.error]).toEqual([
          403,
          'this API key cannot reach the relayer of policies.top_up.from_relayer',
        ]);
      }
      const others = await write(client, 'PATCH', `${RELAYERS}/a`, { policies: { min_balance: 2 } });
      expect([others.status, others.body.data.policies.top_up]).toEqual([
        200,
        { from_relayer: 'c', below: 1, to: 2 },
      ]);
      const ended = await write(client, 'PATCH', `${RELAYERS}/a`, { policies: { top_up: null } });
      expect([ended.status, ended.body.data.policies]).toEqual([200, { min_balance: 2 }]);
    });

    it('hides relayers outside it in errors', async () => {
      const inUse = async (client: Pick<LimitedClient, 'call'>) =>
        (await client.call({ method: 'DELETE', path: '/api/v1/notifications/hook' })).body.error;
      expect(await inUse(service)).toMatch(
        /4 relayer\(s\): Relayer a \(a\), Relayer b \(b\), Relayer c \(c\), Relayer d \(d\)$/,
      );
      expect(await inUse(await limited({ relayers: ['d'] }))).toMatch(
        /4 relayer\(s\): Relayer d \(d\) and 3 more$/,
      );
      expect(await inUse(await limited({ groups: ['x'] }))).toMatch(/4 relayer\(s\)$/);
      const taken = await write(await limited({ relayers: ['d'] }), 'DELETE', '/api/v1/signers/signer-a');
      expect(taken.body.error).toMatch(/1 relayer\(s\)$/);
    });
  });

  it('allows a limited key to freeze all signing, but not to unfreeze it', async () => {
    const client = await limited({ relayers: ['a'] });
    expect((await write(client, 'POST', '/api/v1/signing/freeze', { reason: 'INC-142' })).status).toBe(200);
    const refused = await write(client, 'POST', '/api/v1/signing/unfreeze', {});
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'this API key cannot reach every relayer, all of which would sign again',
    ]);
    expect((await client.get('/api/v1/signing/freeze')).body.data.frozen).toBe(true);
    expect((await service.post('/api/v1/signing/unfreeze', {})).body.data.frozen).toBe(false);
  });

  it.each(['', 'x'.repeat(37), 'ä', 'a b', 1, ['payouts']])(
    'cannot be granted by %j, which is not a valid group',
    async (group) => {
      const { status, body } = await service.patch(`${RELAYERS}/a`, { group });
      expect([status, body.error]).toEqual([
        400,
        'group must be 1 to 36 letters, digits, dashes or underscores',
      ]);
    },
  );

  it('changes with the group of a relayer', async () => {
    const client = await limited({ groups: ['payouts'] });
    expect((await service.patch(`${RELAYERS}/d`, { group: 'payouts' })).body.data.group).toBe('payouts');
    expect((await client.get(`${RELAYERS}/d`)).status).toBe(200);
    expect((await service.patch(`${RELAYERS}/d`, { group: null })).body.data).not.toHaveProperty('group');
    expect((await client.get(`${RELAYERS}/d`)).status).toBe(404);
  });

  it('lets a key with relayers:pause change only paused', async () => {
    const client = await LimitedClient.create(service, { scopes: ['relayers:pause'] });
    for (const paused of [true, false])
      expect((await write(client, 'PATCH', `${RELAYERS}/a`, { paused })).body.data.paused).toBe(paused);
    for (const body of [{}, { name: 'x' }, { paused: true, name: 'x' }, { paused: true, policies: null }]) {
      const { status, body: response } = await write(client, 'PATCH', `${RELAYERS}/a`, body);
      expect([status, response.error]).toEqual([403, 'this API key lacks the scope relayers:write']);
    }
    expect((await service.get(`${RELAYERS}/a`)).body.data.paused).toBe(false);
  });

  it('leaves the key id and the relayer id in request logs', async () => {
    const client = await limited({ relayers: ['a'] });
    await client.get(`${RELAYERS}/a`);
    await client.get(`${RELAYERS}/${'x'.repeat(40)}`);
    const lines = service.logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ message, key_id }) => message === 'Request completed' && key_id === client.id);
    expect(lines.map(({ relayer_id }) => relayer_id)).toEqual(['a', undefined]);
  });
});
