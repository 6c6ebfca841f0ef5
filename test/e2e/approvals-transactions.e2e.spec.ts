import type { AuditEventResponse } from '../../src/audit/events/audit-event.response';
import { describeWithAnvil } from '../support/anvil';
import { bearer } from '../support/api-keys';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { changeOutcome, pendingChange } from '../support/pending-changes';
import { TestChain } from '../support/test-chain';
import {
  addSendingRelayer,
  requestTransaction,
  type SendingRelayer,
  untilStatus,
} from '../support/transactions';

const RECEIVER = '0x3535353535353535353535353535353535353535';

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
      const change = pendingChange(response);
      expect(response.body.data).toMatchObject({ kind: 'transaction', needed: 1 });
      expect((await service.get(`${relayer.path}/transactions/${change}`)).status).toBe(404);
      expect(await count()).toBe(1);
      expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
      expect(changeOutcome(await approver.approve(change))).toEqual([409, 'Change is not pending']);
      await untilStatus(service, relayer, change, 'confirmed');
      expect(await count()).toBe(2);
      const submitted = `/api/v1/audit-events?action=transaction.submit&relayer_id=${relayer.id}`;
      expect((await service.get(submitted)).body.data[0]).toMatchObject({
        ...{ key_id: requester.id, client_ip: null },
        changes: { id: { after: change }, approved_change: { before: null, after: change } },
      });
    });

    it('and repeated requests return the same one, before and after the approval', async () => {
      const change = pendingChange(await send('500', 'first'));
      expect(pendingChange(await send('500', 'first'))).toBe(change);
      expect(changeOutcome(await send('501', 'first'))).toEqual([409, 'Idempotency-Key already used']);
      expect(changeOutcome(await send('5', 'first'))).toEqual([409, 'Idempotency-Key already used']);
      await approver.approve(change);
      const repeated = await send('500', 'first');
      expect([repeated.status, repeated.body.data.id]).toEqual([200, change]);
      expect(await count()).toBe(1);
    });

    it('and are not sent if they are rejected', async () => {
      const change = pendingChange(await send('500', 'second'));
      expect(changeOutcome(await approver.reject(change))).toEqual([200, 'rejected']);
      expect(changeOutcome(await send('500', 'second'))).toEqual([202, 'rejected']);
      expect(await count()).toBe(0);
    });

    it('and are recorded without their content', async () => {
      const data = 'c0ffee'.repeat(20);
      const change = pendingChange(
        await service.call({
          ...{ method: 'POST', path: `${relayer.path}/transactions` },
          body: { to: RECEIVER, value: '101', data: `0x${data}`, gas_limit: 50_000, speed: 'fast' },
          headers: { ...bearer(requester.key), 'idempotency-key': 'a-private-key' },
        }),
      );
      expect(changeOutcome(await approver.reject(change))).toEqual([200, 'rejected']);
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
      const change = pendingChange(await send('500'));
      await service.patch(relayer.path, { group: 'treasury' });
      expect((await ops.approve(change)).status).toBe(409);
      expect(await count()).toBe(0);
    });

    it('and stay pending if the relayer is paused when they are approved', async () => {
      const change = pendingChange(await send('500'));
      await service.patch(relayer.path, { paused: true });
      expect(changeOutcome(await approver.approve(change))).toEqual([403, 'Relayer paused']);
      expect((await approver.show(change)).body.data.status).toBe('pending');
      await service.patch(relayer.path, { paused: false });
      expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
      expect(await count()).toBe(1);
    });

    it('and are authorized again when they are approved', async () => {
      const change = pendingChange(await send('500'));
      await service.patch(relayer.path, { policies: { transactions: { max_value: '400' } } });
      const response = await approver.approve(change);
      expect(changeOutcome(response)).toEqual([409, 'Change cannot be applied']);
      expect((await approver.show(change)).body.data.code).toBe('transaction_not_allowed');
      expect(await count()).toBe(0);
    });
  });
});
