import { setTimeout as sleep } from 'node:timers/promises';
import { currentPrincipal } from '../../src/access/principal';
import { ChainCheck } from '../../src/relayers/checks/chain-check';
import { RelayersService } from '../../src/relayers/relayers.service';
import { SpendLimits } from '../../src/transactions/spending/spend-limits';
import { TransactionQueries } from '../../src/transactions/transaction-queries';
import { describeWithAnvil } from '../support/anvil';
import { rotateApiKey } from '../support/api-keys';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { LimitedClient } from '../support/limited-keys';
import { until } from '../support/private-servers';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { addSendingRelayer } from '../support/transactions';

const BODY = { to: RECEIVER, value: '1', speed: 'fast', gas_limit: 21_000 };
const CHECKS = { enabled: true, intervalMs: 600_000 };

describeWithAnvil('API keys that send', () => {
  describeService('The reach of a key that sends', ({ service }) => {
    let chain: TestChain;
    let one: SendingAccount;
    let other: SendingAccount;
    let client: LimitedClient;

    beforeAll(async () => {
      chain = await TestChain.start();
      one = await SendingAccount.add(service, chain);
      other = await SendingAccount.add(service, chain);
      client = await LimitedClient.create(service, { scopes: ['*'], relayers: [one.relayer.id] });
    });

    afterAll(() => chain.stop());

    afterEach(() => {
      jest.restoreAllMocks();
    });

    const send = (path: string, key: string, as: Pick<LimitedClient, 'call'> = client) =>
      as.call({
        method: 'POST',
        path: `${path}/transactions`,
        body: BODY,
        headers: { 'idempotency-key': key },
      });

    it('does not include the record of an earlier request with the same idempotency key', async () => {
      const first = await send(other.relayer.path, 'first', service);
      expect(first.status).toBe(201);
      const replayed = await send(other.relayer.path, 'first');
      expect([replayed.status, replayed.body.message]).toEqual([
        404,
        `Relayer with ID ${other.relayer.id} not found`,
      ]);
      expect((await send(other.relayer.path, 'first', service)).status).toBe(200);
    });

    it('does not limit background processing', async () => {
      const relayers = service.app.get(RelayersService);
      const find = relayers.findForProcessing.bind(relayers);
      const seen: unknown[] = [];
      jest.spyOn(relayers, 'findForProcessing').mockImplementation((id) => {
        seen.push(currentPrincipal());
        return find(id);
      });
      const sent = await send(one.relayer.path, 'second');
      await one.untilShown(sent.body.data.id, 'mined', ({ sent_at }) => sent_at !== null);
      expect(seen.length).toBeGreaterThan(0);
      expect(new Set(seen)).toEqual(new Set([undefined]));
    });

    /** Runs `act` while the next request is being simulated. */
    const whileSimulated = (act: () => Promise<HttpResponse>): void => {
      const spending = service.app.get(SpendLimits, { strict: false });
      const limitFees = spending.limitFees.bind(spending);
      jest.spyOn(spending, 'limitFees').mockImplementationOnce(async (...args) => {
        expect((await act()).status).toBe(200);
        await sleep(50);
        return limitFees(...args);
      });
    };

    it('rejects a replacement if the relayer is paused during its simulation', async () => {
      const { path } = other.relayer;
      await chain.node.setAutomine(false);
      const sent = await send(path, 'replaced', service);
      const { id } = sent.body.data as { id: string };
      whileSimulated(() => service.patch(path, { paused: true }));
      const replacement = {
        method: 'PUT',
        path: `${path}/transactions/${id}`,
        body: { ...BODY, value: '7' },
      };
      const refused = await service.call(replacement);
      expect([refused.status, refused.body.message]).toEqual([403, 'Relayer paused']);
      expect((await service.get(replacement.path)).body.data.value).toBe('0x1');
      await service.patch(path, { paused: false });
      expect((await service.call(replacement)).status).toBe(200);
      await chain.node.setAutomine(true);
      await chain.node.mine(1);
    });

    /** A change that forbids a request under simulation, how to undo it, and the resulting response. */
    const ENDS: [string, object, object, number, string][] = [
      ['the relayer is paused', { paused: true }, { paused: false }, 403, 'Relayer paused'],
      [
        'the relayer leaves its group',
        { group: null },
        { group: 'payouts' },
        404,
        'Relayer with ID <id> not found',
      ],
    ];

    it.each(ENDS)(
      'rejects a request if %s during its simulation',
      async (_what, end, undo, status, message) => {
        const { id, path } = one.relayer;
        expect((await service.patch(path, { group: 'payouts' })).status).toBe(200);
        const member = await LimitedClient.create(service, { scopes: ['*'], groups: ['payouts'] });
        whileSimulated(() => service.patch(path, end));
        const refused = await send(path, `late-${status}`, member);
        expect([refused.status, refused.body.message]).toEqual([status, message.replace('<id>', id)]);
        expect((await service.patch(path, undo)).status).toBe(200);
        expect((await send(path, `late-${status}`, member)).status).toBe(201);
      },
    );

    it('ends for a waiting request when the key can no longer reach the relayer', async () => {
      const leaving = await LimitedClient.create(service, { scopes: ['*'] });
      const sent = await send(one.relayer.path, 'fourth', leaving);
      const { id } = sent.body.data as { id: string };
      const read = jest.spyOn(service.app.get(TransactionQueries, { strict: false }), 'statusOf');
      const waiting = leaving.get(`${one.relayer.path}/transactions/${id}?wait=confirmed&timeout=20`);
      await until('the request waits', () => read.mock.calls.length > 0);
      await leaving.narrow({ relayers: [other.relayer.id] });
      expect((await waiting).status).toBe(404);
    });

    it.each<[string, (leaving: LimitedClient) => Promise<unknown>]>([
      ['is revoked', (leaving) => leaving.revoke()],
      ['has another secret', (leaving) => rotateApiKey(service, leaving.id, { overlap_seconds: 0 })],
      ['may be used only from elsewhere', (leaving) => leaving.narrow({ allowed_ips: ['192.0.2.1'] })],
    ])('ends when the key %s, also for a waiting request', async (what, end) => {
      const leaving = await LimitedClient.create(service, {
        scopes: ['transactions:read', 'transactions:write'],
      });
      const sent = await send(one.relayer.path, what.replaceAll(' ', '-'), leaving);
      const { id } = sent.body.data as { id: string };
      const read = jest.spyOn(service.app.get(TransactionQueries, { strict: false }), 'statusOf');
      const waiting = leaving.get(`${one.relayer.path}/transactions/${id}?wait=confirmed&timeout=5`);
      await until('the request waits', () => read.mock.calls.length > 0);
      await end(leaving);
      expect((await waiting).status).toBe(401);
    });

    it('does not end for a waiting request while its secret overlaps with the next one', async () => {
      const staying = await LimitedClient.create(service, {
        scopes: ['transactions:read', 'transactions:write'],
      });
      const sent = await send(one.relayer.path, 'overlap', staying);
      const { id } = sent.body.data as { id: string };
      const read = jest.spyOn(service.app.get(TransactionQueries, { strict: false }), 'statusOf');
      const waiting = staying.get(`${one.relayer.path}/transactions/${id}?wait=confirmed&timeout=2`);
      await until('the request waits', () => read.mock.calls.length > 0);
      await rotateApiKey(service, staying.id, { overlap_seconds: 60 });
      expect((await waiting).status).toBe(200);
    });
  });

  describeService('The reach of a key that creates relayers', { checks: CHECKS }, ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start();
    });

    afterAll(() => chain.stop());

    it('does not limit their first check', async () => {
      const other = await addSendingRelayer(service, chain);
      const { network } = other;
      const client = await LimitedClient.create(service, { scopes: ['*'], relayers: ['new'] });
      const check = service.app.get(ChainCheck);
      const run = check.run.bind(check);
      const seen: unknown[] = [];
      jest.spyOn(check, 'run').mockImplementation(async (relayer) => {
        seen.push(currentPrincipal(), await service.app.get(RelayersService).find(other.id));
        return run(relayer);
      });
      const key = service.keepSecret('8'.repeat(64));
      await service.post('/api/v1/signers', { id: 'new', type: 'plain', config: { key } });
      const created = await client.call({
        method: 'POST',
        path: '/api/v1/relayers',
        body: { id: 'new', name: 'New', network, network_type: 'evm', signer_id: 'new', paused: false },
      });
      expect(created.status).toBe(201);
      expect(seen).toEqual([undefined, expect.objectContaining({ id: other.id })]);
    });
  });
});
