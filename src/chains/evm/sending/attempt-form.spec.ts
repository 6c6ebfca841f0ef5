import { noop, unsignedOf } from './attempt-form';

const SENDER = '0x0000000000000000000000000000000000000001';
const AUTHORIZATION = {
  chain_id: '1',
  address: '0x0000000000000000000000000000000000000002',
  nonce: '0',
  y_parity: 0,
  r: `0x${'11'.repeat(32)}`,
  s: `0x${'22'.repeat(32)}`,
};

const unsigned = (changes: object, kind: 'legacy' | 'dynamic' = 'legacy') =>
  unsignedOf('1', {
    request: { ...noop(SENDER), ...changes },
    nonce: 3,
    gas: 50_000n,
    fees: kind === 'legacy' ? { kind, gasPrice: 7n } : { kind, maxFeePerGas: 9n, maxPriorityFeePerGas: 2n },
  });

describe('The form of an attempt', () => {
  it('has a single gas price with legacy fees', () => {
    expect(unsigned({})).toMatchObject({ type: 0, members: { gas_price: 7n } });
    expect(unsigned({ access_list: [] })).toMatchObject({ type: 1, members: { gas_price: 7n } });
  });

  it.each([
    ['legacy', 7n, 7n],
    ['dynamic', 9n, 2n],
  ] as const)('is of type 2 with %s fees if the request is', (kind, fee, tip) => {
    for (const access_list of [null, []])
      expect(unsigned({ type: 2, access_list }, kind)).toMatchObject({
        type: 2,
        members: { max_fee_per_gas: fee, max_priority_fee_per_gas: tip },
      });
  });

  it.each([
    ['legacy', 7n, 7n],
    ['dynamic', 9n, 2n],
  ] as const)('includes the authorization list with %s fees', (kind, fee, tip) => {
    const { type, members } = unsigned({ authorization_list: [AUTHORIZATION] }, kind);
    expect(type).toBe(4);
    expect(members).toMatchObject({ max_fee_per_gas: fee, max_priority_fee_per_gas: tip });
    expect((members as { authorization_list: unknown[] }).authorization_list).toHaveLength(1);
  });
});
