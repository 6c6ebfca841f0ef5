import '../support/key-services/error-realms';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { DelayedKms } from '../support/key-services/delayed-kms';
import { addRemoteAccount } from '../support/key-services/remote-account';
import { RECEIVER, type SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const DELAY_MS = 200;
const TRANSACTIONS = 5;
const BODY = { to: RECEIVER, value: '1', speed: 'fast', gas_limit: 21_000 };

describeWithAnvil('Stopping transactions in progress', () => {
  describeService('with a slow key service', { startFor: 'test', root: DelayedKms.root }, ({ service }) => {
    let kms: DelayedKms;
    let chain: TestChain;
    let account: SendingAccount;

    beforeAll(async () => {
      chain = await TestChain.start();
    });

    beforeEach(async () => {
      ({ kms, account } = await addRemoteAccount(service, chain));
      kms.misbehave({ delayMs: DELAY_MS });
      kms.signedAt.clear();
    });

    afterEach(() => kms.stop());

    afterAll(() => chain.stop());

    /** Requests transactions, and waits until some of them are signed. @returns the ids of all */
    const sendSome = async (): Promise<string[]> => {
      const transactions = Array.from({ length: TRANSACTIONS }, () => BODY);
      const { status, body } = await account.call('POST', '/transactions/batch', { transactions });
      expect(status).toBe(201);
      await account.until('signatures', () => kms.signedAt.size >= 2);
      return (body.data as { transaction: { id: string } }[]).map(({ transaction: { id } }) => id);
    };

    it('sends nothing that new policies forbid, and uses its nonces for no-ops', async () => {
      const ids = await sendSome();
      const changed = await account.call('PATCH', '', { policies: { whitelist_receivers: [] } });
      expect(changed.status).toBe(200);
      const ended = await Promise.all(ids.map((id) => account.untilFinal(id)));
      expect(ended.map(({ status, status_reason }) => [status, status_reason])).toEqual(
        ids.map(() => ['failed', 'transaction.to is not in policies.whitelist_receivers']),
      );
      expect(await account.chainNonce()).toBe(TRANSACTIONS);
      expect(new Set(await account.minedValues())).toEqual(new Set([0]));
      expect((await service.get('/metrics/signatures_withheld_total')).text).toMatch(
        /signatures_withheld_total\{reason="transaction_not_allowed"\} [1-9]/,
      );
    });

    it('signs and sends nothing during a freeze, and continues after it', async () => {
      const ids = await sendSome();
      expect((await service.post('/api/v1/signing/freeze', { reason: 'INC-142' })).status).toBe(200);
      const frozenAt = performance.now();
      await account.untilShown(ids[0]!, 'waiting', ({ status_reason }) =>
        Boolean(status_reason?.includes('frozen')),
      );
      // At most the call that was in progress.
      const late = [...kms.signedAt.values()].filter((at) => at > frozenAt);
      expect(late.length).toBeLessThanOrEqual(1);
      expect(account.arrived).toEqual([]);
      await service.post('/api/v1/signing/unfreeze', {});
      const ended = await Promise.all(ids.map((id) => account.untilFinal(id)));
      expect(ended.map(({ status }) => status)).toEqual(ids.map(() => 'confirmed'));
    });
  });
});
