import { FakePool } from '../../../../test/support/fake-pool';
import { EvmTransactionChain } from './evm-transaction-chain';

const NETWORK = {
  ...{ chainId: '1', requiredConfirmations: 1, averageBlocktimeMs: null },
  ...{ features: [], tags: [], privateFallbackBlocks: 25, fees: null },
};
const HASH = `0x${'ab'.repeat(32)}`;
const SENT = { eth_sendRawTransaction: { result: HASH } };
const ATTEMPTS = [{ raw: '0x01', hash: HASH }];

describe('EvmTransactionChain sends', () => {
  it('private transactions to private endpoints only, and others to public ones only', async () => {
    const [open, hidden] = [await FakePool.start(SENT), await FakePool.start(SENT)];
    const chain = new EvmTransactionChain({ public: open.pool, private: hidden.pool }, NETWORK);
    expect(chain).toMatchObject({ hasPrivateEndpoint: true, privateFallbackBlocks: 25 });
    expect(await chain.send(ATTEMPTS, true)).toEqual(['accepted']);
    expect([open.received, hidden.received]).toEqual([[], [['first', 'eth_sendRawTransaction']]]);
    expect(await chain.send(ATTEMPTS, false)).toEqual(['accepted']);
    expect([open.received, hidden.received].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('no private transaction if there is no private endpoint', async () => {
    const open = await FakePool.start(SENT);
    const chain = new EvmTransactionChain({ public: open.pool, private: undefined }, NETWORK);
    expect(chain.hasPrivateEndpoint).toBe(false);
    expect(await chain.send(ATTEMPTS, true)).toEqual(['no_private_endpoint']);
    expect(open.received).toEqual([]);
  });

  it('no private transaction to public endpoints while the private ones fail', async () => {
    const open = await FakePool.start(SENT);
    const hidden = await FakePool.start(SENT);
    for (const url of ['https://first.example', 'https://second.example'])
      hidden.nodes.set(url, 'connection');
    const chain = new EvmTransactionChain({ public: open.pool, private: hidden.pool }, NETWORK);
    expect(await chain.send(ATTEMPTS, true)).toEqual(['unavailable']);
    expect(open.received).toEqual([]);
  });
});
