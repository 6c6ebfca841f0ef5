import { EVM_CALL_BYTES, evmCall } from './evm-call';

describe('evmCall', () => {
  it('limits a number to 4 KiB, a fee history to 256 KiB, data to 512 KiB, a block to 1 MiB and a receipt to 12 MiB', () => {
    expect(EVM_CALL_BYTES).toEqual({
      eth_chainId: 4096,
      eth_getTransactionCount: 4096,
      eth_getBalance: 4096,
      eth_gasPrice: 4096,
      eth_getBlockByNumber: 1_048_576,
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

  it('marks calls whose response size depends on a contract', () => {
    expect(evmCall('eth_estimateGas', [])).toMatchObject({ isSizedByContract: true });
    expect(evmCall('zks_estimateFee', [])).toMatchObject({ isSizedByContract: true });
    expect(evmCall('eth_call', [])).toMatchObject({ isSizedByContract: true });
    expect(evmCall('eth_getTransactionReceipt', [])).toMatchObject({ isSizedByContract: true });
  });
});
