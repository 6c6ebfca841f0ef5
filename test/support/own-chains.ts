import { SendingAccount } from './sending-account';
import { TestChain } from './test-chain';
import type { Client, WantedRelayer } from './transactions';

/** Accounts on separate chains, whose blocks are mined only by the test. */
export class OwnChains {
  private readonly chains: TestChain[] = [];

  constructor(private readonly client: Client) {}

  async add(wanted?: WantedRelayer): Promise<SendingAccount> {
    const chain = await TestChain.start({ noMining: true });
    this.chains.push(chain);
    return SendingAccount.add(this.client, chain, wanted);
  }

  async stop(): Promise<void> {
    await Promise.all(this.chains.map((chain) => chain.stop()));
  }
}

/** Mines a block with this base fee. The base fee of the next block is an eighth lower. */
export async function mineAt({ node }: SendingAccount, baseFee: bigint): Promise<void> {
  await node.setNextBaseFee(baseFee);
  await node.mine();
}
