import { intrinsicGas, readEvmRequest, type RequestRules } from './transaction-request';

const TO = '0x3535353535353535353535353535353535353535';
const RULES: RequestRules = { chainId: 1n, estimatesGas: true, cap: 10n ** 11n, hasEip1559: true };
const BODY = { to: TO, value: '1', speed: 'fast' };
const AUTHORIZATION = {
  ...{ chain_id: 1, address: TO, nonce: 0, y_parity: 0 },
  ...{ r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}` },
};

const NO_1559: Partial<RequestRules> = { hasEip1559: false };
const VALUE_FORMS = 'wei as a JSON integer, a decimal string, or 0x and hex digits, up to 2^128-1';

const detailOf = (body: object, rules: Partial<RequestRules> = {}): string => {
  try {
    readEvmRequest({ ...BODY, ...body }, { ...RULES, ...rules });
    return 'accepted';
  } catch (error) {
    return (error as { detail: string }).detail;
  }
};

describe('A request to send', () => {
  it('is stored with amounts as decimal strings, and null for absent fields', () => {
    const request = readEvmRequest({ ...BODY, value: '0xff', data: 'abCD', gas_limit: 30_000 }, RULES);
    expect(request).toEqual({
      ...{ to: TO, value: '255', data: '0xabcd', gas_limit: '30000', type: null, speed: 'fast' },
      ...{ gas_price: null, max_fee_per_gas: null, max_priority_fee_per_gas: null, access_list: null },
      ...{ authorization_list: null, max_attempts_price: null, max_fee: null, simulate: null },
    });
  });

  it('may have null for absent fields', () => {
    expect(detailOf({ data: null, gas_limit: null, gas_price: null, type: null, access_list: null })).toBe(
      'accepted',
    );
  });

  it.each<[object, string, Partial<RequestRules>?]>([
    [{ to: null }, 'Both txs `to` and `data` fields are missing. At least one of them has to be set.'],
    [{}, 'gas_limit is required when gas_limit_estimation policy is disabled', { estimatesGas: false }],
    [{ simulate: false }, 'gas_limit is required when simulate is false'],
    [{ gas_limit: 20_999 }, 'gas_limit is too low, intrinsic gas is 21000 and gas_limit is 20999'],
    [
      { data: `0x${'00'.repeat(10)}${'11'.repeat(90)}`, gas_limit: 24_699 },
      'gas_limit is too low, its data costs at least 24700 and gas_limit is 24699',
      { chainId: 1n },
    ],
    [{ speed: null }, 'Transaction must specify either gasPrice, speed, or EIP1559 parameters'],
    [
      { gas_price: 1 },
      'Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters',
    ],
    [
      { speed: null, max_fee_per_gas: 1 },
      'EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas',
    ],
    [
      { speed: null, max_fee_per_gas: 1, max_priority_fee_per_gas: 2 },
      'maxFeePerGas must be greater than or equal to maxPriorityFeePerGas',
    ],
    [{ speed: null, gas_price: '100000000001' }, 'Gas price is too high'],
    [
      { speed: null, gas_price: 20, max_attempts_price: 19 },
      'max_attempts_price must not be below gas_price or max_fee_per_gas, which are used exactly',
    ],
    [
      { speed: null, max_fee_per_gas: 20, max_priority_fee_per_gas: 1, max_attempts_price: '19' },
      'max_attempts_price must not be below gas_price or max_fee_per_gas, which are used exactly',
    ],
    [
      { speed: null, gas_price: `1${'0'.repeat(40)}` },
      `gas_price must be a JSON integer or a decimal string from 0 to ${2n ** 128n - 1n}`,
    ],
    [{ speed: 'faster' }, 'speed must be one of safeLow, average, fast, fastest'],
    [{ type: 3 }, 'type must be 0, 1, 2 or 4'],
    [{ type: 0, access_list: [] }, 'access_list must not be given for type 0'],
    [{ type: 4 }, 'authorization_list is required for type 4'],
    [{ authorization_list: [] }, 'authorization_list must not be empty'],
    [
      { authorization_list: [{ ...AUTHORIZATION, chain_id: 5 }] },
      "authorization_list[0].chain_id must be 0 or 1, that of the relayer's network",
    ],
    [{ simulate: 1 }, 'simulate must be a boolean'],
    [{ type: 2 }, 'type must not be 2 beside speed: the network does not have the feature eip1559', NO_1559],
  ])('is refused: %j', (body, detail, rules = {}) => {
    expect(detailOf(body, rules)).toBe(detail);
  });

  it.each([-1, 1.5, 'abc', '0x', '', true, [], (2n ** 128n).toString(), `0x${'f'.repeat(64)}`])(
    'has no value of %j',
    (value) => {
      expect(detailOf({ value })).toBe(`value must be ${VALUE_FORMS}`);
    },
  );

  it('may have a value that no account can pay, but not more than nodes can calculate with', () => {
    expect(detailOf({ value: (2n ** 128n - 1n).toString() })).toBe('accepted');
  });

  it.each([undefined, null])('must have a value, which %p is not', (value) => {
    expect(detailOf({ value })).toBe(`value is required: ${VALUE_FORMS}`);
  });

  it.each<object>([
    { type: 2, speed: null, max_fee_per_gas: 20, max_priority_fee_per_gas: 1 },
    { type: 4, authorization_list: [AUTHORIZATION] },
    { type: 0 },
    { type: 1 },
    {},
  ])('needs no feature of the network to be %j', (body) => {
    expect(detailOf(body, NO_1559)).toBe('accepted');
  });

  it('may have a price up to max_attempts_price', () => {
    expect(detailOf({ speed: null, gas_price: 20, max_attempts_price: 20 })).toBe('accepted');
    expect(detailOf({ max_attempts_price: 0 })).toBe('accepted');
  });

  it('has the intrinsic gas of its form', () => {
    const gasOf = (body: object): bigint => intrinsicGas(readEvmRequest({ ...BODY, ...body }, RULES));
    expect(gasOf({})).toBe(21_000n);
    expect(gasOf({ data: '0x0001' })).toBe(21_020n);
    expect(gasOf({ to: null, data: '0x00' })).toBe(53_006n);
    expect(gasOf({ access_list: [{ address: TO, storage_keys: [`0x${'00'.repeat(32)}`] }] })).toBe(25_300n);
    expect(gasOf({ authorization_list: [AUTHORIZATION] })).toBe(46_000n);
  });
});
