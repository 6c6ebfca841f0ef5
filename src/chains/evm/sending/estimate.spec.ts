import { FakePool } from '../../../../test/support/fake-pool';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import { callAt, estimateGas, type ExecutionCall } from './estimate';

const FROM = '0x0000000000000000000000000000000000000001';
const TO = '0x0000000000000000000000000000000000000002';
const CALL: ExecutionCall = { from: FROM, to: TO, value: 10n ** 18n, data: '0xabcd' };

const says = (message: string, code = -32000, data?: unknown): JsonRpcResponse => ({
  error: { code, message, ...(data !== undefined && { data }) },
});

const start = (said: JsonRpcResponse, second: JsonRpcResponse = { result: '0x5208' }) =>
  FakePool.start(
    { eth_estimateGas: said, eth_call: said },
    { eth_estimateGas: second, eth_call: { result: '0x' } },
  );

describe('estimateGas', () => {
  it('returns the gas', async () => {
    const { pool } = await start({ result: '0x7a120' });
    expect(await estimateGas(pool, CALL)).toEqual({ gas: 500_000n });
  });

  it.each([
    [CALL, { from: FROM, to: TO, value: '0xde0b6b3a7640000', data: '0xabcd' }],
    [
      { ...CALL, to: null, value: 0n, accessList: [], authorizationList: [] },
      { from: FROM, value: '0x0', data: '0xabcd' },
    ],
    [
      {
        ...CALL,
        accessList: [{ address: TO, storage_keys: [Buffer.alloc(32, 1)] }],
        authorizationList: [{ chain_id: 1n, address: TO, nonce: 0n, y_parity: 1n, r: 2n, s: 255n }],
      },
      {
        from: FROM,
        to: TO,
        value: '0xde0b6b3a7640000',
        data: '0xabcd',
        accessList: [{ address: TO, storageKeys: [`0x${'01'.repeat(32)}`] }],
        authorizationList: [
          { chainId: '0x1', address: TO, nonce: '0x0', yParity: '0x1', r: '0x2', s: '0xff' },
        ],
      },
    ],
  ])('sends the call in its JSON-RPC form', async (call, json) => {
    let params: readonly unknown[] = [];
    const fake = await FakePool.start({
      eth_estimateGas: (given) => ((params = given), { result: '0x1' }),
    });
    await estimateGas(fake.pool, call);
    expect(params).toEqual([json]);
  });

  it('returns the revert reason, and leaves the endpoint ready', async () => {
    const fake = await start(says('execution reverted', 3, '0x12345678'));
    expect(await estimateGas(fake.pool, CALL)).toEqual({
      reverted: { reason: 'custom error 0x12345678', data: '0x12345678' },
    });
    expect(fake.states).toEqual(['ready', 'ready']);
  });

  it.each([
    ['insufficient funds for transfer', 'insufficient_funds'],
    ['insufficient funds for gas * price + value: address 0x01 have 0 want 1', 'insufficient_funds'],
    ['gas required exceeds allowance (21000)', 'out_of_gas'],
    [
      'Cannot estimate gas, gas spent exceeded transaction and block gas limit or transaction gas limit cap',
      'out_of_gas',
    ],
    ['Out of gas: gas required exceeds allowance: 30000000', 'out_of_gas'],
    ['max fee per gas less than block base fee', 'fee_too_low'],
    ['something that nobody has seen before', 'unknown'],
  ])('distinguishes %j from a revert', async (message, refused) => {
    const { pool } = await start(says(message));
    expect(await estimateGas(pool, CALL)).toEqual({ refused });
  });

  it('treats a response that is too large as a revert', async () => {
    const fake = await start({ result: '0x1' });
    fake.nodes.set('https://first.example', 'too_large').set('https://second.example', 'too_large');
    expect(await estimateGas(fake.pool, CALL)).toEqual({
      reverted: { reason: 'execution reverted with more data than is read', data: null },
    });
  });

  it.each([null, 21000, '0x0', '-0x1', '0x10000000000000000', '', '0x', {}, ['0x1'], true])(
    'calls another node after the estimate %j',
    async (result) => {
      const fake = await start({ result });
      expect(await estimateGas(fake.pool, CALL)).toEqual({ gas: 21_000n });
      expect(fake.states).toEqual(['resting', 'ready']);
    },
  );

  it('throws RpcUnavailableError if no node responds', async () => {
    const fake = await start({ result: '0x1' });
    fake.nodes.set('https://first.example', 'timeout').set('https://second.example', 'timeout');
    await expect(estimateGas(fake.pool, CALL)).rejects.toMatchObject({ name: 'RpcUnavailableError' });
  });
});

describe('callAt', () => {
  it('returns the return data of the contract, or its revert reason', async () => {
    let params: readonly unknown[] = [];
    const fake = await FakePool.start({ eth_call: (given) => ((params = given), { result: '0xABCD' }) });
    expect(await callAt(fake.pool, CALL, '0x10')).toEqual({ returned: '0xabcd' });
    expect(params[1]).toBe('0x10');
    fake.first({ eth_call: says('execution reverted: no') });
    expect(await callAt(fake.pool, CALL, 'latest')).toEqual({ reverted: { reason: 'no', data: '0x' } });
  });

  it.each([null, 1, '', 'abcd', '0xabc', '0xzz', {}, [], true])(
    'calls another node after the result %j',
    async (result) => {
      const fake = await start({ result });
      expect(await callAt(fake.pool, CALL, 'latest')).toEqual({ returned: '0x' });
      expect(fake.states).toEqual(['resting', 'ready']);
    },
  );
});
