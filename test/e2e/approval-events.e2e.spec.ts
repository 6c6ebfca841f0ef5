import { ChangeRetention } from '../../src/approvals/change-retention';
import { ChangeRows } from '../../src/approvals/change-rows';
import { bearer } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { send } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { pendingChange } from '../support/pending-changes';
import { until } from '../support/private-servers';
import { Receiver } from '../support/receiver';

const DAY_MS = 24 * 3_600_000;
const TIGHT = { messages: { allow: 'text' } };
const URL = 'https://rpc.example.com/v2/0123456789abcdef';

describeService(
  'The event of changes that need approval',
  { settings: { APPROVALS: 'loosen_policy=1,api_key_scope=1,signer_delete=1,unfreeze=1' }, startFor: 'test' },
  ({ service }) => {
    let requester: KeyHolder;
    let approver: KeyHolder;
    let approvers: Receiver;
    let others: Receiver;

    beforeEach(async () => {
      requester = await KeyHolder.add(service);
      approver = await KeyHolder.add(service, { scopes: ['approve'] });
      [approvers, others] = [await Receiver.start(), await Receiver.start()];
      await service.post('/api/v1/notifications', {
        ...{ id: 'approvers', url: approvers.url, events: ['change_update'] },
      });
      await service.post('/api/v1/notifications', { id: 'others', url: others.url });
    });

    afterEach(async () => {
      await approvers.close();
      await others.close();
    });

    /** The statuses of a change that the approvers received, sorted, because they arrive in any order. */
    const statusesOf = (id: string): string[] =>
      approvers.received
        .map(({ event }) => (event.payload as { change?: { id: string; status: string } }).change)
        .flatMap((change) => (change?.id === id ? [change.status] : []))
        .sort();
    const untilEvents = (id: string, statuses: string[]): Promise<void> =>
      until(`an event of ${statuses.join(' and ')}`, () =>
        Promise.resolve(statusesOf(id).join() === statuses.join()),
      );
    const loosen = async (more: object = {}): Promise<string> => {
      const { id } = await addRelayer(service, { policies: TIGHT, notificationId: 'others' });
      return pendingChange(
        await requester.call('PATCH', `/api/v1/relayers/${id}`, { policies: null, ...more }),
      );
    };

    it('is sent to subscribers for a request and its end, as the API shows the change, without secrets', async () => {
      const id = await loosen({ custom_rpc_urls: [{ url: URL }] });
      const pending = (await approver.show(id)).body.data as object;
      await untilEvents(id, ['pending']);
      expect(approvers.received[0]?.event).toMatchObject({
        event: 'change_update',
        payload: { payload_type: 'change', change: pending },
      });
      expect((await approver.approve(id)).body.data.status).toBe('applied');
      await untilEvents(id, ['applied', 'pending']);
      expect(approvers.received[1]?.event.payload).toEqual({
        payload_type: 'change',
        change: (await approver.show(id)).body.data as object,
      });
      for (const { body } of approvers.received) expect(body).not.toContain('0123456789abcdef');
      const { relayer_id: relayerId } = pending as { relayer_id: string };
      const watcher = await KeyHolder.add(service, { relayers: [relayerId] });
      const deliveries = await watcher.call('GET', '/api/v1/notifications/approvers/deliveries');
      expect(deliveries.body.data).toHaveLength(2);
      // The notification of the relayer does not subscribe to it.
      await until('the update of the relayer', () => Promise.resolve(others.received.length > 0));
      expect(others.received.map(({ event }) => event.event)).not.toContain('change_update');
    });

    it('has an empty request if the change is large', async () => {
      const { id: relayer } = await addRelayer(service, { policies: TIGHT });
      const allowed = (texts: number) => ({
        typed_data: { allowed: [{ fields: { memo: Array(texts).fill('\u00e9'.repeat(90)) } }] },
      });
      const changes: string[] = [];
      for (const texts of [80, 100]) {
        const body = { policies: allowed(texts) };
        changes.push(pendingChange(await requester.call('PATCH', `/api/v1/relayers/${relayer}`, body)));
      }
      for (const id of changes) await untilEvents(id, ['pending']);
      const [small, large] = await Promise.all(
        changes.map(async (id) => (await approver.show(id)).body.data as { id: string; request: object }),
      );
      const sent = approvers.received.map(({ event }) => (event.payload as { change?: unknown }).change);
      expect(sent).toContainEqual(small);
      expect(sent).toContainEqual({ ...large, request: {} });
      expect(JSON.stringify(large?.request).length).toBeLessThan(16 * 1024);
    });

    it('is sent when a change is rejected, fails or expires', async () => {
      const rejected = await loosen();
      await approver.reject(rejected);
      await untilEvents(rejected, ['pending', 'rejected']);

      const failed = await loosen();
      const { relayer_id: relayer } = (await approver.show(failed)).body.data as { relayer_id: string };
      await service.patch(`/api/v1/relayers/${relayer}`, { name: 'Renamed meanwhile' });
      expect((await approver.approve(failed)).status).toBe(409);
      await untilEvents(failed, ['failed', 'pending']);

      Object.assign(service.app.get(ChangeRows), { expireMs: 0 });
      const { body } = await requester.call('POST', '/api/v1/api-keys', { name: 'New', scopes: ['rpc'] });
      Object.assign(service.app.get(ChangeRows), { expireMs: DAY_MS });
      const expired = body.data.id as string;
      await service.app.get(ChangeRetention).endExpired();
      // The change expired immediately, so both events say so.
      await untilEvents(expired, ['expired', 'expired']);
    });

    it('is sent for changes that concern no relayer: keys, signers, the freeze', async () => {
      const created = await send(service.url, {
        ...{ method: 'POST', path: '/api/v1/api-keys', headers: bearer(requester.key) },
        body: { name: 'New', scopes: ['relayers:read'] },
      });
      const key = service.keepSecret(created.body.data.key as string);
      await untilEvents(pendingChange(created), ['pending']);
      expect(approvers.received[0]?.body).not.toContain(key);

      const { id, signerId } = await addRelayer(service);
      await service.call({ method: 'DELETE', path: `/api/v1/relayers/${id}` });
      await untilEvents(pendingChange(await requester.call('DELETE', `/api/v1/signers/${signerId}`)), [
        'pending',
      ]);

      await service.post('/api/v1/signing/freeze', { reason: 'an incident' });
      const unfreeze = pendingChange(await requester.call('POST', '/api/v1/signing/unfreeze', {}));
      await approver.approve(unfreeze);
      await untilEvents(unfreeze, ['applied', 'pending']);
    });

    it('is rolled back with a change that is not applied', async () => {
      const id = await loosen();
      const rows = service.app.get(ChangeRows);
      const apply = rows.apply.bind(rows);
      const fails = jest.spyOn(rows, 'apply').mockImplementationOnce(async (...args) => {
        await apply(...args);
        throw new Error('The database is away');
      });
      expect((await approver.approve(id)).status).toBe(500);
      fails.mockRestore();
      expect((await approver.approve(id)).body.data.status).toBe('applied');
      await untilEvents(id, ['applied', 'pending']);
    });
  },
);
