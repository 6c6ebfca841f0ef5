import { setTimeout as sleep } from 'node:timers/promises';
import { describeWithAnvil } from '../support/anvil';
import { COUNTER } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import {
  failedReceipts,
  hiddenReceipts,
  hiddenTransactions,
  lateChain,
  shiftedNonces,
} from '../support/faulty-proxy/chain-faults';
import type { Fault } from '../support/faulty-proxy/fault';
import type { FaultyProxy } from '../support/faulty-proxy/faulty-proxy';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const UNKNOWN_USE_MS = 6000;
const OPTIONS = { settings: SETTINGS, transactions: { unknownUseMs: UNKNOWN_USE_MS }, onlySqlite: true };

describeWithAnvil('Endpoints that lie:', () => {
  describeService('A transaction', OPTIONS, ({ service }) => {
    let chain: TestChain;
    let counter: string;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      counter = await deploy(chain.node, COUNTER);
    });

    afterAll(() => chain.stop());

    /** An account with a final transaction, whose first endpoint gets nearly all calls. */
    const addAccount = async (endpoints: number): Promise<[SendingAccount, ...FaultyProxy[]]> => {
      const proxies = await Promise.all(Array.from({ length: endpoints }, () => chain.addProxy()));
      const rpc_urls = proxies.map(({ url }, i) => ({ url, weight: i === 0 ? 100 : 1 }));
      const account = await SendingAccount.add(service, chain, { network: { rpc_urls } });
      await account.untilFinal((await account.send()).id);
      return [account, ...proxies];
    };

    const expectExecutions = (fault: Fault, endpoints: number) => async (): Promise<void> => {
      const [account, liar] = await addAccount(endpoints);
      liar!.add(fault);
      const executions = [1, 2].map(() => SendingAccount.execution(counter));
      const ids: string[] = [];
      for (const { body } of executions) ids.push((await account.send(body)).id);
      for (const [i, id] of ids.entries())
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: 1 + i });
      for (const { number } of executions) expect(await account.timesExecuted(counter, number)).toBe(1);
    };

    together({
      'is executed if the usual one of three endpoints reports nonces that are too high': expectExecutions(
        shiftedNonces(200),
        3,
      ),

      'is executed if the usual one of two endpoints reports nonces that are slightly too high':
        expectExecutions(shiftedNonces(2), 2),

      'is confirmed if the usual one of three endpoints reports it as failed': expectExecutions(
        failedReceipts(),
        3,
      ),

      'is confirmed if the usual one of three endpoints has no receipts': expectExecutions(
        hiddenReceipts(),
        3,
      ),

      'does not end as canceled, once executed, because one of two endpoints hides it and the other is late':
        async () => {
          const [account, liar, honest] = await addAccount(2);
          honest!.add(lateChain(2));
          liar!.add(hiddenReceipts());
          liar!.add(hiddenTransactions());
          const { body, number } = SendingAccount.execution(counter);
          const { id } = await account.send(body);
          await account.until('a block', async () => (await account.chainNonce()) === 2);
          await account.cancel(id);
          await sleep(3 * UNKNOWN_USE_MS);
          expect(['submitted', 'mined']).toContain((await account.shown(id)).status);
          liar!.clear();
          honest!.clear();
          expect((await account.untilFinal(id)).status).toBe('confirmed');
          expect(await account.timesExecuted(counter, number)).toBe(1);
        },
    });
  });
});
