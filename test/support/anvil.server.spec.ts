import { Anvil, describeWithAnvil } from './anvil';
import type { AnvilOptions } from './anvil-options';
import { until } from './private-servers';

const SENDER = '0x4242424242424242424242424242424242424242';
const RECEIVER = '0x3535353535353535353535353535353535353535';

describeWithAnvil('A private node', () => {
  let node: Anvil;

  afterEach(() => node.stop());

  const start = async (options: AnvilOptions): Promise<void> => {
    node = await Anvil.create(options);
    await node.setBalance(SENDER, 10n ** 20n);
  };

  const send = (): Promise<string> => node.sendAs(SENDER, { to: RECEIVER, value: '0x1', gas: '0x5208' });
  const receipt = (hash: string): Promise<unknown> => node.rpc('eth_getTransactionReceipt', [hash]);
  const block = (): Promise<{ gasLimit: string; baseFeePerGas: string; hash: string }> =>
    node.rpc('eth_getBlockByNumber', ['latest', false]);

  it('applies its options', async () => {
    await start({ noMining: true, gasLimit: 3_000_000, order: 'fifo', baseFee: 7, hardfork: 'osaka' });
    const { gasLimit, baseFeePerGas } = await block();
    expect([gasLimit, baseFeePerGas].map(Number)).toEqual([3_000_000, 7]);
  });

  it('limits the size of code and the gas of transactions', async () => {
    await start({ codeSizeLimit: 64, hardfork: 'osaka', limitGasOfTransactions: true });
    // Creates 65 bytes of code.
    const hash = await node.sendAs(SENDER, { data: '0x60415ff3', gas: '0x100000' });
    await until('the receipt', async () => (await receipt(hash)) !== null);
    expect(await receipt(hash)).toMatchObject({ status: '0x0' });
    await expect(node.sendAs(SENDER, { to: RECEIVER, gas: '0x1000001' })).rejects.toThrow(/gas/);
  });

  it.each([false, true])(
    'mines at intervals until this is switched off (mixed mining: %s)',
    async (mixedMining) => {
      await start({ blockTime: 0.1, mixedMining });
      const hash = await send();
      await until('a block', async () => (await receipt(hash)) !== null);
      await until('more blocks', async () => (await node.blockNumber()) > 3);
      await node.setBlockTime(0);
      const last = await send();
      expect(await receipt(last)).toBeNull();
      await node.setBlockTime(1);
      await until('a block', async () => (await receipt(last)) !== null);
    },
  );

  it('mines on demand', async () => {
    await start({ noMining: true });
    const hash = await send();
    expect(await receipt(hash)).toBeNull();
    expect([await node.nonce(SENDER), await node.nonce(SENDER, 'pending')]).toEqual([0, 1]);
    await node.mine(3);
    expect(await node.blockNumber()).toBe(3);
    expect(await receipt(hash)).toMatchObject({ blockNumber: '0x1' });
    await node.setAutomine(true);
    await until('a block', async () => (await receipt(await send())) !== null);
  });

  it('replaces blocks with empty ones in a reorganisation', async () => {
    await start({ noMining: true });
    await node.mine();
    const hash = await send();
    await node.mine(2);
    const before = await block();
    await node.reorg(2);
    expect(await node.blockNumber()).toBe(3);
    expect((await block()).hash).not.toBe(before.hash);
    expect([await receipt(hash), await node.nonce(SENDER)]).toEqual([null, 0]);
    await node.mine();
    expect(await receipt(hash)).toBeNull();
  });

  it('drops one transaction, or all of them', async () => {
    await start({ noMining: true });
    const hash = await send();
    await node.dropTransaction(hash);
    expect(await node.rpc('eth_getTransactionByHash', [hash])).toBeNull();
    await send();
    await node.dropAllTransactions();
    await node.mine();
    expect(await node.nonce(SENDER)).toBe(0);
  });

  it('sets nonces, storage and the base fee, and returns to a snapshot', async () => {
    await start({ noMining: true });
    const snapshot = await node.snapshot();
    await node.setNonce(SENDER, 5);
    await node.setStorage(RECEIVER, 1n, 9n);
    await node.setNextBaseFee(123_456n);
    await node.mine();
    expect(Number((await block()).baseFeePerGas)).toBe(123_456);
    expect(Number(await node.rpc('eth_getStorageAt', [RECEIVER, '0x1', 'latest']))).toBe(9);
    expect(await node.nonce(SENDER)).toBe(5);
    await node.revert(snapshot);
    expect([await node.blockNumber(), await node.nonce(SENDER)]).toEqual([0, 0]);
  });
});
