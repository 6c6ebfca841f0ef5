import type { AuditEventResponse } from '../../src/audit/events/audit-event.response';
import { ApprovalsService } from '../../src/approvals/approvals.service';
import { ChangeDecisionsService } from '../../src/approvals/change-decisions.service';
import { RelayerUpdates } from '../../src/relayers/relayer-requests';
import { bearer } from '../support/api-keys';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createMariaDb, describeWithMariaDb, type TestDatabase, withSchema } from '../support/databases';
import { describeService } from '../support/describe-service';
import { type HttpResponse, send } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { apiKey, storageKey } from '../support/keys';
import { changeOutcome, pendingChange } from '../support/pending-changes';
import { rounds } from '../support/rounds';

/** The private method that applies a change once it has enough approvals. */
interface Private {
  run: () => Promise<void>;
}

const TIGHT = { messages: { allow: 'text' } };
const ROUNDS = rounds(50, 10);

describeWithMariaDb('Approvals on two instances', () => {
  let database: TestDatabase;
  let services: [TestApplication, TestApplication];

  beforeAll(async () => {
    database = await withSchema(createMariaDb)();
    const settings = {
      ...{ STORAGE_ENCRYPTION_KEY: storageKey(7), API_KEY: apiKey('approvals') },
      APPROVALS: 'loosen_policy=2',
    };
    services = [
      await TestApplication.start(database, settings),
      await TestApplication.start(database, settings),
    ];
  });

  afterAll(async () => {
    for (const service of services) await service.close();
    await database.drop();
  });

  it('apply a change once if they are given concurrently', async () => {
    const [first, second] = services;
    const requester = await KeyHolder.add(first);
    const approvers = await Promise.all(Array.from({ length: 4 }, () => KeyHolder.add(first)));
    const apply = services.map((service) =>
      jest.spyOn(service.app.get(RelayerUpdates, { strict: false }), 'apply'),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await addRelayer(first, { policies: TIGHT });
      const change = pendingChange(
        await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }),
      );
      const responses = await Promise.all(
        approvers.map((approver, i) => approver.approve(change, i % 2 === 0 ? first : second)),
      );
      for (const response of responses) {
        const [status, text] = changeOutcome(response);
        // An approval that comes too late is refused with 409.
        expect([200, 409]).toContain(status);
        expect(['pending', 'applied', 'Change is not pending']).toContain(text);
      }
      expect((await requester.show(change)).body.data.status).toBe('applied');
      expect((await first.get(`/api/v1/relayers/${id}`)).body.data.policies).toBeUndefined();
    }
    expect(apply.reduce((sum, spy) => sum + spy.mock.calls.length, 0)).toBeGreaterThanOrEqual(ROUNDS);
  });
});

describeService(
  'Approvals of an interrupted change',
  { settings: { APPROVALS: 'loosen_policy=1' } },
  ({ service }) => {
    it('survive a crash, and apply the change when an approver repeats the request', async () => {
      const [requester, one] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const change = pendingChange(
        await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }),
      );
      // The approval is committed, then the instance crashes.
      const decisions = service.app.get(ChangeDecisionsService, { strict: false });
      const run = jest.spyOn(decisions as unknown as Private, 'run');
      run.mockRejectedValueOnce(new Error('The instance was killed'));
      expect(changeOutcome(await one.approve(change))).toEqual([500, 'Internal Server Error']);
      run.mockRestore();
      expect((await one.show(change)).body.data).toMatchObject({
        status: 'pending',
        approvals: [{ key_id: one.id }],
      });
      expect(changeOutcome(await one.approve(change))).toEqual([200, 'applied']);
      expect(changeOutcome(await one.approve(change))).toEqual([409, 'Change is not pending']);
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toBeUndefined();
    });

    it('do not count if their key is revoked while the change is being applied', async () => {
      const [requester, one] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const change = pendingChange(
        await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }),
      );
      const updates = service.app.get(RelayerUpdates, { strict: false });
      const apply = updates.apply.bind(updates);
      const slow = jest.spyOn(updates, 'apply').mockImplementationOnce(async (...args) => {
        await one.revoke();
        return apply(...args);
      });
      expect(changeOutcome(await one.approve(change))).toEqual([200, 'pending']);
      slow.mockRestore();
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toEqual(TIGHT);
      const other = await KeyHolder.add(service);
      expect(changeOutcome(await other.approve(change))).toEqual([200, 'applied']);
    });

    it('are rolled back with the change, and can be given again', async () => {
      const [requester, one] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const change = pendingChange(
        await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }),
      );
      const approvals = service.app.get(ApprovalsService);
      const require = approvals.require.bind(approvals);
      const fails = jest.spyOn(approvals, 'require').mockImplementationOnce(async (...args) => {
        await require(...args);
        throw new Error('The database is away');
      });
      expect(changeOutcome(await one.approve(change))).toEqual([500, 'Internal Server Error']);
      fails.mockRestore();
      expect((await one.show(change)).body.data.status).toBe('pending');
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toEqual(TIGHT);
      expect(changeOutcome(await one.approve(change))).toEqual([200, 'applied']);
    });
  },
);

describeService(
  'The audit log of an approved change',
  { settings: { APPROVALS: 'loosen_policy=1' } },
  ({ service }) => {
    it('shows who requested it, who approved it, and the client of each', async () => {
      const [requester, approver] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const requested = await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null });
      const change = pendingChange(requested);
      const approved = await approver.approve(change);
      expect(changeOutcome(approved)).toEqual([200, 'applied']);
      const { body } = await service.get(`/api/v1/audit-events?relayer_id=${id}`);
      const events = (body.data as AuditEventResponse[]).map(({ action, changes, ...event }) => ({
        ...{ action, key_id: event.key_id, request_id: event.request_id, client_ip: event.client_ip },
        approved_change: changes?.approved_change,
      }));
      const client = { client_ip: '127.0.0.1', approved_change: undefined };
      const [first, second] = [requested.headers['x-request-id'], approved.headers['x-request-id']];
      expect(events.slice(0, 4)).toEqual([
        // Its client is unknown by now: the event change.request has it.
        {
          ...{ action: 'relayer.update', key_id: requester.id, request_id: second, client_ip: null },
          approved_change: { before: null, after: change },
        },
        { action: 'change.apply', key_id: approver.id, request_id: second, ...client },
        { action: 'change.approve', key_id: approver.id, request_id: second, ...client },
        { action: 'change.request', key_id: requester.id, request_id: first, ...client },
      ]);
    });
  },
);

describeService('Approvals of API keys', { settings: { APPROVALS: 'api_key_scope=1' } }, ({ service }) => {
  let requester: KeyHolder;
  let approver: KeyHolder;

  beforeAll(async () => {
    requester = await KeyHolder.add(service);
    approver = await KeyHolder.add(service, { scopes: ['approve'] });
  });

  /** Sends a request without recording its response, which holds a key. */
  const unrecorded = (method: string, path: string, body: object): Promise<HttpResponse> =>
    send(service.url, { method, path, body, headers: bearer(requester.key) });
  const works = async (key: string): Promise<number> =>
    (await service.get('/api/v1/relayers', bearer(key))).status;

  it('are needed for a new key, which is shown immediately and works once approved', async () => {
    const body = { name: 'New', scopes: ['relayers:read', 'approve'] };
    const response = await unrecorded('POST', '/api/v1/api-keys', body);
    const change = pendingChange(response);
    const key = service.keepSecret(response.body.data.key as string);
    expect(response.body.data).toMatchObject({ kind: 'api_key_scope', request: { key: body } });
    expect(await works(key)).toBe(401);
    expect((await service.get(`/api/v1/changes/${change}`, bearer(key))).status).toBe(401);
    expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
    expect(await works(key)).toBe(200);
    const { key_id: id } = response.body.data.request as { key_id: string };
    const shown = await service.get(`/api/v1/api-keys/${id}`);
    expect(shown.body.data).toMatchObject({ ...body, created_by: requester.id });
  });

  it('are needed if a key gains rights, not if it loses rights', async () => {
    const other = await KeyHolder.add(service, { scopes: ['relayers:read'], relayers: ['a'] });
    const patch = (body: object) => requester.call('PATCH', `/api/v1/api-keys/${other.id}`, body);
    for (const body of [
      { name: 'Renamed' },
      { expires_at: '2099-01-01T00:00:00Z' },
      { allowed_ips: ['127.0.0.0/8'] },
      { rate_limit: { requests_per_second: 5, burst: 5 } },
    ])
      expect((await patch(body)).status).toBe(200);
    for (const body of [
      { scopes: ['relayers:read', 'approve'] },
      { relayers: ['a', 'b'] },
      { relayers: null },
      { expires_at: null },
      { allowed_ips: null },
      { rate_limit: { requests_per_second: 6, burst: 5 } },
    ])
      pendingChange(await patch(body));
    const change = pendingChange(await patch({ scopes: ['relayers:read', 'rpc'] }));
    expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
    const { body } = await service.get(`/api/v1/api-keys/${other.id}`);
    expect(body.data.scopes).toEqual(['relayers:read', 'rpc']);
    const revoked = await requester.call('DELETE', `/api/v1/api-keys/${other.id}`);
    expect(revoked.status).toBe(200);
  });

  it('are needed to rotate another key, not to rotate the key of the requester', async () => {
    const other = await KeyHolder.add(service, { scopes: ['relayers:read', 'approve'] });
    const response = await unrecorded('POST', `/api/v1/api-keys/${other.id}/rotate`, { overlap_seconds: 0 });
    const change = pendingChange(response);
    const key = service.keepSecret(response.body.data.key as string);
    expect([await works(key), await works(other.key)]).toEqual([401, 200]);
    expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
    expect([await works(key), await works(other.key)]).toEqual([200, 401]);
    const own = await unrecorded('POST', `/api/v1/api-keys/${requester.id}/rotate`, {});
    expect(own.status).toBe(200);
  });

  it('are needed to move a relayer into a group, not out of it', async () => {
    const { id } = await addRelayer(service);
    const move = (group: string | null) => requester.call('PATCH', `/api/v1/relayers/${id}`, { group });
    const change = pendingChange(await move('checkout'));
    expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
    expect((await service.get(`/api/v1/relayers/${id}`)).body.data.group).toBe('checkout');
    expect((await move('checkout')).status).toBe(200);
    expect((await move(null)).status).toBe(200);
  });
});
