import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { TestChain } from '../support/test-chain';
import {
  addSendingRelayer,
  requestTransaction,
  type SendingRelayer,
  untilStatus,
} from '../support/transactions';

const RECEIVER = '0x3535353535353535353535353535353535353535';

describeWithAnvil('On a chain', () => {
  describeService('Transactions', ({ service }) => {
    let chain: TestChain;
    let relayer: SendingRelayer;

    beforeAll(async () => {
      chain = await TestChain.start();
      relayer = await addSendingRelayer(service, chain);
    });

    afterAll(() => chain.stop());

    it('are accepted, sent and confirmed', async () => {
      const response = await requestTransaction(service, relayer, {
        to: RECEIVER,
        value: '1000',
        speed: 'fast',
      });
      console.log(JSON.stringify(response.body));
      expect(response.status).toBe(201);
      const t = Date.now();
      const mined = await untilStatus(service, relayer, response.body.data.id, 'mined').catch((e) => { console.log(e, service.logs); return {} as any; });
      console.log(Date.now() - t, mined);
      await chain.node.rpc('anvil_mine', ['0x2']);
      console.log(await untilStatus(service, relayer, response.body.data.id));
      console.log(chain.proxy.url, (await service.get(relayer.path + '/status')).body);
    });
  });
});
