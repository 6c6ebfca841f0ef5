import { evmChain } from '../../chains/evm/evm-chain';
import { ConfigService } from '@nestjs/config';
import { type Behaviour, FakeNodes } from '../../../test/support/fake-nodes';
import type { AppConfig } from '../../config/app-config';
import type { JsonRpcResponse } from '../../chains/rpc/json-rpc';
import { RpcEndpoint } from '../../chains/rpc/rpc-endpoint';
import { RpcPool } from '../../chains/rpc/rpc-pool';
import type { RelayerChain } from '../chain-access/relayer-chain';
import type { RelayerEntity } from '../relayer.entity';
import { ChainCheck } from './chain-check';

const A = 'https://a.example';
const B = 'https://b.example';
const REFUSAL = { error: { code: -32000, message: 'not now' } };

describe('ChainCheck', () => {
  let now: number;
  let nodes: FakeNodes;
  let pool: RpcPool | undefined;
  let check: ChainCheck;

  /** A node of chain 1, with some of its responses replaced by these. */
  const node =
    (responses: Record<string, JsonRpcResponse> = {}): Behaviour =>
    ({ method }) =>
      responses[method] ??
      { eth_chainId: { result: '0x1' }, eth_getTransactionCount: { result: '0x5' } }[method] ?? {
        result: '0x64',
      };

  beforeEach(() => {
    now = 1_000_000;
    nodes = new FakeNodes().set(A, node()).set(B, node());
    const members = [A, B].map((url) => ({
      endpoint: new RpcEndpoint(url, evmChain(1n), nodes.transport, () => now),
      weight: 100,
    }));
    pool = new RpcPool(members, {}, () => 0);
    const chain = { poolOf: () => Promise.resolve(pool) } as unknown as RelayerChain;
    const relayerChecks = { intervalMs: 60_000 };
    check = new ChainCheck(chain, new ConfigService<AppConfig, true>({ relayerChecks }));
  });

  const relayer = (more: Partial<RelayerEntity> = {}): RelayerEntity =>
    ({ address: '0x01', policies: {}, failedChecks: 0, ...more }) as RelayerEntity;

  const both = (behaviour: Behaviour): void => void nodes.set(A, behaviour).set(B, behaviour);

  it('passes for an account with a sufficient balance', async () => {
    expect(await check.run(relayer())).toEqual({ reasons: [], balance: 100n });
  });

  it('passes for a relayer that only signs, without calling any node', async () => {
    pool = undefined;
    expect(await check.run(relayer())).toEqual({ reasons: [], balance: undefined });
    expect(nodes.calls).toEqual([]);
  });

  it.each([
    [{}, '0x0', ['BalanceCheckFailed']],
    [{}, '0x1', []],
    [{ min_balance: 0 }, '0x0', []],
    [{ min_balance: 100 }, '0x63', ['BalanceCheckFailed']],
    [{ min_balance: 100 }, '0x64', []],
    [
      { min_balance: '340282366920938463463374607431768211455' },
      `0x${'f'.repeat(31)}e`,
      ['BalanceCheckFailed'],
    ],
    [{ min_balance: '340282366920938463463374607431768211455' }, `0x${'f'.repeat(32)}`, []],
  ])('with the policies %j and the balance %s finds %j', async (policies, result, reasons) => {
    both(node({ eth_getBalance: { result } }));
    expect(await check.run(relayer({ policies }))).toEqual({ reasons, balance: BigInt(result) });
  });

  it.each([
    ['eth_getTransactionCount', ['NonceSyncFailed'], 100n],
    ['eth_getBalance', ['RpcValidationFailed'], undefined],
  ])('reports, when nodes refuse %s, %j', async (method, reasons, balance) => {
    both(node({ [method]: REFUSAL }));
    expect(await check.run(relayer())).toEqual({ reasons, balance });
  });

  it('reports failures of both nonce and balance', async () => {
    both(node({ eth_getTransactionCount: REFUSAL, eth_getBalance: { result: '0x0' } }));
    expect((await check.run(relayer())).reasons).toEqual(['NonceSyncFailed', 'BalanceCheckFailed']);
  });

  it('blames the nonce when nodes are up but refuse every call about the account', async () => {
    both(node({ eth_getTransactionCount: REFUSAL, eth_getBalance: REFUSAL }));
    expect(await check.run(relayer())).toEqual({ reasons: ['NonceSyncFailed'], balance: undefined });
  });

  it.each(['dns', 'timeout', 'http', 'tls'] as const)(
    'blames the endpoints when they fail with %s',
    async (failure) => {
      both(failure);
      expect(await check.run(relayer())).toEqual({ reasons: ['RpcValidationFailed'], balance: undefined });
    },
  );

  it('blames the endpoints when they have become unreachable since they reported their chain id', async () => {
    await check.run(relayer());
    both('timeout');
    expect(await check.run(relayer())).toEqual({ reasons: ['RpcValidationFailed'], balance: undefined });
  });

  it('blames the endpoints when all of them serve another chain', async () => {
    both(node({ eth_chainId: { result: '0x2' } }));
    expect(await check.run(relayer())).toEqual({ reasons: ['RpcValidationFailed'], balance: undefined });
    expect(nodes.count(A, 'eth_getBalance') + nodes.count(B, 'eth_getBalance')).toBe(0);
  });

  it.each(['timeout', 'rejected', 'wrong_chain', 'malformed'] as const)(
    'passes when one of two endpoints fails with %s',
    async (failure) => {
      nodes.set(A, failure);
      for (let i = 0; i < 5; i += 1) expect((await check.run(relayer())).reasons).toEqual([]);
    },
  );

  it('requests the chain id only occasionally while checks pass', async () => {
    for (let i = 0; i < 10; i += 1) await check.run(relayer());
    expect(nodes.count(A, 'eth_chainId')).toBe(1);
    now += 48_000;
    await check.run(relayer());
    expect(nodes.count(A, 'eth_chainId')).toBe(2);
  });

  it('requests the chain id at each check after a failed one', async () => {
    await check.run(relayer());
    both(node({ eth_chainId: { result: '0x2' } }));
    expect((await check.run(relayer({ failedChecks: 1 }))).reasons).toEqual(['RpcValidationFailed']);
  });

  it('rethrows an error that is not caused by the nodes', async () => {
    const fault = new Error('a fault of ours');
    nodes.set(A, () => Promise.reject(fault)).set(B, () => Promise.reject(fault));
    await expect(check.run(relayer())).rejects.toThrow('a fault of ours');
  });
});
