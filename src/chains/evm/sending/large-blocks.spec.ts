import { toQuantity, Transaction, Wallet } from 'ethers';
import { JsonRpcNode } from '../../../../test/support/json-rpc-node';
import { outboundHttp } from '../../../../test/support/outbound';
import { RpcEndpoint } from '../../rpc/rpc-endpoint';
import { RpcPool } from '../../rpc/rpc-pool';
import { httpTransport } from '../../rpc/rpc-transport';
import { evmChain } from '../evm-chain';
import { EvmTransactionChain } from './evm-transaction-chain';

const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
const BOB = '0x00000000000000000000000000000000000000b2';
const HASH = `0x${'ab'.repeat(32)}`;
const NETWORK = {
  ...{ chainId: '1', requiredConfirmations: 1, averageBlocktimeMs: null },
  ...{ features: [], tags: [], privateFallbackBlocks: null, fees: null },
};
/** Transactions whose hashes take 1.1 and 6.1 MiB. */
const [MANY, TOO_MANY] = [17_000, 93_000];

const hashOf = (i: number): string => `0x${i.toString(16).padStart(64, '0')}`;

describe('The search for the transaction that used a nonce', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let node: JsonRpcNode;
  let endpoint: RpcEndpoint;
  let chain: EvmTransactionChain;

  /** A node whose newest block has this number of transactions. @param other members of the transaction before the account's own */
  const start = async (count: number, other: object = {}): Promise<void> => {
    const fields = { type: 0, nonce: 0, gasPrice: 1, gasLimit: 21_000, chainId: 1 };
    const { r, s, networkV } = Transaction.from(await ALICE.signTransaction(fields)).signature!;
    const own = {
      ...{ from: ALICE.address, nonce: '0x0', type: '0x0', gas: '0x5208', gasPrice: '0x1', value: '0x0' },
      ...{ input: '0x', blockNumber: '0x1', r: toQuantity(r), s: toQuantity(s), v: toQuantity(networkV!) },
    };
    const transactions = Array.from({ length: count }, (_, i) => hashOf(i));
    node
      .respondTo('eth_getTransactionCount', ({ params }) => {
        const [, tag] = params as string[];
        return { result: tag === '0x0' ? '0x0' : '0x1' };
      })
      .respondTo('eth_getBlockByNumber', ({ params }) => {
        const [tag] = params as string[];
        const block = { number: '0x1', hash: HASH, parentHash: HASH, timestamp: '0x1', gasLimit: '0x1' };
        return { result: { ...block, transactions: tag === 'latest' ? [] : transactions } };
      })
      .respondTo('eth_getTransactionByHash', ({ params }) => {
        const [hash] = params as string[];
        if (hash === hashOf(count - 1)) return { result: { hash, ...own } };
        const isBefore = hash === hashOf(count - 2);
        return { result: { hash, from: BOB, nonce: '0x0', ...(isBefore && other) } };
      });
  };

  beforeEach(async () => {
    node = await JsonRpcNode.start(1);
    endpoint = new RpcEndpoint(node.url, evmChain(1n), httpTransport(http), () => performance.now());
    chain = new EvmTransactionChain(
      { public: new RpcPool([{ endpoint, weight: 1 }]), private: undefined },
      NETWORK,
    );
    await endpoint.verify();
  });

  afterEach(() => node.close());
  afterAll(() => http.onApplicationShutdown());

  it('finds it in a block with more than 1 MiB of hashes', async () => {
    await start(MANY);
    expect(await chain.findMined(ALICE.address, 0)).toMatchObject({ hash: hashOf(MANY - 1) });
    expect(endpoint.state).toBe('ready');
  });

  it('finds it behind a transaction of 2 MiB', async () => {
    await start(3, { input: `0x${'00'.repeat(1024 * 1024)}` });
    expect(await chain.findMined(ALICE.address, 0)).toMatchObject({ hash: hashOf(2) });
    expect(endpoint.state).toBe('ready');
  });

  it('finds none in a block with more hashes than are read, and the endpoint stays ready', async () => {
    await start(TOO_MANY);
    expect(await chain.findMined(ALICE.address, 0)).toBeNull();
    expect(endpoint.state).toBe('ready');
  });
});
