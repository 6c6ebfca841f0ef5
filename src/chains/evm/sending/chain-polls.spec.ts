import { JsonRpcNode } from '../../../../test/support/json-rpc-node';
import { outboundHttp } from '../../../../test/support/outbound';
import { currentRequest, runWithRequest } from '../../../common/http/request-context';
import { RpcEndpoint } from '../../rpc/rpc-endpoint';
import { RpcPool } from '../../rpc/rpc-pool';
import { httpTransport } from '../../rpc/rpc-transport';
import { evmChain } from '../evm-chain';
import { ChainPolls } from './chain-polls';

const HASH = `0x${'ab'.repeat(32)}`;
const BLOCK = {
  number: '0x10',
  hash: HASH,
  parentHash: HASH,
  timestamp: '0x1',
  gasLimit: '0x1c9c380',
  // Long enough to be read in several turns of the event loop.
  transactions: Array<string>(1000).fill(HASH),
};

describe('ChainPolls', () => {
  const http = outboundHttp({ allow: '127.0.0.1' });
  let node: JsonRpcNode;
  let polls: ChainPolls;

  beforeEach(async () => {
    node = await JsonRpcNode.start(1);
    node.say('eth_getBlockByNumber', { result: BLOCK }).say('eth_getTransactionCount', { result: '0x5' });
    const endpoint = new RpcEndpoint(node.url, evmChain(1n), httpTransport(http), () => performance.now());
    polls = new ChainPolls(new RpcPool([{ endpoint, weight: 1 }]), 1000);
  });

  afterEach(() => node.close());
  afterAll(() => http.onApplicationShutdown());

  it('serves all who wait, also where the request that began the poll has ended', async () => {
    let first: Promise<unknown> | undefined;
    runWithRequest('r-1', () => {
      first = polls.read('0xa');
      currentRequest()!.isOver = true;
    });
    const view = { head: 16, nonce: 5, reported: 5, poll: 1 };
    expect(await Promise.all([polls.read('0xb'), first])).toEqual([view, view]);
  });
});
