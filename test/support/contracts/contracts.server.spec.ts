import { Anvil, describeWithAnvil } from '../anvil';
import { until } from '../private-servers';
import { arm, burn, execute, executions, RevertData, revertingWith } from './calls';
import { COUNTER, GAS_BURNER, REVERTER, REVERTS_WHEN_ARMED, REVERTS_WHEN_MINED } from './contracts';
import { deploy, executionsOf, totalOf } from './deployment';

const CALLER = '0x4242424242424242424242424242424242424242';

interface Receipt {
  status: string;
  gasUsed: string;
}

describeWithAnvil('The test contracts', () => {
  let node: Anvil;

  beforeAll(async () => {
    node = await Anvil.create();
    await node.setBalance(CALLER, 10n ** 20n);
  });

  afterAll(() => node.stop());

  const send = async (to: string, data: string): Promise<Receipt & { hash: string }> => {
    const hash = await node.sendAs(CALLER, { to, data, gas: '0x100000' });
    let receipt: Receipt | null = null;
    await until('the receipt', async () => {
      receipt = await node.rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);
      return receipt !== null;
    });
    return { ...receipt!, hash };
  };

  /** The result of a simulation, or its revert data. */
  const simulate = async (to: string, data: string, more: object = {}): Promise<string> => {
    const call = { from: CALLER, to, data, ...more };
    const response = await fetch(node.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] }),
    });
    const { result, error } = (await response.json()) as { result?: string; error?: { data: string } };
    return result ?? `revert ${error!.data}`;
  };

  it('count executions by id and in total', async () => {
    const counter = await deploy(node, COUNTER);
    const hashes: string[] = [];
    for (const request of [0, 7, 7]) {
      const { status, hash } = await send(counter, execute(request));
      expect(status).toBe('0x1');
      hashes.push(hash);
    }
    const counts = await Promise.all([0, 1, 7].map((request) => simulate(counter, executions(request))));
    expect(counts.map(Number)).toEqual([1, 0, 2]);
    expect(await totalOf(node, counter)).toBe(3);
    expect(await executionsOf(node, counter)).toEqual([
      { id: 0, transactionHash: hashes[0] },
      { id: 7, transactionHash: hashes[1] },
      { id: 7, transactionHash: hashes[2] },
    ]);
  });

  it.each([
    ['a text', RevertData.error('not today')],
    ['a panic', RevertData.panic(0x11)],
    ['a custom error', RevertData.custom(1, 2)],
    ['nothing', RevertData.nothing],
  ])('revert with %s, simulated and mined', async (_title, data) => {
    const reverter = await deploy(node, REVERTER);
    expect(await simulate(reverter, revertingWith(data))).toBe(`revert ${data}`);
    expect((await send(reverter, revertingWith(data))).status).toBe('0x0');
  });

  it('encode revert data like Solidity', () => {
    expect(RevertData.error('ab')).toBe(
      `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6162'.padEnd(64, '0')}`,
    );
    expect(RevertData.panic(0x11)).toBe(`0x4e487b71${'11'.padStart(64, '0')}`);
    expect(RevertData.custom(1, 2)).toBe(`0xcf479181${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`);
  });

  it('revert while they are armed', async () => {
    const contract = await deploy(node, REVERTS_WHEN_ARMED);
    const call = revertingWith(RevertData.error('armed'));
    expect(await simulate(contract, call)).toBe('0x');
    expect((await send(contract, call)).status).toBe('0x1');
    await send(contract, arm(true));
    expect(await simulate(contract, call)).toBe(`revert ${RevertData.error('armed')}`);
    expect((await send(contract, call)).status).toBe('0x0');
    await node.setStorage(contract, 0n, 0n);
    expect((await send(contract, call)).status).toBe('0x1');
    expect(Number(await node.rpc('eth_getStorageAt', [contract, '0x1', 'latest']))).toBe(2);
  });

  it('revert if gas has a price', async () => {
    const contract = await deploy(node, REVERTS_WHEN_MINED);
    const call = revertingWith(RevertData.panic(1));
    expect(await simulate(contract, call)).toBe('0x');
    await expect(
      node.rpc('eth_estimateGas', [{ from: CALLER, to: contract, data: call }]),
    ).resolves.toBeDefined();
    expect(await simulate(contract, call, { gasPrice: '0x77359400' })).toBe(`revert ${RevertData.panic(1)}`);
    expect((await send(contract, call)).status).toBe('0x0');
  });

  it('burn gas in proportion to the rounds', async () => {
    const burner = await deploy(node, GAS_BURNER);
    const used = async (rounds: number): Promise<number> =>
      Number((await send(burner, burn(rounds))).gasUsed);
    // Both arguments take two bytes of calldata.
    expect((await used(1300)) - (await used(300))).toBe(1000 * 40);
  });
});
