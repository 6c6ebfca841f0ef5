import { Contract, getAddress, JsonRpcProvider } from 'ethers';
import type { RelayerClient } from '../../client/src/client';
import {
  ConflictError,
  JsonRpcError,
  TransactionEndedError,
  WaitTimeoutError,
} from '../../client/src/errors';
import { RelayerSigner } from '../../client/src/ethers';
import type { Relayer } from '../../client/src/relayer';
import { describeWithAnvil } from '../support/anvil';
import { all, clientOf } from '../support/client';
import { revertingWith, RevertData } from '../support/contracts/calls';
import { COUNTER, REVERTER } from '../support/contracts/contracts';
import { deploy, executionsOf } from '../support/contracts/deployment';
import { describeService } from '../support/describe-service';
import { swallowSends } from '../support/faulty-proxy/chain-faults';
import { RECEIVER, SendingAccount } from '../support/sending-account';
import { CHAIN_ID, TestChain } from '../support/test-chain';

const TRANSFER = { to: RECEIVER, value: 10n ** 15n, speed: 'fast', gas_limit: 21_000 } as const;

describeWithAnvil('With a chain', () => {
  describeService('the client', { onlySqlite: true }, ({ service }) => {
    let chain: TestChain;
    let account: SendingAccount;
    let client: RelayerClient;
    let relayer: Relayer;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
      account = await SendingAccount.add(service, chain);
      client = clientOf(service);
      relayer = client.relayer(account.relayer.id);
    });

    afterAll(() => chain.stop());

    it('sends a transaction, waits for it, and finds it by filters', async () => {
      const metadata = { order: 'first' };
      const { id, status } = await relayer.sendTransaction({ ...TRANSFER, metadata });
      expect(status).toBe('pending');
      const transaction = await relayer.waitFor(id);
      expect(transaction).toMatchObject({ status: 'confirmed', to: RECEIVER, value: '0x38d7ea4c68000' });
      const found = await all(relayer.transactions({ 'metadata.order': 'first' }));
      expect(found).toEqual([transaction]);
      expect(await all(relayer.transactions({ 'metadata.order': 'second' }))).toEqual([]);
    });

    it('sends one transaction per idempotency key', async () => {
      const idempotencyKey = 'order-42';
      const results = await Promise.all(
        Array.from({ length: 5 }, () => relayer.sendTransaction(TRANSFER, { idempotencyKey })),
      );
      expect(new Set(results.map(({ id }) => id)).size).toBe(1);
      await expect(relayer.sendTransaction({ ...TRANSFER, value: 7 }, { idempotencyKey })).rejects.toThrow(
        ConflictError,
      );
    });

    it('sends once if the response is lost', async () => {
      const before = await account.nextNonce();
      let calls = 0;
      const lossy: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        calls += 1;
        if (calls === 1) throw new TypeError('the connection was reset');
        return response;
      };
      const { id, nonce } = await clientOf(service, { fetch: lossy })
        .relayer(relayer.id)
        .sendTransaction(TRANSFER);
      expect([calls, nonce]).toEqual([2, before]);
      await relayer.waitFor(id);
      expect(await account.nextNonce()).toBe(before + 1);
    });

    it('sends batches', async () => {
      const results = await relayer.sendTransactions({
        transactions: [TRANSFER, { ...TRANSFER, to: '0x12' }],
      });
      expect(results[1]).toMatchObject({ error: expect.stringContaining('to') });
      await relayer.waitFor(results[0]!.transaction!.id);
    });

    it('replaces and cancels a transaction', async () => {
      const rule = account.proxy.add(swallowSends());
      const { id } = await relayer.sendTransaction(TRANSFER);
      await relayer.waitFor(id, { status: 'submitted' });
      await expect(relayer.waitFor(id, { timeoutMs: 1000 })).rejects.toThrow(WaitTimeoutError);
      await relayer.replaceTransaction(id, { ...TRANSFER, value: 5n });
      await relayer.cancelTransaction(id);
      account.proxy.remove(rule);
      const final = await relayer.waitFor(id, { status: 'canceled' });
      expect(final).toMatchObject({ status: 'canceled', is_canceled: true });
      await expect(relayer.waitFor(id)).rejects.toThrow(TransactionEndedError);
    });

    it('reports why a transaction failed', async () => {
      const to = await deploy(chain.node, REVERTER);
      const data = revertingWith(RevertData.error('not the owner'));
      const { id } = await relayer.sendTransaction({ ...TRANSFER, to, data, value: 0, gas_limit: 100_000 });
      await expect(relayer.waitFor(id)).rejects.toThrow(`Transaction ${id} is failed: not the owner`);
    });

    it('calls RPC nodes', async () => {
      expect(await relayer.rpc('eth_chainId')).toBe(`0x${CHAIN_ID.toString(16)}`);
      await expect(relayer.rpc('eth_call', [{ to: 'nonsense' }, 'latest'])).rejects.toThrow(JsonRpcError);
    });

    it('calls contracts as an ethers signer', async () => {
      const provider = new JsonRpcProvider(chain.node.url, CHAIN_ID, {
        staticNetwork: true,
        pollingInterval: 200,
      });
      const signer = await RelayerSigner.create(relayer, provider, 'fast');
      const address = getAddress(await deploy(chain.node, COUNTER));
      const counter = new Contract(address, ['function execute(uint256 id)'], signer);
      const response = await counter.getFunction('execute').send(4242);
      expect(response).toMatchObject({
        chainId: BigInt(CHAIN_ID),
        from: account.relayer.address,
        to: address,
      });
      const receipt = await response.wait();
      expect(receipt).toMatchObject({ status: 1, from: account.relayer.address });
      expect((await executionsOf(chain.node, address)).map(({ id }) => id)).toEqual([4242]);
      await expect(signer.sendTransaction({ to: RECEIVER, nonce: 3 })).rejects.toThrow(
        'the service assigns the nonce',
      );
      await expect(signer.sendTransaction({ to: RECEIVER, chainId: 1 })).rejects.toThrow('not the chain');
      provider.destroy();
    });

    it('does not send if the ethers provider is on another chain', async () => {
      const provider = new JsonRpcProvider(chain.node.url, CHAIN_ID + 1, { staticNetwork: true });
      const signer = await RelayerSigner.create(relayer, provider, 'fast');
      const before = await account.nextNonce();
      await expect(signer.sendTransaction({ to: RECEIVER, value: 1 })).rejects.toThrow(
        'the provider is on another chain than the relayer',
      );
      expect(await account.nextNonce()).toBe(before);
      provider.destroy();
    });
  });
});
