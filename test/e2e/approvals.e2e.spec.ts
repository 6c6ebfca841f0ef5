import { DataSource } from 'typeorm';
import { ChangeRetention } from '../../src/approvals/change-retention';
import { ChangeRows } from '../../src/approvals/change-rows';
import { ChangeEntity } from '../../src/approvals/change.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { pendingChange } from '../support/pending-changes';
import { until } from '../support/private-servers';

const APPROVALS = 'loosen_policy=2,unpause=1,signer_delete=1,unfreeze=1';
const DAY_MS = 24 * 3_600_000;
const URL = 'https://rpc.example.com/v2/0123456789abcdef';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const TIGHT = { typed_data: { allowed: [{ primary_type: 'Permit' }] }, messages: { allow: 'text' } };

/** The status code and, for a failure, the message. */
const outcome = ({ status, body }: HttpResponse): unknown[] =>
  status < 300 ? [status] : [status, body.message];
const statusOf = ({ body }: HttpResponse): string => body.data.status as string;

describeService('Approvals', { settings: { APPROVALS } }, ({ service }) => {
  let requester: KeyHolder;
  let one: KeyHolder;
  let two: KeyHolder;
  let relayer: string;

  beforeAll(async () => {
    requester = await KeyHolder.add(service);
    one = await KeyHolder.add(service, { scopes: ['approve'] });
    two = await KeyHolder.add(service, { scopes: ['approve'] });
  });

  beforeEach(async () => {
    relayer = `/api/v1/relayers/${(await addRelayer(service, { policies: TIGHT })).id}`;
  });

  const patch = (body: object): Promise<HttpResponse> => requester.call('PATCH', relayer, body);
  const shown = async (): Promise<Record<string, unknown>> =>
    (await service.get(relayer)).body.data as Record<string, unknown>;
  const loosen = async (policies: object = { messages: { allow: 'any' } }): Promise<string> =>
    pendingChange(await patch({ policies }));
  /** Sets the lifetime of changes requested from now on. */
  const expireAfter = (expireMs: number): void => {
    Object.assign(service.app.get(ChangeRows), { expireMs });
  };

  it('apply a change once enough other keys approve, and show it until then', async () => {
    const response = await patch({ policies: { messages: { allow: 'any' } } });
    const id = pendingChange(response);
    expect(response.body.data).toEqual({
      id,
      status: 'pending',
      kind: 'loosen_policy',
      kinds: ['loosen_policy'],
      operation: 'update_relayer',
      request: {
        relayer_id: relayer.split('/').at(-1),
        patch: { policies: { messages: { allow: 'any' } } },
      },
      relayer_id: relayer.split('/').at(-1),
      requested_by: requester.id,
      approvals: [],
      needed: 2,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const { created_at, expires_at } = response.body.data as Record<string, string>;
    expect(Date.parse(expires_at!) - Date.parse(created_at!)).toBe(DAY_MS);
    expect(await shown()).toMatchObject({ policies: TIGHT });

    const first = await one.approve(id);
    expect([first.status, statusOf(first)]).toEqual([200, 'pending']);
    expect(first.body.data.approvals).toEqual([{ key_id: one.id, at: expect.any(String) }]);
    expect(await shown()).toMatchObject({ policies: TIGHT });

    const second = await two.approve(id);
    expect([second.status, statusOf(second)]).toEqual([200, 'applied']);
    expect(second.body.data).toMatchObject({ finished_by: two.id, finished_at: expect.any(String) });
    expect(await shown()).toMatchObject({ policies: { ...TIGHT, messages: { allow: 'any' } } });
    const late = await two.approve(id);
    expect(outcome(late)).toEqual([409, 'Change is not pending']);
    expect(late.body.error).toBe('the change has already been applied');
  });

  it('are refused from the requester, twice from one key, and without the scope', async () => {
    const id = await loosen();
    expect(outcome(await requester.approve(id))).toEqual([403, 'Forbidden']);
    expect(outcome(await one.approve(id))).toEqual([200]);
    const again = await one.approve(id);
    expect(outcome(again)).toEqual([409, 'Change already approved']);
    expect(again.body.error).toBe('this API key has already approved the change: others must approve it too');
    const other = await KeyHolder.add(service, { scopes: ['relayers:write'] });
    expect(outcome(await other.approve(id))).toEqual([403, 'Forbidden']);
    expect(outcome(await other.show(id))).toEqual([403, 'Forbidden']);
    expect(outcome(await one.approve('no-such-change'))).toEqual([
      404,
      'Change with ID no-such-change not found',
    ]);
    // The root key counts as an approver.
    const last = await service.post(`/api/v1/changes/${id}/approve`, {});
    expect(statusOf(last)).toBe('applied');
  });

  it('do not count once their key is revoked', async () => {
    const revoked = await KeyHolder.add(service, { scopes: ['approve'] });
    const id = await loosen();
    await revoked.approve(id);
    await revoked.revoke();
    expect(statusOf(await one.approve(id))).toBe('pending');
    expect(statusOf(await two.approve(id))).toBe('applied');
  });

  it('are void once the relayer has changed', async () => {
    const id = await loosen();
    expect((await patch({ name: 'Renamed' })).status).toBe(200);
    await one.approve(id);
    const last = await two.approve(id);
    expect(outcome(last)).toEqual([409, 'Change cannot be applied']);
    expect(last.body.error).toBe('what the change was requested for has changed since');
    expect((await one.show(id)).body.data).toMatchObject({ status: 'failed', code: 'change_conflict' });
    expect(await shown()).toMatchObject({ policies: TIGHT });
    expect(outcome(await one.approve(id))).toEqual([409, 'Change is not pending']);
  });

  it('are void if the key of the requester was revoked', async () => {
    const gone = await KeyHolder.add(service);
    const id = pendingChange(await gone.call('PATCH', relayer, { policies: null }));
    await gone.revoke();
    await one.approve(id);
    expect(outcome(await two.approve(id))).toEqual([409, 'Change cannot be applied']);
    expect(statusOf(await one.show(id))).toBe('failed');
    expect(await shown()).toMatchObject({ policies: TIGHT });
  });

  it('end with a single rejection, by an approver or by the requester', async () => {
    for (const holder of [one, requester]) {
      const id = await loosen();
      await two.approve(id);
      const rejected = await holder.reject(id);
      expect([rejected.status, statusOf(rejected)]).toEqual([200, 'rejected']);
      expect(rejected.body.data.finished_by).toBe(holder.id);
      expect(outcome(await one.approve(id))).toEqual([409, 'Change is not pending']);
      expect(outcome(await one.reject(id))).toEqual([409, 'Change is not pending']);
    }
    expect(await shown()).toMatchObject({ policies: TIGHT });
  });

  it('are void once the change has expired, before and after its status is stored', async () => {
    const list = async (status: string): Promise<string[]> => {
      const { body } = await one.call('GET', `/api/v1/changes?status=${status}&per_page=1000`);
      return (body.data as { id: string }[]).map(({ id }) => id);
    };
    expireAfter(0);
    const id = (await patch({ policies: null, custom_rpc_urls: [{ url: URL }] })).body.data.id as string;
    expireAfter(DAY_MS);
    const check = async () => {
      expect(statusOf(await one.show(id))).toBe('expired');
      expect(outcome(await one.approve(id))).toEqual([409, 'Change is not pending']);
      expect(outcome(await one.reject(id))).toEqual([409, 'Change is not pending']);
      expect(await list('pending')).not.toContain(id);
      expect(await list('expired')).toContain(id);
    };
    await check();
    await expect(service.app.get(ChangeRetention).endExpired()).resolves.toBe(true);
    await check();
    const rows = await service.app
      .get(DataSource)
      .query<object[]>('SELECT status, secrets FROM change_requests WHERE id = ?', [id]);
    expect(rows).toEqual([{ status: 'expired', secrets: null }]);
    await expect(service.app.get(ChangeRetention).endExpired()).resolves.toBe(false);
  });

  it('expire even if another expired change was altered in the database', async () => {
    const database = service.app.get(DataSource);
    const retention = service.app.get(ChangeRetention);
    const add = (id: string, needed: number): Promise<unknown> =>
      database.query('UPDATE change_requests SET needed = needed + ? WHERE id = ?', [needed, id]);
    expireAfter(0);
    const altered = (await patch({ policies: null })).body.data.id as string;
    const other = (await patch({ policies: null })).body.data.id as string;
    expireAfter(DAY_MS);
    await add(altered, 1);
    await retention.endExpired();
    await add(altered, -1);
    const rows = await database.query<{ id: string; status: string }[]>(
      'SELECT id, status FROM change_requests WHERE id IN (?, ?)',
      [altered, other],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ id: altered, status: 'pending' });
    expect(rows).toContainEqual({ id: other, status: 'expired' });
    await retention.endExpired();
  });

  it('are needed to loosen policies and to resume, never to tighten policies, pause or rename', async () => {
    for (const policies of [null, { typed_data: { allow_blind_hashes: true } }, { transactions: {} }])
      pendingChange(await patch({ policies }));
    for (const body of [
      { policies: { messages: { allow: 'none' } } },
      { policies: { whitelist_receivers: [] } },
      { policies: { typed_data: { allowed: [] } } },
      { paused: true },
      { name: 'Other' },
      { paused: true, policies: { messages: null } },
    ])
      expect(outcome(await patch(body))).toEqual([200]);
    expect(pendingChange(await patch({ paused: false }))).toBeDefined();
  });

  it('are not requested for a change that fails', async () => {
    const response = await patch({ policies: null, notification_id: 'nowhere' });
    expect(outcome(response)).toEqual([404, 'Notification not found']);
  });

  it('are counted once for all kinds of a change, up to the highest number that a kind needs', async () => {
    await patch({ paused: true });
    const response = await patch({ paused: false, policies: null });
    expect(response.body.data).toMatchObject({
      kind: 'loosen_policy',
      kinds: ['loosen_policy', 'unpause'],
      needed: 2,
    });
    const alone = await patch({ paused: false });
    expect(alone.body.data).toMatchObject({ kind: 'unpause', needed: 1 });
    expect(statusOf(await one.approve(pendingChange(alone)))).toBe('applied');
    expect(await shown()).toMatchObject({ paused: false });
  });

  it('are not bypassed by concurrent changes', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        i % 2 === 0
          ? patch({ policies: { messages: { allow: 'any' } } })
          : patch({ policies: { messages: { allow: i % 4 === 1 ? 'none' : 'text' } } }),
      ),
    );
    // A change from none back to text loosens the policy.
    for (const { status } of responses) expect([200, 202]).toContain(status);
    const { policies } = (await shown()) as { policies: { messages: { allow: string } } };
    expect(['none', 'text']).toContain(policies.messages.allow);
    for (const i of [0, 2, 4, 6]) expect(responses[i]!.status).toBe(202);
  });

  it('are needed for new relayers, whose requests are validated immediately', async () => {
    const { signerId, id } = await addRelayer(service, { network: 'mainnet' });
    await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
    const body = {
      ...{ name: 'New', network: 'sepolia', network_type: 'evm', paused: true, signer_id: signerId },
      custom_rpc_urls: [{ url: service.keepSecret(URL), weight: 7 }],
    };
    const invalid = await requester.call('POST', '/api/v1/relayers', { ...body, signer_id: 'none' });
    expect(outcome(invalid)).toEqual([404, 'Signer with ID none not found']);
    const taken = await requester.call('POST', '/api/v1/relayers', {
      ...body,
      id: relayer.split('/').at(-1),
    });
    expect(outcome(taken)).toEqual([409, 'Relayer with this ID already exists']);
    const response = await requester.call('POST', '/api/v1/relayers', body);
    const change = pendingChange(response);
    const { request } = response.body.data as { request: { id: string; custom_rpc_urls: unknown } };
    expect(request.custom_rpc_urls).toEqual([{ url: 'https://rpc.example.com/***', weight: 7 }]);
    expect((await service.get(`/api/v1/relayers/${request.id}`)).status).toBe(404);
    const rows = await service.app
      .get(DataSource)
      .query<object[]>('SELECT * FROM change_requests WHERE id = ?', [change]);
    expect(JSON.stringify(rows)).not.toContain('0123456789abcdef');
    await one.approve(change);
    expect(statusOf(await two.approve(change))).toBe('applied');
    expect((await service.get(`/api/v1/relayers/${request.id}`)).body.data).toMatchObject({
      name: 'New',
      paused: true,
      custom_rpc_urls: [{ weight: 7 }],
    });
  });

  it('are needed to delete signers', async () => {
    const { signerId, id } = await addRelayer(service, { network: 'mainnet' });
    const remove = () => requester.call('DELETE', `/api/v1/signers/${signerId}`);
    expect(outcome(await remove())).toEqual([409, 'Signer is in use']);
    expect((await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` })).status).toBe(200);
    const change = pendingChange(await remove());
    expect((await service.get(`/api/v1/signers/${signerId}`)).status).toBe(200);
    expect(statusOf(await one.approve(change))).toBe('applied');
    expect((await service.get(`/api/v1/signers/${signerId}`)).status).toBe(404);
    expect(outcome(await remove())).toEqual([404, `Signer with ID ${signerId} not found`]);
  });

  it('are needed to end a freeze, and are void for a later freeze', async () => {
    const unfreeze = () => requester.call('POST', '/api/v1/signing/unfreeze', {});
    const freeze = (reason: string) => requester.call('POST', '/api/v1/signing/freeze', { reason });
    expect(outcome(await unfreeze())).toEqual([200]);
    expect(outcome(await freeze('first'))).toEqual([200]);
    const [early, late] = [pendingChange(await unfreeze()), pendingChange(await unfreeze())];
    expect(outcome(await service.post(`${relayer}/sign-typed-data`, HASHES))).toEqual([
      403,
      'Signing frozen',
    ]);
    expect(statusOf(await one.approve(early))).toBe('applied');
    expect((await service.get('/api/v1/signing/freeze')).body.data.frozen).toBe(false);
    expect(outcome(await freeze('second'))).toEqual([200]);
    expect(outcome(await one.approve(late))).toEqual([409, 'Change cannot be applied']);
    expect((await service.get('/api/v1/signing/freeze')).body.data.reason).toBe('second');
    await one.approve(pendingChange(await unfreeze()));
  });

  it('to end a freeze are void once signing is frozen again, which the audit log shows', async () => {
    const unfreeze = () => requester.call('POST', '/api/v1/signing/unfreeze', {});
    const freeze = (reason: string) => requester.call('POST', '/api/v1/signing/freeze', { reason });
    const state = async () => (await service.get('/api/v1/signing/freeze')).body.data as object;
    expect(outcome(await freeze('first'))).toEqual([200]);
    const before = await state();
    const early = pendingChange(await unfreeze());
    expect((await freeze('new danger')).body.data).toEqual(before);
    expect(outcome(await one.approve(early))).toEqual([409, 'Change cannot be applied']);
    expect(await state()).toEqual(before);
    const events = (await service.get('/api/v1/audit-events?action=signing.freeze')).body.data as object[];
    expect(events[0]).toMatchObject({
      changes: {
        frozen_again: { before: 0, after: 1 },
        reason: { before: null, after: 'new danger' },
      },
    });
    expect(statusOf(await one.approve(pendingChange(await unfreeze())))).toBe('applied');
  });

  it('are limited to keys that reach the relayer, as are lists of changes', async () => {
    const id = await loosen();
    const relayers = [relayer.split('/').at(-1)!];
    const near = await KeyHolder.add(service, { scopes: ['approve'], relayers });
    const far = await KeyHolder.add(service, { scopes: ['approve'], relayers: ['elsewhere'], groups: ['g'] });
    const list = async (holder: KeyHolder): Promise<string[]> =>
      ((await holder.call('GET', '/api/v1/changes?status=pending')).body.data as { id: string }[]).map(
        (change) => change.id,
      );
    expect(await list(near)).toEqual([id]);
    expect(await list(far)).toEqual([]);
    for (const response of [await far.show(id), await far.approve(id), await far.reject(id)])
      expect(outcome(response)).toEqual([404, `Change with ID ${id} not found`]);
    expect(statusOf(await near.approve(id))).toBe('pending');
    expect(statusOf(await one.approve(id))).toBe('applied');
  });

  it('are listed by page and cursor, with a filter', async () => {
    const ids = [await loosen(), await loosen(), await loosen()];
    await one.reject(ids[1]!);
    const list = async (query: string) => (await one.call('GET', `/api/v1/changes?${query}`)).body;
    const all = await list('per_page=1000');
    expect(all.pagination.total_items).toBe(all.data.length);
    const seen: string[] = [];
    let cursor: string | null = '';
    do {
      const page = await list(`cursor=${cursor}&per_page=2&status=pending`);
      seen.push(...(page.data as { id: string }[]).map(({ id }) => id));
      cursor = page.pagination.next_cursor as string | null;
    } while (cursor !== null);
    expect(seen.slice(-2)).toEqual([ids[0], ids[2]]);
    const rejected = await list('status=rejected&per_page=1000');
    expect((rejected.data as { id: string }[]).map(({ id }) => id)).toContain(ids[1]);
    expect(outcome(await one.call('GET', '/api/v1/changes?status=open'))).toEqual([400, 'Bad Request']);
  });

  it('are counted, and limited to 100 pending requests per key', async () => {
    const busy = await KeyHolder.add(service);
    const request = () => busy.call('PATCH', relayer, { policies: null });
    for (let i = 0; i < 100; i += 1) expect((await request()).status).toBe(202);
    const refused = await request();
    expect(outcome(refused)).toEqual([429, 'Too Many Requests']);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await service.get('/metrics/changes_pending')).text).toMatch(/^changes_pending(\{.*\})? \d+$/m);
    const changes = service.app.get(DataSource).getRepository(ChangeEntity);
    const createdAt = new Date(Date.now() - 10 * 3_600_000);
    await changes.update({ status: 'pending', requestedBy: busy.id }, { createdAt });
    await until('the age of the oldest', async () => {
      const { text } = await service.get('/metrics/change_oldest_pending_seconds');
      return Number(/^change_oldest_pending_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]) >= 36_000;
    });
  });

  it('do not apply a change that was altered in the database', async () => {
    const id = await loosen();
    await one.approve(id);
    await service.app
      .get(DataSource)
      .query('UPDATE change_requests SET approvals = ? WHERE id = ?', [
        JSON.stringify([{ key_id: two.id, at: '2026-01-01T00:00:00.000Z' }]),
        id,
      ]);
    expect(outcome(await one.approve(id))).toEqual([500, 'Internal Server Error']);
    expect(await shown()).toMatchObject({ policies: TIGHT });
    await service.app.get(DataSource).query('DELETE FROM change_requests WHERE id = ?', [id]);
  });
});
