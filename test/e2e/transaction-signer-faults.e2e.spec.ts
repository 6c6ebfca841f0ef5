import '../support/key-services/error-realms';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { DelayedKms } from '../support/key-services/delayed-kms';
import type { Fault } from '../support/key-services/key-service.stand-in';
import { addRemoteAccount } from '../support/key-services/remote-account';
import type { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const WAITING = 3;

const FAULTS: readonly [string, Fault, string][] = [
  ['signs with another key', 'wrong key', 'returned an invalid response'],
  ['refuses', { status: 400, body: { __type: 'AccessDeniedException' } }, 'refused the request'],
];

describeWithAnvil('Transactions whose key service fails', () => {
  describeService('until it is repaired', { startFor: 'test', root: DelayedKms.root }, ({ service }) => {
    let kms: DelayedKms;
    let chain: TestChain;
    let account: SendingAccount;

    beforeAll(async () => {
      chain = await TestChain.start();
    });

    beforeEach(async () => {
      ({ kms, account } = await addRemoteAccount(service, chain));
    });

    afterEach(() => kms.stop());

    afterAll(() => chain.stop());

    it.each(FAULTS)('wait and are mined in order if it %s', async (_what, fault, reason) => {
      const first = await account.untilFinal((await account.send()).id);
      expect(first.status).toBe('confirmed');
      // The key service has one key, which earlier tests used.
      const nonce = Number(first.nonce);
      const arrived = account.arrived.length;
      kms.misbehave(fault);
      const ids: string[] = [];
      for (let i = 0; i < WAITING; i += 1) ids.push((await account.send()).id);
      const waiting = await account.untilShown(ids[0]!, 'waiting', ({ status_reason }) =>
        Boolean(status_reason?.includes(reason)),
      );
      expect(waiting).toMatchObject({ status: 'pending', hashes: [] });
      expect(account.arrived).toHaveLength(arrived);
      kms.behave();
      const ended = await Promise.all(ids.map((id) => account.untilFinal(id)));
      expect(ended.map(({ status, nonce, status_reason }) => [status, nonce, status_reason])).toEqual(
        ids.map((_, i) => ['confirmed', nonce + 1 + i, null]),
      );
      expect(await account.chainNonce()).toBe(nonce + 1 + WAITING);
    });
  });
});
