import type { AuditEventResponse } from '../../src/audit/events/audit-event.response';
import { ApprovalsService } from '../../src/approvals/approvals.service';
import { ChangeDecisionsService } from '../../src/approvals/change-decisions.service';
import { RelayerUpdates } from '../../src/relayers/relayer-requests';
import { describeWithAnvil } from '../support/anvil';
import { bearer } from '../support/api-keys';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createMariaDb, describeWithMariaDb, type TestDatabase, withSchema } from '../support/databases';
import { describeService } from '../support/describe-service';
import { type HttpResponse, send } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { apiKey, storageKey } from '../support/keys';
import { rounds } from '../support/rounds';
import { TestChain } from '../support/test-chain';
import {
  addSendingRelayer,
  requestTransaction,
  type SendingRelayer,
  untilStatus,
} from '../support/transactions';

/** The private method that applies a change once it has enough approvals. */
interface Private {
  run: () => Promise<void>;
}

const TIGHT = { messages: { allow: 'text' } };
const ROUNDS = rounds(50, 10);
const RECEIVER = '0x3535353535353535353535353535353535353535';

const outcome = ({ status, body }: HttpResponse): unknown[] =>
  status < 300 ? [status, body.data.status] : [status, body.message];
const idOf = (response: HttpResponse): string => {
  expect(outcome(response)).toEqual([202, 'pending']);
  return response.body.data.id as string;
};

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
  }, 60_000);

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
      const change = idOf(await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }));
      const responses = await Promise.all(
        approvers.map((approver, i) => approver.approve(change, i % 2 === 0 ? first : second)),
      );
      for (const response of responses) {
        const [status, text] = outcome(response);
        // An approval that comes too late is refused with 409.
        expect([200, 409]).toContain(status);
        expect(['pending', 'applied', 'Change is not pending']).toContain(text);
      }
      expect((await requester.show(change)).body.data.status).toBe('applied');
      expect((await first.get(`/api/v1/relayers/${id}`)).body.data.policies).toBeUndefined();
    }
    expect(apply.reduce((sum, spy) => sum + spy.mock.calls.length, 0)).toBeGreaterThanOrEqual(ROUNDS);
  }, 120_000);
});

describeService(
  'Approvals of an interrupted change',
  { settings: { APPROVALS: 'loosen_policy=1' } },
  ({ service }) => {
    it('survive a crash, and apply the change when an approver repeats the request', async () => {
      const [requester, one] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const change = idOf(await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }));
      // The approval is committed, then the instance crashes.
      const decisions = service.app.get(ChangeDecisionsService, { strict: false });
      const run = jest.spyOn(decisions as unknown as Private, 'run');
      run.mockRejectedValueOnce(new Error('The instance was killed'));
      expect(outcome(await one.approve(change))).toEqual([500, 'Internal Server Error']);
      run.mockRestore();
      expect((await one.show(change)).body.data).toMatchObject({
        status: 'pending',
        approvals: [{ key_id: one.id }],
      });
      expect(outcome(await one.approve(change))).toEqual([200, 'applied']);
      expect(outcome(await one.approve(change))).toEqual([409, 'Change is not pending']);
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toBeUndefined();
    });

    it('do not count if their key is revoked while the change is being applied', async () => {
      const [requester, one] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const change = idOf(await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }));
      const updates = service.app.get(RelayerUpdates, { strict: false });
      const apply = updates.apply.bind(updates);
      const slow = jest.spyOn(updates, 'apply').mockImplementationOnce(async (...args) => {
        await one.revoke();
        return apply(...args);
      });
      expect(outcome(await one.approve(change))).toEqual([200, 'pending']);
      slow.mockRestore();
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toEqual(TIGHT);
      const other = await KeyHolder.add(service);
      expect(outcome(await other.approve(change))).toEqual([200, 'applied']);
    });

    it('are rolled back with the change, and can be given again', async () => {
      const [requester, one] = [await KeyHolder.add(service), await KeyHolder.add(service)];
      const { id } = await addRelayer(service, { policies: TIGHT });
      const change = idOf(await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null }));
      const approvals = service.app.get(ApprovalsService);
      const require = approvals.require.bind(approvals);
      const fails = jest.spyOn(approvals, 'require').mockImplementationOnce(async (...args) => {
        await require(...args);
        throw new Error('The database is away');
      });
      expect(outcome(await one.approve(change))).toEqual([500, 'Internal Server Error']);
      fails.mockRestore();
      expect((await one.show(change)).body.data.status).toBe('pending');
      expect((await service.get(`/api/v1/relayers/${id}`)).body.data.policies).toEqual(TIGHT);
      expect(outcome(await one.approve(change))).toEqual([200, 'applied']);
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
      const change = idOf(requested);
      const approved = await approver.approve(change);
      expect(outcome(approved)).toEqual([200, 'applied']);
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
    const change = idOf(response);
    const key = service.keepSecret(response.body.data.key as string);
    expect(response.body.data).toMatchObject({ kind: 'api_key_scope', request: { key: body } });
    expect(await works(key)).toBe(401);
    expect((await service.get(`/api/v1/changes/${change}`, bearer(key))).status).toBe(401);
    expect(outcome(await approver.approve(change))).toEqual([200, 'applied']);
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
      idOf(await patch(body));
    const change = idOf(await patch({ scopes: ['relayers:read', 'rpc'] }));
    expect(outcome(await approver.approve(change))).toEqual([200, 'applied']);
    const { body } = await service.get(`/api/v1/api-keys/${other.id}`);
    expect(body.data.scopes).toEqual(['relayers:read', 'rpc']);
    const revoked = await requester.call('DELETE', `/api/v1/api-keys/${other.id}`);
    expect(revoked.status).toBe(200);
  });

  it('are needed to rotate another key, not to rotate the key of the requester', async () => {
    const other = await KeyHolder.add(service, { scopes: ['relayers:read', 'approve'] });
    const response = await unrecorded('POST', `/api/v1/api-keys/${other.id}/rotate`, { overlap_seconds: 0 });
    const change = idOf(response);
    const key = service.keepSecret(response.body.data.key as string);
    expect([await works(key), await works(other.key)]).toEqual([401, 200]);
    expect(outcome(await approver.approve(change))).toEqual([200, 'applied']);
    expect([await works(key), await works(other.key)]).toEqual([200, 401]);
    const own = await unrecorded('POST', `/api/v1/api-keys/${requester.id}/rotate`, {});
    expect(own.status).toBe(200);
  });

  it('are needed to move a relayer into a group, not out of it', async () => {
    const { id } = await addRelayer(service);
    const move = (group: string | null) => requester.call('PATCH', `/api/v1/relayers/${id}`, { group });
    const change = idOf(await move('checkout'));
    expect(outcome(await approver.approve(change))).toEqual([200, 'applied']);
    expect((await service.get(`/api/v1/relayers/${id}`)).body.data.group).toBe('checkout');
    expect((await move('checkout')).status).toBe(200);
    expect((await move(null)).status).toBe(200);
  });
});

describeWithAnvil('Transactions above approval_above', () => {
  describeService('wait for approval', ({ service }) => {
    let chain: TestChain;
    let relayer: SendingRelayer;
    let requester: KeyHolder;
    let approver: KeyHolder;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      requester = await KeyHolder.add(service);
      approver = await KeyHolder.add(service, { scopes: ['approve'] });
    });

    beforeEach(async () => {
      const policies = { transactions: { approval_above: '100' } };
      relayer = await addSendingRelayer(service, chain, { policies });
    });

    afterAll(() => chain.stop());

    const body = (value: string): object => ({ to: RECEIVER, value, gas_limit: 21_000, speed: 'fast' });
    const send = (value: string, key?: string): Promise<HttpResponse> =>
      service.call({
        ...{ method: 'POST', path: `${relayer.path}/transactions`, body: body(value) },
        headers: { ...bearer(requester.key), ...(key !== undefined && { 'idempotency-key': key }) },
      });
    const count = async (): Promise<number> =>
      (await service.get(`${relayer.path}/transactions`)).body.pagination.total_items as number;

    it('and are then sent once, with the id of the change', async () => {
      expect((await send('100')).status).toBe(201);
      const response = await send('101');
      const change = idOf(response);
      expect(response.body.data).toMatchObject({ kind: 'transaction', needed: 1 });
      expect((await service.get(`${relayer.path}/transactions/${change}`)).status).toBe(404);
      expect(await count()).toBe(1);
      expect(outcome(await approver.approve(change))).toEqual([200, 'applied']);
      expect(outcome(await approver.approve(change))).toEqual([409, 'Change is not pending']);
      await untilStatus(service, relayer, change, 'confirmed');
      expect(await count()).toBe(2);
      const submitted = `/api/v1/audit-events?action=transaction.submit&relayer_id=${relayer.id}`;
      expect((await service.get(submitted)).body.data[0]).toMatchObject({
        ...{ key_id: requester.id, client_ip: null },
        changes: { id: { after: change }, approved_change: { before: null, after: change } },
      });
    }, 60_000);

    it('and repeated requests return the same one, before and after the approval', async () => {
      const change = idOf(await send('500', 'first'));
      expect(idOf(await send('500', 'first'))).toBe(change);
      expect(outcome(await send('501', 'first'))).toEqual([409, 'Idempotency-Key already used']);
      expect(outcome(await send('5', 'first'))).toEqual([409, 'Idempotency-Key already used']);
      await approver.approve(change);
      const repeated = await send('500', 'first');
      expect([repeated.status, repeated.body.data.id]).toEqual([200, change]);
      expect(await count()).toBe(1);
    });

    it('and are not sent if they are rejected', async () => {
      const change = idOf(await send('500', 'second'));
      expect(outcome(await approver.reject(change))).toEqual([200, 'rejected']);
      expect(outcome(await send('500', 'second'))).toEqual([202, 'rejected']);
      expect(await count()).toBe(0);
    });

    it('and are recorded without their content', async () => {
      const data = 'c0ffee'.repeat(20);
      const change = idOf(
        await service.call({
          ...{ method: 'POST', path: `${relayer.path}/transactions` },
          body: { to: RECEIVER, value: '101', data: `0x${data}`, gas_limit: 50_000, speed: 'fast' },
          headers: { ...bearer(requester.key), 'idempotency-key': 'a-private-key' },
        }),
      );
      expect(outcome(await approver.reject(change))).toEqual([200, 'rejected']);
      const { body: listed } = await service.get(
        `/api/v1/audit-events?relayer_id=${relayer.id}&per_page=100`,
      );
      const events = listed.data as AuditEventResponse[];
      expect(events.map(({ action }) => action)).toEqual([
        'change.reject',
        'change.request',
        'transaction.submit',
        'relayer.create',
      ]);
      expect(events[1]?.changes).toMatchObject({
        id: { before: null, after: change },
        operation: { before: null, after: 'send_transaction' },
        request: {
          before: null,
          after: {
            relayer_id: relayer.id,
            value: '101',
            request_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          },
        },
      });
      expect(Object.keys(events[1]?.changes?.request?.after as object)).toHaveLength(3);
      for (const content of [data, 'a-private-key', RECEIVER])
        expect(JSON.stringify(events)).not.toContain(content);
    });

    it('and are refused in batches, as replacements, and in signing requests', async () => {
      const rule = /^transaction.value is above policies.transactions.approval_above/;
      const batch = await service.post(`${relayer.path}/transactions/batch`, {
        transactions: [body('5'), body('101')],
      });
      expect(batch.body.data).toMatchObject([
        { transaction: { value: '0x5' } },
        { error: expect.stringMatching(rule) as string },
      ]);
      const { id } = (await send('5')).body.data as { id: string };
      const replaced = await service.call({
        ...{ method: 'PUT', path: `${relayer.path}/transactions/${id}`, body: body('101') },
      });
      expect([replaced.status, replaced.body.error]).toEqual([403, expect.stringMatching(rule)]);
      const signed = await service.post(`${relayer.path}/sign-transaction`, {
        transaction: {
          ...{ type: 0, chain_id: chain.node.chainId, nonce: 0, to: RECEIVER, value: '101' },
          ...{ gas_limit: 21_000, gas_price: 5 },
        },
      });
      expect([signed.status, signed.body.error]).toEqual([403, expect.stringMatching(rule)]);
      expect((await requestTransaction(service, relayer, body('101'))).status).toBe(202);
    });

    it('and cannot be applied once the relayer has moved to another group', async () => {
      await service.patch(relayer.path, { group: 'ops' });
      const ops = await KeyHolder.add(service, { scopes: ['approve'], groups: ['ops'] });
      const change = idOf(await send('500'));
      await service.patch(relayer.path, { group: 'treasury' });
      expect((await ops.approve(change)).status).toBe(409);
      expect(await count()).toBe(0);
    });

    it('and stay pending if the relayer is paused when they are approved', async () => {
      const change = idOf(await send('500'));
      await service.patch(relayer.path, { paused: true });
      expect(outcome(await approver.approve(change))).toEqual([403, 'Relayer paused']);
      expect((await approver.show(change)).body.data.status).toBe('pending');
      await service.patch(relayer.path, { paused: false });
      expect(outcome(await approver.approve(change))).toEqual([200, 'applied']);
      expect(await count()).toBe(1);
    });

    it('and are authorized again when they are approved', async () => {
      const change = idOf(await send('500'));
      await service.patch(relayer.path, { policies: { transactions: { max_value: '400' } } });
      const response = await approver.approve(change);
      expect(outcome(response)).toEqual([409, 'Change cannot be applied']);
      expect((await approver.show(change)).body.data.code).toBe('transaction_not_allowed');
      expect(await count()).toBe(0);
    });
  });
});
