import { EVM_CALL_BYTES, evmCall, searchCall } from './evm-call';

describe('evmCall', () => {
  it('limits a number to 4 KiB, a fee history to 256 KiB, data to 512 KiB, a block to 6 MiB and a receipt to 12 MiB', () => {
    expect(EVM_CALL_BYTES).toEqual({
      eth_chainId: 4096,
      eth_getTransactionCount: 4096,
      eth_getBalance: 4096,
      eth_gasPrice: 4096,
      eth_getBlockByNumber: 6_291_456,
      eth_feeHistory: 262_144,
      eth_getTransactionReceipt: 12_582_912,
      eth_blockNumber: 4096,
      eth_maxPriorityFeePerGas: 4096,
      eth_sendRawTransaction: 65_536,
      eth_getTransactionByHash: 524_288,
      eth_getCode: 524_288,
      eth_call: 524_288,
      eth_estimateGas: 524_288,
      zks_estimateFee: 524_288,
    });
  });

  it('includes the size limit in the call', () => {
    expect(evmCall('eth_gasPrice', [])).toEqual({ method: 'eth_gasPrice', params: [], maxBytes: 4096 });
  });

  it('allows large responses in the search for a transaction, because others determine their size', () => {
    expect(searchCall('eth_getTransactionByHash', ['0x1'], ['hash'])).toEqual({
      ...{ method: 'eth_getTransactionByHash', params: ['0x1'], members: ['hash'] },
      ...{ maxBytes: 6_291_456, isSizedByContract: true },
    });
  });

  it.each(['eth_estimateGas', 'zks_estimateFee', 'eth_call'] as const)(
    'marks %s as sized and timed by the contract that it executes',
    (method) => {
      expect(evmCall(method, [])).toMatchObject({ isSizedByContract: true, isTimedByContract: true });
    },
  );

  it('marks a receipt only as sized by the contract', () => {
    const call = evmCall('eth_getTransactionReceipt', []);
    expect(call).toMatchObject({ isSizedByContract: true });
    expect(call.isTimedByContract).toBeUndefined();
  });
});
