import { id } from 'ethers';
import type { Anvil } from '../anvil';
import { until } from '../private-servers';
import { creationOf } from './bytecode';

/** The first account for which anvil has a key and coins. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const EXECUTED = id('Executed(uint256)');

/** Creates a contract in a block that is mined for it. @returns its address */
export async function deploy(node: Anvil, runtime: string): Promise<string> {
  const hash = await node.rpc('eth_sendTransaction', [
    { from: DEPLOYER, data: creationOf(runtime), gas: '0x100000' },
  ]);
  await node.mine();
  let address: string | undefined;
  await until('the contract', async () => {
    const receipt = await node.rpc<{ contractAddress: string } | null>('eth_getTransactionReceipt', [hash]);
    address = receipt?.contractAddress;
    return address !== undefined;
  });
  return address!;
}

/** An execution that a `COUNTER` has emitted. */
export interface Execution {
  id: number;
  transactionHash: string;
}

/** All executions on the current chain, in order. */
export async function executionsOf(node: Anvil, counter: string): Promise<Execution[]> {
  const filter = { address: counter, fromBlock: '0x0', toBlock: 'latest', topics: [EXECUTED] };
  const logs = await node.rpc<{ topics: string[]; transactionHash: string }[]>('eth_getLogs', [filter]);
  return logs.map(({ topics, transactionHash }) => ({ id: Number(topics[1]), transactionHash }));
}

/** The number of executions that a `COUNTER` has stored. */
export async function totalOf(node: Anvil, counter: string): Promise<number> {
  return Number(await node.rpc<string>('eth_getStorageAt', [counter, '0x0', 'latest']));
}
