import { describeWithAnvil } from '../support/anvil';
import { COUNTER } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { refuseAcceptedSends, refuseSends, swallowSends } from '../support/faulty-proxy/chain-faults';
import type { Fault, RpcError } from '../support/faulty-proxy/fault';
import {
  ALREADY_KNOWN,
  NONCE_TOO_LOW,
  POOL_FULL,
  REPLACEMENT_UNDERPRICED,
  UNDERPRICED,
} from '../support/faulty-proxy/node-wordings';
import {
  dropAfter,
  dropBefore,
  errorInstead,
  hang,
  hangAfter,
  httpAfter,
  httpBefore,
} from '../support/faulty-proxy/transport-faults';
import { hasNonce, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';
import { together } from '../support/together';
import type { ShownTransaction, WantedRelayer } from '../support/transactions';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const SEND = { methods: ['eth_sendRawTransaction'] };
const error = (message: string, code = -32000): RpcError => ({ code, message });

/** How nodes refuse a transaction that has to wait for lower nonces. */
const NONCE_TOO_HIGH = [
  error('nonce too high'),
  error('gapped-nonce tx from delegated accounts'),
  error('future transaction tries to replace pending'),
];

/** Temporary refusals of nodes, and the status reason of the transaction that results. */
const REFUSED_FOR_NOW: readonly [RpcError, RegExp][] = [
  [error('insufficient funds for gas * price + value'), /funds/],
  [POOL_FULL[0]!, /pool/],
  [error('too many requests for this account', -32005), /Perhaps sent/],
  [error('Internal error', -32603), /Perhaps sent/],
];

describeWithAnvil('Incidents while transactions are sent:', () => {
  describeService('A transaction', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    let chain: TestChain;
    let counter: string;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      counter = await deploy(chain.node, COUNTER);
    });

    afterAll(() => chain.stop());

    const addAccount = (wanted?: WantedRelayer) => SendingAccount.add(service, chain, wanted);

    /** Expects one execution, of the first attempt, although its first sends fail. */
    const expectSameBytes = async (fault: Fault, times: number): Promise<SendingAccount> => {
      const account = await addAccount();
      const { body, number } = SendingAccount.execution(counter);
      account.proxy.add(fault, { ...SEND, times });
      const { id } = await account.send(body);
      const final = await account.untilFinal(id);
      const [hash] = account.hashesSent(0);
      expect(final).toMatchObject({
        status: 'confirmed',
        nonce: 0,
        status_reason: null,
        hash,
        hashes: [hash],
      });
      expect(new Set(account.arrived.map(({ raw }) => raw)).size).toBe(1);
      expect(await account.timesExecuted(counter, number)).toBe(1);
      return account;
    };

    /**
     * Like {@link expectSameBytes}, for sends that do not reach the node. A send without a response is no
     * acknowledgement.
     */
    const expectSentAgain = async (fault: Fault, times: number): Promise<void> => {
      const account = await expectSameBytes(fault, times);
      const sends = account.arrived.filter((each) => each.fault !== undefined);
      expect(sends).toHaveLength(times);
    };

    /** While no node responds, a transaction may have been sent, but is not acknowledged. */
    const expectNotAcknowledged = async (fault: Fault): Promise<void> => {
      const account = await addAccount();
      const rule = account.proxy.add(fault, SEND);
      const { id } = await account.send();
      // The response of a node is stored some time after the node has responded.
      const isSentTwice = ({ status_reason }: ShownTransaction) => rule.met > 3 && status_reason !== null;
      expect(await account.untilShown(id, 'sent twice', isSentTwice)).toMatchObject({
        ...{ status: 'sent', sent_at: null },
        status_reason: 'Perhaps sent: no node has confirmed that it received it',
      });
      account.proxy.clear();
      const final = await account.untilFinal(id);
      expect(final).toMatchObject({ status: 'confirmed', status_reason: null });
      expect(final.sent_at).not.toBeNull();
    };

    /** Sends one transaction for each error, which is the response to its first send. */
    const sendEach = async (errors: readonly RpcError[], faultOf: (error: RpcError) => Fault) => {
      const account = await addAccount();
      for (const [nonce, each] of errors.entries()) {
        account.proxy.add(faultOf(each), {
          times: 1,
          where: hasNonce(nonce),
        });
      }
      const sent = [];
      while (sent.length < errors.length) sent.push(await account.send());
      return { account, sent };
    };

    together({
      'is sent again with the same bytes if the response to the broadcast is lost': async () => {
        await expectSameBytes(dropAfter(), 2);
      },
      'is sent again with the same bytes if a gateway returns 504 after the broadcast': async () => {
        await expectSameBytes(httpAfter(504), 2);
      },
      'is sent again with the same bytes if the broadcast arrives and then hangs': async () => {
        await expectSameBytes(hangAfter(), 1);
      },
      'is sent again with the same bytes if the connection is lost before the broadcast': () =>
        expectSentAgain(dropBefore(), 2),
      'is sent again with the same bytes if a gateway returns 502 instead of the broadcast': () =>
        expectSentAgain(httpBefore(502), 2),
      'is sent again with the same bytes if the broadcast hangs': () => expectSentAgain(hang(), 1),
      'is not acknowledged while no node responds to the broadcast': () =>
        expectNotAcknowledged(dropBefore()),

      'is acknowledged by "already known" in any wording': async () => {
        const { account, sent } = await sendEach(ALREADY_KNOWN, refuseSends);
        for (const [nonce, { id }] of sent.entries()) {
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce });
          expect(final.hashes).toHaveLength(1);
          // An acknowledged transaction is sent again after a time, and not because it was refused.
          const [first, second] = account.arrived.filter((each) => each.nonce === nonce);
          expect(second!.at - first!.at).toBeGreaterThanOrEqual(900);
        }
      },

      'is sent again after a wrong "nonce too low"': async () => {
        const { account, sent } = await sendEach(NONCE_TOO_LOW, refuseSends);
        for (const [nonce, { id }] of sent.entries()) {
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce });
          expect(final.hashes).toHaveLength(1);
          expect(account.hashesSent(nonce)).toEqual(final.hashes);
        }
      },

      'is confirmed by its receipt after a "nonce too low" that it caused itself': async () => {
        const { account, sent } = await sendEach(NONCE_TOO_LOW, refuseAcceptedSends);
        for (const [nonce, { id }] of sent.entries()) {
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce });
          expect(final.hashes).toHaveLength(1);
        }
        expect(await account.chainNonce()).toBe(NONCE_TOO_LOW.length);
      },

      'waits for lower nonces after "nonce too high", and is sent at most once per block': async () => {
        const account = await addAccount();
        const holdsFirst = account.proxy.add(swallowSends(), {
          where: hasNonce(0),
        });
        for (const [i, each] of NONCE_TOO_HIGH.entries())
          account.proxy.add(refuseSends(each), {
            where: hasNonce(i + 1),
          });
        const first = await account.send();
        const second = await account.send();
        const start = await chain.node.blockNumber();
        await account.untilShown(second.id, 'waiting', ({ status_reason }) => status_reason !== null);
        expect(await account.shown(second.id)).toMatchObject({
          ...{ status: 'sent', sent_at: null },
          status_reason: 'Waiting for transactions with lower nonces',
        });
        await account.untilShown(first.id, 'sent often', () => holdsFirst.met > 3);
        const blocks = (await chain.node.blockNumber()) - start;
        const tries = account.arrived.filter(({ nonce }) => nonce === 1).length;
        expect(tries).toBeLessThanOrEqual(blocks + 1);
        account.proxy.clear();
        for (const { id } of [first, second])
          expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed' });
        expect(account.hashesSent(1)).toHaveLength(1);
      },

      'says that it waits for lower nonces behind one that waits for funds, which is logged once':
        async () => {
          const account = await addAccount();
          const refusal = errorInstead(REFUSED_FOR_NOW[0]![0]);
          const rule = account.proxy.add(refusal, { where: hasNonce(0) });
          const first = await account.send();
          const hasReason = ({ status_reason }: ShownTransaction) => status_reason !== null;
          await account.untilShown(first.id, 'waiting', hasReason);
          const behind = [await account.send(), await account.send()];
          for (const { id } of behind)
            expect(await account.untilShown(id, 'waiting', hasReason)).toMatchObject({
              ...{ status: 'pending', status_reason: 'Waiting for transactions with lower nonces' },
            });
          await account.until('refused often', () => rule.met > 2);
          const lines = service.logs.filter((line) => line.includes('Transactions wait for funds'));
          const own = lines.filter((line) => line.includes(account.relayer.id));
          expect(own.map((line) => JSON.parse(line) as object)).toEqual([
            expect.objectContaining({
              level: 'warn',
              transaction: first.id,
              address: account.relayer.address,
            }),
          ]);
          account.proxy.clear();
          for (const { id } of [first, ...behind])
            expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', status_reason: null });
        },

      'is acknowledged by a "replacement underpriced" that it caused itself': async () => {
        const { account, sent } = await sendEach(REPLACEMENT_UNDERPRICED, refuseAcceptedSends);
        for (const [nonce, { id }] of sent.entries()) {
          expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce });
          expect(account.hashesSent(nonce)).toHaveLength(1);
        }
      },

      'gets higher fees after a "replacement underpriced" that another transaction caused': async () => {
        const { account, sent } = await sendEach(REPLACEMENT_UNDERPRICED, refuseSends);
        for (const [nonce, { id }] of sent.entries()) {
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce });
          expect(final.hashes).toHaveLength(2);
          expect(final.hash).toBe(final.hashes[1]);
        }
      },

      'gets new fees at once if it is underpriced, below the base fee, or below the minimum tip':
        async () => {
          const { account, sent } = await sendEach(UNDERPRICED, refuseSends);
          for (const [nonce, { id }] of sent.entries()) {
            const final = await account.untilFinal(id);
            expect(final).toMatchObject({ status: 'confirmed', nonce });
            expect(final.hashes).toHaveLength(2);
            expect(final.hash).toBe(final.hashes[1]);
          }
        },

      'shows what it waits for after a temporary refusal, and is confirmed later': async () => {
        const all = REFUSED_FOR_NOW.map(async ([refusal, reason]) => {
          const account = await addAccount();
          const rule = account.proxy.add(errorInstead(refusal), SEND);
          // With fees of its own, because others follow the market down.
          const { id } = await account.send({
            speed: null,
            max_fee_per_gas: 5_000_000_000,
            max_priority_fee_per_gas: 1_000_000_000,
          });
          const isWaiting = ({ status_reason }: ShownTransaction) => rule.met > 1 && status_reason !== null;
          const waiting = await account.untilShown(id, 'waiting', isWaiting);
          expect(waiting).toMatchObject({ status: 'sent', status_reason: expect.stringMatching(reason) });
          account.proxy.clear();
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce: 0, status_reason: null });
          expect(final.hashes).toHaveLength(1);
        });
        await Promise.all(all);
      },

      'is sent alone if its account has code (EIP-7702), although nodes would accept more': async () => {
        const account = await addAccount();
        const delegation = `0xef0100${counter.slice(2)}`;
        await chain.node.rpc('anvil_setCode', [account.relayer.address, delegation]);
        // Sending does not wait long for the code to be read, but once it is, it is known for a minute.
        const { id: first } = await account.send({ gas_limit: 60_000 });
        await account.untilFinal(first);
        const sent = await Promise.all(Array.from({ length: 4 }, () => account.send({ gas_limit: 60_000 })));
        const blocks = new Set<string | number>();
        for (const { id } of sent) {
          const final = await account.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed' });
          blocks.add(await account.minedBlock(final.hash!));
        }
        expect(blocks.size).toBe(4);
      },

      'waits for funds, and is sent when they arrive': async () => {
        const account = await addAccount({ balance: 1000n });
        const { id } = await account.send({ value: '2000', gas_limit: null });
        const waiting = await account.untilShown(
          id,
          'waiting',
          ({ status_reason }) => status_reason !== null,
        );
        expect(waiting.status_reason).toMatch(/funds/);
        expect(['pending', 'sent']).toContain(waiting.status);
        await chain.node.setBalance(account.relayer.address, 10n ** 18n);
        expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: 0, value: '0x7d0' });
      },

      'is sent again with the same bytes if the pool loses it, also at the cap': async () => {
        const account = await addAccount();
        // Less than the tip alone, and more than the base fee.
        const cap = 900_000_000;
        const capped = await addAccount({ policies: { gas_price_cap: cap } });
        const all = [account, capped].map(async (each) => {
          each.proxy.add(swallowSends(), { times: 2 });
          const { id } = await each.send();
          const submitted = await each.untilStatus(id, 'submitted');
          if (each === capped) expect(submitted.max_fee_per_gas).toBe(`${cap}`);
          const final = await each.untilFinal(id);
          expect(final).toMatchObject({ status: 'confirmed', nonce: 0 });
          expect(final.hashes).toHaveLength(1);
          expect(each.arrived.length).toBeGreaterThan(2);
          expect(each.hashesSent(0)).toEqual(final.hashes);
        });
        await Promise.all(all);
      },
    });
  });
});
