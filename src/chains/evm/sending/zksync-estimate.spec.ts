import { FakePool } from '../../../../test/support/fake-pool';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import type { NetworkFeeFields } from './fee-settings';
import { EvmTransactionChain } from './evm-transaction-chain';
import { estimateFee } from './zksync-estimate';

const ESTIMATE = {
  gas_limit: '0x493e0',
  max_fee_per_gas: '0x2b275d0',
  max_priority_fee_per_gas: '0x0',
  gas_per_pubdata_limit: '0xc350',
};
const PARSED = { gas: 300_000n, maxFeePerGas: 45_250_000n, maxPriorityFeePerGas: 0n };
const UNSUPPORTED = { error: { code: -32601, message: 'Method not found' } };
const SENDER = '0x0000000000000000000000000000000000000001';
const CALL = { from: SENDER, to: SENDER, value: 1n, data: '0x12' };

const pool = async (said: JsonRpcResponse, second: JsonRpcResponse = said) =>
  FakePool.start({ zks_estimateFee: said }, { zks_estimateFee: second });

describe('estimateFee', () => {
  it('returns gas limit and fees', async () => {
    expect(await estimateFee((await pool({ result: ESTIMATE })).pool, CALL)).toEqual(PARSED);
  });

  it('returns the revert reason', async () => {
    const error = { code: 3, message: 'execution reverted: no', data: '0x12345678' };
    expect(await estimateFee((await pool({ error })).pool, CALL)).toEqual({
      reverted: { reason: 'custom error 0x12345678', data: '0x12345678' },
    });
  });

  it('returns undefined if nodes do not support the method', async () => {
    const fake = await pool(UNSUPPORTED);
    expect(await estimateFee(fake.pool, CALL)).toBeUndefined();
    expect(fake.states).toEqual(['ready', 'ready']);
  });

  it.each([
    null,
    '0x1',
    {},
    { ...ESTIMATE, gas_limit: '0x0' },
    { ...ESTIMATE, max_fee_per_gas: 5 },
    { ...ESTIMATE, max_priority_fee_per_gas: '0x2b275d1' },
    { ...ESTIMATE, max_fee_per_gas: `0x${'f'.repeat(33)}` },
  ])('calls another node after %j', async (result) => {
    const fake = await pool({ result }, { result: ESTIMATE });
    expect(await estimateFee(fake.pool, CALL)).toEqual(PARSED);
    expect(fake.states).toEqual(['resting', 'ready']);
  });
});

describe('EvmTransactionChain on ZKsync', () => {
  const start = async (zks: JsonRpcResponse, fees: NetworkFeeFields | null = null) => {
    const responses = {
      zks_estimateFee: zks,
      eth_estimateGas: { result: '0x186a0' },
      eth_gasPrice: { result: '0x64' },
      eth_getTransactionCount: { result: '0x0' },
      eth_feeHistory: UNSUPPORTED,
      eth_getBlockByNumber: {
        result: {
          ...{ number: '0x1', hash: `0x${'ab'.repeat(32)}`, parentHash: `0x${'cd'.repeat(32)}` },
          ...{ timestamp: '0x1', baseFeePerGas: '0x64', gasLimit: '0x80000' },
        },
      },
    };
    const fake = await FakePool.start(responses, responses);
    return new EvmTransactionChain(
      { public: fake.pool, private: undefined },
      {
        ...{ chainId: '324', requiredConfirmations: 1, averageBlocktimeMs: 1000, fees },
        ...{ features: ['eip1559'], tags: ['zksync-based'], privateFallbackBlocks: null },
      },
    );
  };

  const REQUEST = {
    ...{ to: SENDER, value: '1', data: '0x12', gas_limit: null, type: null, speed: 'fast' },
    ...{ gas_price: null, max_fee_per_gas: null, max_priority_fee_per_gas: null, simulate: null },
    ...{ access_list: null, authorization_list: null, max_attempts_price: null, max_fee: null },
  };

  const draftOf = async (
    chain: EvmTransactionChain,
    limits: object = {},
    order: object = {},
  ): Promise<Record<string, unknown>> => {
    const drafted = await chain.draft({
      ...{ kind: 'request', sender: SENDER, nonce: 0, wasSigned: false, request: REQUEST, replaces: [] },
      ...order,
      limits: { cap: undefined, maxFee: undefined, legacy: false, ...limits },
    });
    if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
    return drafted.draft.subject.members;
  };

  it('uses the gas limit and the fees of zks_estimateFee', async () => {
    const chain = await start({ result: ESTIMATE });
    expect(await chain.complete(SENDER, REQUEST)).toEqual({ ...REQUEST, gas_limit: '300000' });
    const fees = { max_fee_per_gas: 45_250_000n, max_priority_fee_per_gas: 0n };
    expect(await draftOf(chain)).toMatchObject({ gas_limit: 300_000n, ...fees });
    expect(await draftOf(chain, {}, { kind: 'noop' })).toMatchObject({ gas_limit: 300_000n, ...fees });
    expect(await draftOf(chain, { legacy: true })).toMatchObject({ gas_price: 45_250_000n });
  });

  it('respects the cap, and the gas limit of a block', async () => {
    const chain = await start({ result: { ...ESTIMATE, gas_limit: '0x100000' } });
    expect(await chain.complete(SENDER, REQUEST)).toMatchObject({ gas_limit: '524288' });
    expect(await draftOf(chain, { cap: 45_000_000n })).toMatchObject({ max_fee_per_gas: 45_000_000n });
  });

  it('estimates as on other chains if nodes do not support the method', async () => {
    const chain = await start(UNSUPPORTED);
    expect(await chain.complete(SENDER, REQUEST)).toMatchObject({ gas_limit: '120000' });
    expect(await draftOf(chain)).toMatchObject({ gas_limit: 120_000n, gas_price: 150n });
  });

  it('offers a gas price on a legacy network', async () => {
    const chain = await start({ result: ESTIMATE }, { legacy: true });
    expect(await draftOf(chain)).toMatchObject({ gas_limit: 300_000n, gas_price: 150n });
  });

  it('rejects a request that would revert', async () => {
    const chain = await start({ error: { code: 3, message: 'execution reverted: no', data: '0x' } });
    await expect(chain.complete(SENDER, REQUEST)).rejects.toMatchObject({
      detail: expect.stringContaining('would revert') as string,
    });
  });
});
