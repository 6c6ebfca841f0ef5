import { randomBytes } from 'node:crypto';
import { describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import type { Fault } from '../support/faulty-proxy/fault';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import type { ShownTransaction } from '../support/transactions';

const SETTINGS = {
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  API_KEY: `test-${randomBytes(24).toString('hex')}`,
};
const SENT = 40;
/** Requests in a row, so that nonces are used while others are compared. */
const TOGETHER = 4;

/** The node has processed a transaction, but its response arrives only once it is released. */
function lateAcknowledgement(): { fault: Fault; release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const fault: Fault = {
    ...{ name: 'late acknowledgement', methods: ['eth_sendRawTransaction'] },
    apply: async (_call, forward) => {
      const reply = await forward();
      await released;
      return reply;
    },
  };
  return { fault, release };
}

describeWithAnvil('Two instances', () => {
  describeWithMariaDb('that share the ledger of an account', () => {
    let database: TestDatabase;
    let services: [TestApplication, TestApplication];
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      database = await createMariaDb();
      services = [
        await TestApplication.start(database, SETTINGS),
        await TestApplication.start(database, SETTINGS),
      ];
    });

    afterAll(async () => {
      for (const service of services) await service.close();
      await database.drop();
      await chain.stop();
    });

    it('use each nonce once, and leave no gap, while one compares nonces and the other sends', async () => {
      const [sending, comparing] = services;
      const account = await SendingAccount.add(sending, chain);
      const path = `${account.relayer.path}/nonce/sync`;
      let isSending = true;
      const compare = async (): Promise<number[]> => {
        const statuses: number[] = [];
        while (isSending) statuses.push((await comparing.call({ method: 'POST', path })).status);
        return statuses;
      };
      const compared = compare();
      const sendAll = async (): Promise<ShownTransaction[]> => {
        const ids: string[] = [];
        while (ids.length < SENT) {
          const sent = await Promise.all(Array.from({ length: TOGETHER }, () => account.send()));
          ids.push(...sent.map(({ id }) => id));
        }
        return Promise.all(ids.map((id) => account.untilFinal(id)));
      };
      const final = await sendAll().finally(() => (isSending = false));
      const statuses = await compared;
      expect(statuses.length).toBeGreaterThan(1);
      expect([...new Set(statuses)]).toEqual([200]);
      expect(final.map(({ status }) => status)).toEqual(Array(SENT).fill('confirmed'));
      const nonces = Array.from({ length: SENT }, (_, nonce) => nonce);
      expect(final.map(({ nonce }) => nonce).sort((a, b) => Number(a) - Number(b))).toEqual(nonces);
      // None was used for a filler, nor for two transactions.
      for (const nonce of nonces) expect(account.hashesSent(nonce)).toHaveLength(1);
      expect(await account.chainNonce()).toBe(SENT);
      expect(await account.nextNonce()).toBe(SENT);
    });

    it('confirm a transaction that is mined before the acknowledgement of the node arrives', async () => {
      const account = await SendingAccount.add(services[0], chain);
      const { fault, release } = lateAcknowledgement();
      account.proxy.add(fault);
      const { id } = await account.send();
      const final = await account.untilFinal(id);
      expect(final).toMatchObject({ status: 'confirmed', nonce: 0, status_reason: null });
      expect(final.sent_at).not.toBeNull();
      release();
      account.proxy.clear();
      // The account goes on, and what was acknowledged late stays as it is.
      const next = await account.send();
      expect(await account.untilFinal(next.id)).toMatchObject({ status: 'confirmed', nonce: 1 });
      expect(await account.shown(id)).toEqual(final);
      expect(account.hashesSent(0)).toEqual([final.hash]);
    });
  });
});
