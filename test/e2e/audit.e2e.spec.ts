import { randomBytes } from 'node:crypto';
import { bearer, createApiKey, unrecorded } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { send } from '../support/http';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
/** keccak256(0x1901 ‖ ab… ‖ cd…). */
const DIGEST = /^[0-9a-f]{64}$/;
const PROVIDER_KEY = 'a-path-that-is-a-token';

interface Shown {
  id: string;
  at: string;
  key_id: string | null;
  action: string;
  relayer_id: string | null;
  signer_id: string | null;
  request_id: string | null;
  client_ip: string | null;
  outcome: string;
  code: string | null;
  digest: string | null;
  form: string | null;
  changes: Record<string, { before: unknown; after: unknown }> | null;
  chain: number;
  sequence: number;
  hash: string;
}

describeService('The audit log', ({ service }) => {
  const events = async (query = ''): Promise<Shown[]> => {
    const response = await service.get(`/api/v1/audit-events?per_page=1000${query}`);
    expect(response.status).toBe(200);
    return response.body.data as Shown[];
  };
  const newest = async (action: string): Promise<Shown | undefined> => (await events(`&action=${action}`))[0];
  /** Refusals are recorded after the response. */
  const eventually = async (action: string, code: string): Promise<Shown> => {
    for (let i = 0; i < 100; i += 1) {
      const found = (await events(`&action=${action}`)).find((event) => event.code === code);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`There is no ${action} with ${code}`);
  };
  const byRoot = { key_id: 'root', request_id: expect.any(String), client_ip: '127.0.0.1' };

  beforeAll(async () => {
    const key = service.keepSecret(randomBytes(32).toString('hex'));
    const webhookKey = service.keepSecret(randomBytes(20).toString('hex'));
    service.keepSecret(PROVIDER_KEY);
    const network = { name: 'here', network_type: 'evm', chain_id: 424_243 };
    await service.post('/api/v1/networks', network);
    await service.post('/api/v1/signers', { id: 's', type: 'plain', config: { key } });
    const url = `https://hooks.example.com/${PROVIDER_KEY}`;
    // The response shows the URL to those who may change it; the audit log does not.
    await unrecorded(service, 'POST', '/api/v1/notifications', { id: 'n', url, signing_key: webhookKey });
    const relayer = {
      id: 'r',
      name: 'R',
      network: 'here',
      network_type: 'evm',
      signer_id: 's',
      paused: false,
    };
    const custom_rpc_urls = [{ url: `https://rpc.example.com/${PROVIDER_KEY}`, weight: 100 }];
    expect((await service.post('/api/v1/relayers', { ...relayer, custom_rpc_urls })).status).toBe(201);
  });

  it('records the networks created at start, without a key', async () => {
    const created = await events('&action=provisioning.network.create');
    expect(created.length).toBeGreaterThan(10);
    expect(created[0]).toMatchObject({ key_id: null, request_id: null, client_ip: null, outcome: 'success' });
    expect(created.map(({ changes }) => changes?.name?.after)).toContain('mainnet');
  });

  it('records each created resource without its secrets', async () => {
    expect(await newest('network.create')).toMatchObject({
      ...byRoot,
      changes: { id: { before: null, after: 'evm:here' }, chain_id: { before: null, after: '424243' } },
    });
    expect(await newest('signer.create')).toMatchObject({
      ...byRoot,
      signer_id: 's',
      changes: { type: { before: null, after: 'local' }, secret: { before: null, after: '[redacted]' } },
    });
    expect((await newest('notification.create'))?.changes).toEqual({
      id: { before: null, after: 'n' },
      type: { before: null, after: 'webhook' },
      url: { before: null, after: 'https://hooks.example.com/***' },
      signing_key: { before: null, after: '[redacted]' },
    });
    expect(await newest('relayer.create')).toMatchObject({
      ...byRoot,
      relayer_id: 'r',
      signer_id: 's',
      changes: {
        paused: { before: null, after: false },
        custom_rpc_urls: { before: null, after: '[redacted]' },
      },
    });
  });

  it('records changed fields with their values before and after', async () => {
    const patch = { name: 'Q', notification_id: 'n', policies: { typed_data: {} } };
    const response = await service.patch('/api/v1/relayers/r', patch);
    expect(await newest('relayer.update')).toMatchObject({
      ...byRoot,
      request_id: response.headers['x-request-id'],
      relayer_id: 'r',
      outcome: 'success',
      code: null,
      digest: null,
      changes: {
        name: { before: 'R', after: 'Q' },
        notification_id: { before: null, after: 'n' },
        policies: { before: {}, after: { typed_data: {} } },
      },
    });
    const count = (await events('&action=relayer.update')).length;
    await service.patch('/api/v1/relayers/r', { name: 'Q' });
    await service.patch('/api/v1/relayers/r', {});
    expect(await events('&action=relayer.update')).toHaveLength(count);
  });

  it('records a refused signature with its code, and a signature with its digest', async () => {
    const sign = () => service.post('/api/v1/relayers/r/sign-typed-data', HASHES);
    expect((await sign()).status).toBe(403);
    const common = { ...byRoot, relayer_id: 'r', form: 'typed_data_hashes' };
    const refused = await newest('signature.create');
    expect(refused).toMatchObject({ ...common, outcome: 'failure', code: 'typed_data_not_allowed' });
    await service.patch('/api/v1/relayers/r', { policies: null, notification_id: null });
    expect((await sign()).status).toBe(200);
    const signed = await newest('signature.create');
    expect(signed).toMatchObject({ ...common, outcome: 'success', code: null, signer_id: 's' });
    expect(signed?.digest).toMatch(DIGEST);
    expect(signed?.digest).toBe(refused?.digest);
    const before = (await events('&action=signature.create')).length;
    await service.post('/api/v1/relayers/none/sign-typed-data', HASHES);
    await service.post('/api/v1/relayers/r/sign-typed-data', {});
    expect(await events('&action=signature.create')).toHaveLength(before);
  });

  it('records each item of a batch', async () => {
    const before = (await events('&action=signature.create')).length;
    const items = Array.from({ length: 50 }, (_, i) => ({
      ...HASHES,
      hash_struct_message: i.toString(16).padStart(64, '0'),
    }));
    await service.post('/api/v1/relayers/r/sign-typed-data/batch', { items });
    const found = await events('&action=signature.create');
    expect(found).toHaveLength(before + 50);
    expect(new Set(found.slice(0, 50).map(({ digest }) => digest)).size).toBe(50);
    expect(new Set(found.slice(0, 50).map(({ at }) => at)).size).toBe(1);
  });

  it('records each item of a refused batch', async () => {
    const { id } = await addRelayer(service, { policies: { messages: { allow: 'text' } } });
    const items = [HASHES, { ...HASHES, hash_struct_message: 'ef'.repeat(32) }];
    await service.post(`/api/v1/relayers/${id}/sign-typed-data/batch`, { items });
    const found = await events(`&action=signature.create&relayer_id=${id}`);
    const refused = { ...byRoot, code: 'typed_data_not_allowed', digest: expect.stringMatching(DIGEST) };
    expect(found).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)]);
    expect(new Set(found.map(({ digest }) => digest)).size).toBe(2);
  });

  it('records freeze and unfreeze', async () => {
    await service.post('/api/v1/signing/freeze', { reason: 'an incident' });
    await service.post('/api/v1/relayers/r/sign', { message: 'x' });
    await service.post('/api/v1/signing/unfreeze', {});
    expect((await newest('signing.freeze'))?.changes).toEqual({
      frozen: { before: false, after: true },
      reason: { before: null, after: 'an incident' },
    });
    expect((await newest('signing.unfreeze'))?.changes).toEqual({ frozen: { before: true, after: false } });
    expect(await newest('signature.create')).toMatchObject({ code: 'signing_frozen', form: 'message' });
  });

  it('records changes of API keys, and refused requests of keys', async () => {
    const { id, key } = await createApiKey(service, { name: 'Reader', scopes: ['relayers:read'] });
    expect(await newest('api_key.create')).toMatchObject({
      ...byRoot,
      changes: {
        id: { before: null, after: id },
        name: { before: null, after: 'Reader' },
        secret: { before: null, after: '[redacted]' },
        scopes: { before: null, after: ['relayers:read'] },
      },
    });
    expect((await service.get('/api/v1/audit-events', bearer(key))).status).toBe(403);
    expect(await eventually('access.refuse', 'forbidden')).toMatchObject({
      key_id: id,
      outcome: 'failure',
      changes: { route: { after: 'GET /api/v1/audit-events' } },
    });
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    expect((await service.get('/api/v1/relayers', bearer(mistyped))).status).toBe(401);
    await eventually('authentication.fail', 'malformed');
    await service.call({ method: 'DELETE', path: `/api/v1/api-keys/${id}` });
    expect((await newest('api_key.revoke'))?.changes?.id).toEqual({ before: id, after: null });
    expect((await service.get('/api/v1/relayers', bearer(key))).status).toBe(401);
    expect(await eventually('authentication.fail', 'revoked')).toMatchObject({ key_id: id });
  });

  it('shows a key that is limited to relayers only their events', async () => {
    const mine = await createApiKey(service, { scopes: ['audit:read'], relayers: ['r'] });
    const others = await createApiKey(service, { scopes: ['audit:read'], relayers: ['other'] });
    const seen = await service.get('/api/v1/audit-events?per_page=1000', bearer(mine.key));
    const data = seen.body.data as Shown[];
    expect(data.length).toBeGreaterThan(50);
    expect(new Set(data.map(({ relayer_id }) => relayer_id))).toEqual(new Set(['r']));
    const unseen = await service.get('/api/v1/audit-events?relayer_id=r', bearer(others.key));
    expect(unseen.body.data).toEqual([]);
    const exported = await service.get('/api/v1/audit-events/export', bearer(others.key));
    expect(exported).toMatchObject({ status: 200, text: '' });
  });

  it('is listed newest first, in pages and with filters', async () => {
    const all = await events();
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    const paged: Shown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await service.get(`/api/v1/audit-events?per_page=37&cursor=${cursor}`);
      paged.push(...(body.data as Shown[]));
      cursor = body.pagination.next_cursor as string | null;
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const middle = all[Math.floor(all.length / 2)]!;
    const since = await events(`&since=${middle.at}`);
    const until = await events(`&until=${middle.at}`);
    expect(since.length + until.length).toBe(all.length);
    expect(since.every(({ at }) => at >= middle.at) && until.every(({ at }) => at < middle.at)).toBe(true);
    expect(new Set((await events('&key_id=root')).map(({ key_id }) => key_id))).toEqual(new Set(['root']));
    expect(await events('&relayer_id=r&action=signing.freeze')).toEqual([]);
  });

  it('is exported oldest first, as newline-delimited JSON', async () => {
    const { text, headers } = await service.get('/api/v1/audit-events/export');
    expect(headers['content-type']).toBe('application/x-ndjson');
    const lines = text.trimEnd().split('\n');
    const all = await events();
    expect(lines.map((line) => JSON.parse(line) as Shown)).toEqual([...all].reverse());
    const filtered = await service.get('/api/v1/audit-events/export?action=signing.freeze');
    expect(filtered.text.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    ['cursor=x', 'cursor must be given once, as next_cursor of an earlier response'],
    ['cursor=MTp4', 'cursor must be given once, as next_cursor of an earlier response'],
    ['per_page=1001', 'per_page must be given once, as an integer from 0 to 1000'],
    ['since=yesterday', expect.stringContaining('since must be a time of RFC 3339')],
    ['action=', 'action must be given once, as a string of 1 to 128 characters'],
    ['key_id=a&key_id=b', 'key_id must be given once, as a string of 1 to 128 characters'],
  ])('refuses the query %s', async (query, error) => {
    const response = await service.get(`/api/v1/audit-events?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error });
  });

  it('records each deleted resource', async () => {
    for (const path of ['relayers/r', 'signers/s', 'notifications/n', 'networks/evm:here'])
      expect((await service.call({ method: 'DELETE', path: `/api/v1/${path}` })).status).toBe(200);
    expect(await newest('relayer.delete')).toMatchObject({
      relayer_id: 'r',
      signer_id: 's',
      changes: { name: { before: 'Q', after: null } },
    });
    expect(await newest('signer.delete')).toMatchObject({ signer_id: 's' });
    expect((await newest('notification.delete'))?.changes?.id).toEqual({ before: 'n', after: null });
    expect((await newest('network.delete'))?.changes?.id).toEqual({ before: 'evm:here', after: null });
  });

  it('is not flooded by anonymous requests', async () => {
    const guess = () =>
      send(service.url, {
        path: '/api/v1/relayers',
        headers: bearer(`guess-${randomBytes(20).toString('hex')}`),
      });
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 40 }, guess));
    const { text } = await service.call({ path: '/debug/metrics/scrape' });
    expect(Number(/^audit_refusals_dropped_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(100);
    expect((await events('&action=authentication.fail')).length).toBeLessThan(250);
  });
});
