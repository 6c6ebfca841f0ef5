import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { TestNotification } from '../support/notifications';
import { until } from '../support/private-servers';
import { Receiver } from '../support/receiver';
import { hasNonce, SendingAccount } from '../support/sending-account';
import { TestChain } from '../support/test-chain';

const EVENT = 'relayer_nonce_repaired';

describeWithAnvil('Repaired nonces:', () => {
  describeService('A webhook', ({ service }) => {
    let chain: TestChain;
    let receiver: Receiver;

    beforeAll(async () => {
      [chain, receiver] = await Promise.all([TestChain.start({ blockTime: 0.5 }), Receiver.start()]);
    });

    afterAll(() => Promise.all([chain.stop(), receiver.close()]));

    it('receives an event if the key was used elsewhere, with or without an open transaction', async () => {
      await TestNotification.add(service, receiver.url, { events: [EVENT] });
      const account = await SendingAccount.add(service, chain, { relayer: { notification_id: 'hook' } });
      const { id: relayer_id, address } = account.relayer;
      const common = { payload_type: EVENT, relayer_id, address, chain_id: chain.node.chainId, nonces: [] };
      const arrived = (count: number) => until(`${count} events`, () => receiver.received.length >= count);
      const payloads = () => receiver.received.map(({ event }) => event.payload);

      account.proxy.add(swallowSends(), { where: hasNonce(0) });
      const { id } = await account.send();
      await account.untilStatus(id, 'submitted');
      await account.sendElsewhere();
      await arrived(1);
      expect(payloads()).toEqual([{ ...common, kind: 'reassigned', from: 0, to: 1 }]);
      expect(await account.untilFinal(id)).toMatchObject({ status: 'confirmed', nonce: 1 });

      await account.sendElsewhere();
      await account.until('a block', async () => (await account.chainNonce()) === 3);
      expect((await account.call('POST', '/nonce/sync')).status).toBe(200);
      await arrived(2);
      expect(payloads()[1]).toEqual({ ...common, kind: 'raised', from: 2, to: 3 });
      expect(receiver.received[1]?.event.event).toBe(EVENT);
    });
  });
});
