import { Anvil, describeWithAnvil } from '../support/anvil';
import { COUNTER } from '../support/contracts/contracts';
import { deploy } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { otherChain } from '../support/faulty-proxy/chain-faults';
import { SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const SETTINGS = { TRANSACTION_REBROADCAST_SECONDS: '1', TRANSACTION_BUMP_SECONDS: '600' };
const OTHER_CHAIN_ID = 987_654;
/** Longer than a false state of the chain needs to be believed. */
const WHILE_MS = 8000;

describeWithAnvil('Endpoints of other chains:', () => {
  describeService('A transaction', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
    let chain: TestChain;
    let other: Anvil;
    let counter: string;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      other = await Anvil.create({ chainId: OTHER_CHAIN_ID, blockTime: 0.5 });
      counter = await deploy(chain.node, COUNTER);
    });

    afterAll(async () => {
      await other.stop();
      await chain.stop();
    });

    const expectExecutions = async (account: SendingAccount, sent: { id: string; number: number }[]) => {
      for (const [i, { id, number }] of sent.entries()) {
        expect(await account.untilFinal(id)).toMatchObject({
          status: 'confirmed',
          nonce: i,
          status_reason: null,
        });
        expect(await account.timesExecuted(counter, number)).toBe(1);
      }
      expect(await account.nextNonce()).toBe(sent.length);
    };

    const send = async (account: SendingAccount): Promise<{ id: string; number: number }> => {
      const { body, number } = SendingAccount.execution(counter);
      return { id: (await account.send(body)).id, number };
    };

    it('is executed, with the next nonce, although the only endpoint serves another chain for some time', async () => {
      const account = await SendingAccount.add(service, chain);
      await other.rpc('anvil_setNonce', [account.relayer.address, '0x9c40']);
      const sent = [await send(account)];
      await account.untilFinal(sent[0]!.id);
      account.proxy.add(otherChain(other.url));
      const end = Date.now() + WHILE_MS;
      while (Date.now() < end) {
        sent.push(await send(account));
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      account.proxy.clear();
      await expectExecutions(account, sent);
    });

    it('is executed if one of two endpoints serves another chain', async () => {
      const second = await chain.addProxy();
      second.add(otherChain(other.url));
      const account = await SendingAccount.add(service, chain, {}, [second.url]);
      await other.rpc('anvil_setNonce', [account.relayer.address, '0x9c40']);
      await expectExecutions(account, [await send(account), await send(account)]);
    });

    it('is executed if one of two endpoints begins to serve another chain', async () => {
      const second = await chain.addProxy();
      const account = await SendingAccount.add(service, chain, {}, [second.url]);
      const sent = [await send(account)];
      await account.untilFinal(sent[0]!.id);
      await other.rpc('anvil_setNonce', [account.relayer.address, '0x9c40']);
      second.add(otherChain(other.url));
      for (let i = 0; i < 6; i += 1) sent.push(await send(account));
      await expectExecutions(account, sent);
    });
  });
});
