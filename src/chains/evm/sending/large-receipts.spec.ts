import { JsonRpcNode } from '../../../../test/support/json-rpc-node';
import { outboundHttp } from '../../../../test/support/outbound';
import { RpcEndpoint } from '../../rpc/rpc-endpoint';
import { RpcPool } from '../../rpc/rpc-pool';
import { httpTransport } from '../../rpc/rpc-transport';
import { evmChain } from '../evm-chain';
import { readReceipts } from './chain-reads';

const hashOf = (digit: string): string => `0x${digit.repeat(64)}`;
const BLOCK = { blockNumber: '0x10', blockHash: hashOf('b') };
const LOG = {
  address: `0x${'1'.repeat(40)}`,
  topics: [hashOf('c'), hashOf('d'), hashOf('e')],
  data: hashOf('f'),
  ...BLOCK,
};
/** Numbers of log entries for receipts of 1.3, 9 and 14 MiB. */
const [LONG, LONGER, TOO_LONG] = [3000, 21_000, 32_000];

describe('readReceipts', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let node: JsonRpcNode;
  let endpoint: RpcEndpoint;
  let pool: RpcPool;

  /** A node whose receipts have these numbers of log entries, by the digit of their hash. */
  const start = async (logs: Readonly<Record<string, number>>): Promise<void> => {
    node.respondTo('eth_getTransactionReceipt', ({ params }) => {
      const [hash] = params as [string];
      const count = logs[hash.at(-1) ?? ''];
      if (count === undefined) return { result: null };
      const cost = { status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x8' };
      return { result: { transactionHash: hash, ...BLOCK, logs: Array(count).fill(LOG), ...cost } };
    });
    node.respondTo('eth_getTransactionByHash', ({ params }) => {
      const [hash] = params as [string];
      return { result: { hash, ...BLOCK, gas: '0x1c9c380' } };
    });
    endpoint = new RpcEndpoint(node.url, evmChain(1n), httpTransport(http), () => performance.now());
    pool = new RpcPool([{ endpoint, weight: 1 }]);
    await endpoint.verify();
  };

  beforeEach(async () => {
    node = await JsonRpcNode.start(1);
  });

  afterEach(() => node.close());
  afterAll(() => http.onApplicationShutdown());

  it('reads large receipts together with others, and leaves the endpoint ready', async () => {
    await start({ 1: LONG, 2: LONGER, 3: 1 });
    const receipts = await readReceipts(pool, ['1', '2', '3', '4'].map(hashOf));
    expect([...receipts.keys()]).toEqual(['1', '2', '3'].map(hashOf));
    expect(endpoint.state).toBe('ready');
  });

  it('reads receipts one after another if there is no memory for all at once', async () => {
    await start({ 1: LONGER, 2: LONGER, 3: 1 });
    const receipts = await readReceipts(pool, ['1', '2', '3'].map(hashOf));
    expect([...receipts.keys()]).toEqual(['1', '2', '3'].map(hashOf));
  });

  it('treats a transaction as successful if its receipt is too large, and reads the others', async () => {
    await start({ 1: TOO_LONG, 2: 1, 3: 1 });
    const receipts = await readReceipts(pool, ['1', '2', '3'].map(hashOf));
    expect([...receipts.keys()]).toEqual(['1', '2', '3'].map(hashOf));
    expect(receipts.get(hashOf('1'))).toEqual({
      ...{ transactionHash: hashOf('1'), blockNumber: 16, blockHash: hashOf('b'), succeeded: true },
      ...{ gasUsed: 30_000_000n, effectiveGasPrice: null, l1Fee: null, hasOperatorFee: false },
    });
    expect(endpoint.state).toBe('ready');
  });
});
