import { evmChain } from './evm-chain';
import { FakeNodes } from '../../../test/support/fake-nodes';
import { readBalance, readNonce } from './account';
import { NodeRefusedError } from './node-read';
import { RpcEndpoint } from '../rpc/rpc-endpoint';
import { RpcPool } from '../rpc/rpc-pool';

const BAD = 'https://bad.example';
const GOOD = 'https://good.example';
const ADDRESS = '0x0000000000000000000000000000000000000001';

describe('readBalance and readNonce', () => {
  let nodes: FakeNodes;
  let pool: RpcPool;

  beforeEach(async () => {
    nodes = new FakeNodes();
    respond(BAD, '0x1');
    respond(GOOD, '0x20000000000001');
    // A `random` of 0 always picks the first ready endpoint.
    pool = new RpcPool(
      [BAD, GOOD].map((url) => ({
        endpoint: new RpcEndpoint(url, evmChain(1n), nodes.transport, () => 0),
        weight: 1,
      })),
      {},
      () => 0,
    );
    await pool.verify(0);
  });

  const respond = (url: string, result: unknown): void => {
    nodes.set(url, ({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : result }));
  };

  it.each([
    ['0x0', 0n],
    ['0xde0b6b3a7640000', 10n ** 18n],
    ['0x20000000000001', 9007199254740993n],
  ])('read %s exactly', async (result, value) => {
    respond(BAD, result);
    expect(await readBalance(pool, ADDRESS)).toBe(value);
    expect(await readNonce(pool, ADDRESS)).toBe(value);
    expect(nodes.count(GOOD, 'eth_getBalance')).toBe(0);
  });

  it.each([
    ['10^80', `0x${(10n ** 80n).toString(16)}`],
    ['a negative number', '-0x1'],
    ['null', null],
    ['a JSON number', 1],
    ['decimal digits', '1000'],
    ['an empty text', ''],
    ['only a prefix', '0x'],
    ['a list', ['0x1']],
  ])('treat %s as a failure of the endpoint and call the next one', async (_what, result) => {
    respond(BAD, result);
    expect(await readBalance(pool, ADDRESS)).toBe(9007199254740993n);
    expect(pool.members.map(({ endpoint }) => endpoint.state)).toEqual(['resting', 'ready']);
  });

  it('reject a nonce beyond 64 bits, but not such a balance', async () => {
    respond(BAD, '0x10000000000000000');
    expect(await readBalance(pool, ADDRESS)).toBe(2n ** 64n);
    expect(await readNonce(pool, ADDRESS)).toBe(9007199254740993n);
  });

  it('throw NodeRefusedError if the node refuses the call, and leave the endpoint ready', async () => {
    nodes.set(BAD, () => ({ error: { code: -32602, message: 'invalid argument' } }));
    await expect(readBalance(pool, ADDRESS)).rejects.toBeInstanceOf(NodeRefusedError);
    expect(pool.members.map(({ endpoint }) => endpoint.state)).toEqual(['ready', 'ready']);
  });

  it('throw RpcUnavailableError if no endpoint returns a usable result', async () => {
    for (const url of [BAD, GOOD]) respond(url, '-0x1');
    await expect(readNonce(pool, ADDRESS)).rejects.toMatchObject({
      name: 'RpcUnavailableError',
      failure: 'malformed',
    });
  });
});
