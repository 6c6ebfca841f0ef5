import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { ApiKeyUse } from '../../src/auth/api-keys/api-key-use';
import { newApiKeyId, newApiKeyText } from '../../src/auth/api-keys/api-key-text';
import { bearer, createApiKey, rotateApiKey, unrecorded } from '../support/api-keys';
import { TestApplication } from '../support/application';
import { describeService } from '../support/describe-service';
import { apiKey } from '../support/keys';

const PATH = '/api/v1/api-keys';
const STORAGE_ENCRYPTION_KEY = randomBytes(32).toString('base64');
const ROOT_KEYS = [apiKey('one'), apiKey('two')];
const SETTINGS = { STORAGE_ENCRYPTION_KEY, TRUST_PROXY: '1', API_KEY: ROOT_KEYS.join() };

describeService('API keys', { settings: SETTINGS }, ({ service, database }) => {
  const statusWith = async (key: string, from: TestApplication = service): Promise<number> =>
    (await from.get(PATH, bearer(key))).status;

  const asKey = (key: string, method: string, path: string, body?: object) =>
    service.call({ method, path, headers: bearer(key), ...(body && { body }) });

  it.each(ROOT_KEYS)('can be listed with either of two root keys', async (key) => {
    expect(await statusWith(key)).toBe(200);
  });

  it('show their secret only when they are created, and never its hash', async () => {
    const fields = {
      name: 'Checkout',
      scopes: ['api-keys:manage', 'sign:typed-data'],
      relayers: ['treasury'],
      groups: ['checkout'],
      expires_at: '2040-01-31T12:00:00+01:00',
      allowed_ips: ['127.0.0.0/8', '::1'],
      rate_limit: { requests_per_second: 1000, burst: 2000 },
    };
    const { status, body } = await unrecorded(service, 'POST', PATH, fields);
    expect(status).toBe(201);
    const { key, ...shown } = body.data as { key: string; id: string };
    expect(key).toMatch(new RegExp(`^rk_${shown.id}_[0-9A-Za-z]{49}$`));
    expect(shown).toEqual({
      ...fields,
      expires_at: '2040-01-31T11:00:00.000Z',
      id: expect.stringMatching(/^[2-9a-z]{12}$/),
      created_at: expect.stringMatching(/Z$/),
      created_by: 'root',
    });
    service.keepSecret(key);
    service.keepSecret(key.slice(-49));
    const [stored] = await service.app
      .get(DataSource)
      .query<{ secret_hash: string }[]>('SELECT secret_hash FROM api_keys WHERE id = ?', [shown.id]);
    service.keepSecret(stored!.secret_hash);
    expect((await service.get(`${PATH}/${shown.id}`)).body.data).toEqual(shown);
    expect((await service.get(`${PATH}?per_page=100`)).body.data).toContainEqual(shown);
    expect(await statusWith(key)).toBe(200);
  });

  it('are listed by page and by cursor, without revoked keys', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) ids.push((await createApiKey(service, { name: `Listed ${i}` })).id);
    await service.call({ method: 'DELETE', path: `${PATH}/${ids[1]}` });
    const all = (await service.get(`${PATH}?per_page=1000`)).body;
    const listed = (all.data as { id: string }[]).map(({ id }) => id);
    expect(listed.slice(-3)).toEqual([ids[0], ids[2], ids[3]]);
    expect(all.pagination.total_items).toBe(listed.length);
    const second = (await service.get(`${PATH}?per_page=1&page=2`)).body;
    expect(second.data[0].id).toBe(listed[1]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, pagination } = (await service.get(`${PATH}?per_page=2&cursor=${cursor}`)).body;
      seen.push(...(data as { id: string }[]).map(({ id }) => id));
      cursor = pagination.next_cursor as string | null;
    }
    expect(seen).toEqual(listed);
  });

  it('are changed by a merge patch', async () => {
    const { id, key } = await createApiKey(service, { relayers: ['a'], expires_at: '2040-01-01T00:00:00Z' });
    const patch = async (body: object) => (await service.patch(`${PATH}/${id}`, body)).body.data as object;
    const before = (await service.get(`${PATH}/${id}`)).body.data as object;
    expect(await patch({})).toEqual(before);
    expect(await patch({ name: null })).toEqual(before);
    expect(await patch({ name: 'Other', groups: ['g'], relayers: null })).toEqual({
      ...{ id, name: 'Other', scopes: ['api-keys:manage'], groups: ['g'] },
      expires_at: '2040-01-01T00:00:00.000Z',
      created_at: expect.any(String),
      created_by: 'root',
    });
    expect(await patch({ groups: null, expires_at: null })).not.toHaveProperty('groups');
    expect(await statusWith(key)).toBe(200);
    await patch({ scopes: ['freeze'] });
    const refused = await service.get(PATH, bearer(key));
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      message: 'Forbidden',
      error: 'this API key lacks the scope api-keys:manage',
    });
  });

  it('are rotated with or without an overlap', async () => {
    const { id, key: first } = await createApiKey(service);
    const second = await rotateApiKey(service, id);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    const until = Date.parse((await service.get(`${PATH}/${id}`)).body.data.previous_valid_until as string);
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(10_000);
    const third = await rotateApiKey(service, id, { overlap_seconds: 1 });
    expect([await statusWith(first), await statusWith(second), await statusWith(third)]).toEqual([
      401, 200, 200,
    ]);
    await sleep(1000);
    expect([await statusWith(second), await statusWith(third)]).toEqual([401, 200]);
    const fourth = await rotateApiKey(service, id, { overlap_seconds: 0 });
    expect([await statusWith(third), await statusWith(fourth)]).toEqual([401, 200]);
  });

  it('work only from their allowed addresses', async () => {
    const { key } = await createApiKey(service, { allowed_ips: ['192.0.2.0/24', '2001:db8::/48'] });
    const from = async (address: string) =>
      (await service.get(PATH, { ...bearer(key), 'x-forwarded-for': address })).status;
    expect(await from('192.0.2.77')).toBe(200);
    expect(await from('::ffff:192.0.2.77')).toBe(200);
    expect(await from('2001:db8:0:9::1')).toBe(200);
    expect(await from('192.0.2.77:50001')).toBe(200);
    expect(await from('[2001:db8:0:9::1]:50001')).toBe(200);
    expect(await from('198.51.100.1:50001')).toBe(401);
    expect(await from('198.51.100.1')).toBe(401);
    expect(await from('2001:db8:1::1')).toBe(401);
    expect(await statusWith(key)).toBe(401);
  });

  it('have their own rate limits', async () => {
    const { key } = await createApiKey(service, { rate_limit: { requests_per_second: 1, burst: 2 } });
    const { key: other } = await createApiKey(service);
    const seen = [await statusWith(key), await statusWith(key), await statusWith(key)];
    expect(seen).toEqual([200, 200, 429]);
    expect(await statusWith(other)).toBe(200);
  });

  it('show when they were last used, to the minute', async () => {
    const { id, key } = await createApiKey(service);
    const lastUse = async () =>
      (await service.get(`${PATH}/${id}`)).body.data.last_used_at as string | undefined;
    await statusWith(key);
    await service.app.get(ApiKeyUse).saveAll();
    const shown = await lastUse();
    expect(shown).toMatch(/:00\.000Z$/);
    expect(Math.abs(Date.parse(shown!) - Date.now())).toBeLessThan(70_000);
    const later = new Date(Date.parse(shown!) + 120_000);
    await service.app
      .get(DataSource)
      .query('UPDATE api_keys SET last_used_at = ? WHERE id = ?', [
        later.toISOString().replace('T', ' ').replace('Z', ''),
        id,
      ]);
    await statusWith(key);
    await service.app.get(ApiKeyUse).saveAll();
    // A later time that another instance saved is retained.
    expect(await lastUse()).toBe(later.toISOString());
  });

  it('are refused with the same response whatever is wrong with them', async () => {
    const { id, key } = await createApiKey(service);
    const swapped = key.slice(0, -8) + key.at(-7)! + key.at(-8)! + key.slice(-6);
    const wrong: [string, string][] = [
      ['another secret', newApiKeyText(id).reveal()],
      ['an unknown id', newApiKeyText(newApiKeyId()).reveal()],
      ['half of it', key.slice(0, 40)],
      ['another case', key.toUpperCase()],
      ['a typing error', swapped === key ? `${key}x` : swapped],
      ['its id alone', `rk_${id}_`],
      ['twelve kilobytes', key + 'x'.repeat(12_000)],
    ];
    const responses = [];
    for (const [what, text] of wrong) {
      const { status, body, headers } = await service.get(PATH, bearer(text));
      responses.push([what, status, body, headers['www-authenticate']]);
    }
    const refused = await service.get(PATH, { authorization: undefined });
    expect(responses).toEqual(wrong.map(([what]) => [what, 401, refused.body, 'Bearer']));
    expect(service.logs.some((line) => line.includes('"wrong_secret"') && line.includes(id))).toBe(true);
  });

  it('cannot grant more rights than they have', async () => {
    const limits = {
      scopes: ['api-keys:manage', 'relayers:read'],
      relayers: ['a'],
      expires_at: '2040-01-01T00:00:00Z',
      allowed_ips: ['127.0.0.0/8'],
      rate_limit: { requests_per_second: 1000, burst: 1000 },
    };
    const manager = await createApiKey(service, limits);
    const stronger = await createApiKey(service, { name: 'Stronger' });
    const excess: [object, string][] = [
      [{ scopes: ['relayers:write'] }, 'scope relayers:write'],
      [{ scopes: ['*'] }, 'scope *'],
      [{ relayers: ['b'] }, 'relayer b'],
      [{ relayers: null }, 'all relayers'],
      [{ groups: ['g'] }, 'group g'],
      [{ expires_at: '2041-01-01T00:00:00Z' }, 'expires_at after 2040-01-01T00:00:00.000Z'],
      [{ allowed_ips: null }, 'all of allowed_ips'],
      [{ rate_limit: null }, 'rate_limit above 1000 and 1000'],
    ];
    const within = await asKey(manager.key, 'POST', PATH, { name: 'Within', ...limits });
    expect([within.status, within.body.data.created_by]).toEqual([201, manager.id]);
    for (const [fields, what] of excess) {
      const error = `a key cannot grant what it does not have: ${what}`;
      const expected = { message: 'Forbidden', error };
      const created = await asKey(manager.key, 'POST', PATH, { name: 'Beyond', ...limits, ...fields });
      expect([created.status, created.body]).toMatchObject([403, expected]);
      for (const id of [within.body.data.id as string, manager.id]) {
        const patched = await asKey(manager.key, 'PATCH', `${PATH}/${id}`, fields);
        expect([patched.status, patched.body]).toMatchObject([403, expected]);
      }
    }
    for (const [method, path] of [
      ['PATCH', `${PATH}/${stronger.id}`],
      ['POST', `${PATH}/${stronger.id}/rotate`],
    ] as const) {
      const { status, body } = await asKey(manager.key, method, path, {});
      expect([status, body.message]).toEqual([403, 'Forbidden']);
    }
    expect(await statusWith(stronger.key)).toBe(200);
    expect((await asKey(manager.key, 'DELETE', `${PATH}/${stronger.id}`)).status).toBe(200);
  });

  it('hide relayers and groups from keys that do not reach them', async () => {
    const grant = { scopes: ['api-keys:manage'], relayers: ['mine', 'secret'], groups: ['ours', 'theirs'] };
    const other = await createApiKey(service, grant);
    const elsewhere = await createApiKey(service, { ...grant, relayers: ['hidden'], groups: null });
    const limits = { scopes: ['api-keys:manage'], relayers: ['mine'], groups: ['ours'] };
    const manager = await createApiKey(service, limits);
    const { body } = await asKey(manager.key, 'GET', `${PATH}?per_page=1000`);
    expect(JSON.stringify(body)).not.toMatch(/secret|theirs|hidden/);
    const listed = new Map((body.data as { id: string }[]).map((key) => [key.id, key]));
    expect(listed.get(other.id)).toMatchObject({ relayers: ['mine'], groups: ['ours'] });
    expect(listed.get(elsewhere.id)).toMatchObject({ relayers: [] });
    expect((await asKey(manager.key, 'GET', `${PATH}/${elsewhere.id}`)).body.data).toEqual(
      listed.get(elsewhere.id),
    );
    for (const [method, path] of [
      ['PATCH', `${PATH}/${elsewhere.id}`],
      ['POST', `${PATH}/${elsewhere.id}/rotate`],
    ] as const) {
      const refused = await asKey(manager.key, method, path, {});
      expect([refused.status, refused.body.error]).toEqual([
        403,
        'a key changes no key that grants more than itself',
      ]);
    }
    expect((await service.get(`${PATH}/${elsewhere.id}`)).body.data.relayers).toEqual(['hidden']);
  });

  it('cannot get more than the general rate limit from a key without a limit of its own', async () => {
    const manager = await createApiKey(service);
    const fast = await createApiKey(service, { rate_limit: { requests_per_second: 1, burst: 100_001 } });
    const create = (requests_per_second: number, burst: number) => {
      const rate_limit = { requests_per_second, burst };
      return asKey(manager.key, 'POST', PATH, { name: 'New', scopes: ['api-keys:manage'], rate_limit });
    };
    const own = (body: object) => asKey(manager.key, 'PATCH', `${PATH}/${manager.id}`, body);
    const error = 'a key cannot grant what it does not have: rate_limit above 100000 and 100000';
    expect((await create(100_000, 100_000)).status).toBe(201);
    for (const refused of [
      await create(100_001, 1),
      await create(1, 100_001),
      await own({ rate_limit: { requests_per_second: 100_001, burst: 1 } }),
    ])
      expect([refused.status, refused.body.error]).toEqual([403, error]);
    for (const [method, path] of [
      ['PATCH', `${PATH}/${fast.id}`],
      ['POST', `${PATH}/${fast.id}/rotate`],
    ] as const)
      expect((await asKey(manager.key, method, path, {})).status).toBe(403);
    expect((await own({ name: 'Renamed' })).status).toBe(200);
    expect((await asKey(manager.key, 'POST', `${PATH}/${manager.id}/rotate`, {})).status).toBe(200);
  });

  it('do not work if their rows were altered, and can then be deleted', async () => {
    const { id, key } = await createApiKey(service, { scopes: ['freeze'] });
    const query = (statement: string) => service.app.get(DataSource).query(statement, [id]);
    await query(`UPDATE api_keys SET scopes = '["*"]' WHERE id = ?`);
    expect(await statusWith(key)).toBe(401);
    expect((await service.get(`${PATH}/${id}`)).status).toBe(500);
    expect((await service.call({ method: 'DELETE', path: `${PATH}/${id}` })).status).toBe(200);
    expect((await service.get(`${PATH}/${id}`)).status).toBe(404);
  });

  const many = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);

  it.each<[object, string]>([
    [{ name: '' }, 'name must be a string of 1 to 255 characters without control characters'],
    [{ scopes: [] }, 'scopes must be a list of 1 to 21 items'],
    [{ scopes: undefined }, 'scopes must be a list of 1 to 21 items'],
    [{ scopes: many(1999) }, 'scopes must be a list of 1 to 21 items'],
    [{ scopes: ['freeze', 'freeze'] }, 'item 2 of scopes is in the list already'],
    [
      { scopes: ['freeze', 'Freeze'] },
      expect.stringMatching(/^item 2 of scopes must be one of relayers:read, /) as string,
    ],
    [{ scopes: ['toString'] }, expect.stringMatching(/^item 1 of scopes must be one of /) as string],
    [{ scopes: 'freeze' }, 'scopes must be a list of 1 to 21 items'],
    [{ relayers: [] }, 'relayers must be a list of 1 to 100 items'],
    [{ relayers: many(101) }, 'relayers must be a list of 1 to 100 items'],
    [{ relayers: ['a', 'b c'] }, 'item 2 of relayers must be 1 to 36 letters, digits, dashes or underscores'],
    [{ relayers: ['a', 'b', 'a'] }, 'item 3 of relayers is in the list already'],
    [{ groups: [7] }, 'item 1 of groups must be 1 to 36 letters, digits, dashes or underscores'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future'],
    [
      { expires_at: '2040-02-31T00:00:00Z' },
      expect.stringMatching(/^expires_at must be a time of RFC 3339/) as string,
    ],
    [
      { allowed_ips: ['10.0.0.0/33'] },
      expect.stringMatching(/^item 1 of allowed_ips must be an IP address/) as string,
    ],
    [
      { allowed_ips: ['example.com'] },
      expect.stringMatching(/^item 1 of allowed_ips must be an IP address/) as string,
    ],
    [{ rate_limit: { requests_per_second: 1 } }, 'rate_limit.burst must be an integer number'],
    [
      { rate_limit: { requests_per_second: 0, burst: 1 } },
      'rate_limit.requests_per_second must not be less than 1',
    ],
    [{ rate_limit: [] }, 'rate_limit must be an object'],
    [{ secret_hash: 'x' }, 'secret_hash is not a known field'],
    [{ id: 'mine' }, 'id is not a known field'],
  ])('are refused with invalid fields (%#)', async (fields, error) => {
    const body = { name: 'Test', scopes: ['freeze'], ...fields };
    const { status, body: response } = await service.post(PATH, body);
    expect([status, response]).toMatchObject([400, { message: 'Bad Request', error }]);
  });

  it.each([-1, 2_592_001, 1.5, '10'])('are not rotated with an overlap of %j', async (overlap_seconds) => {
    const { id } = await createApiKey(service);
    expect((await service.post(`${PATH}/${id}/rotate`, { overlap_seconds })).status).toBe(400);
  });

  // The instance that starts last receives the log of the process, so this test comes last.

  it('stop working on every instance as soon as they are revoked, narrowed or expired', async () => {
    const other = await TestApplication.start(database, SETTINGS);
    const { id, key } = await createApiKey(service);
    const narrowed = await createApiKey(service);
    const expired = await createApiKey(service);
    for (const one of [key, narrowed.key, expired.key]) {
      expect(await statusWith(one, other)).toBe(200);
      expect(await statusWith(one)).toBe(200);
    }
    const deleted = await service.call({ method: 'DELETE', path: `${PATH}/${id}` });
    expect(deleted.body).toMatchObject({ success: true, data: 'Api key deleted successfully' });
    expect([await statusWith(key, other), await statusWith(key)]).toEqual([401, 401]);
    await service.patch(`${PATH}/${narrowed.id}`, { allowed_ips: ['192.0.2.1'] });
    expect([await statusWith(narrowed.key, other), await statusWith(narrowed.key)]).toEqual([401, 401]);
    await service.patch(`${PATH}/${expired.id}`, { expires_at: new Date(Date.now() + 700).toISOString() });
    expect(await statusWith(expired.key, other)).toBe(200);
    await sleep(710);
    expect([await statusWith(expired.key, other), await statusWith(expired.key)]).toEqual([401, 401]);
    for (const [method, path] of [
      ['GET', `${PATH}/${id}`],
      ['PATCH', `${PATH}/${id}`],
      ['DELETE', `${PATH}/${id}`],
      ['POST', `${PATH}/${id}/rotate`],
    ] as const) {
      const gone = await other.call({ method, path, ...(method !== 'GET' && { body: {} }) });
      expect([gone.status, gone.body.message]).toEqual([404, `Api key with ID ${id} not found`]);
    }
    await other.close();
  });
});
