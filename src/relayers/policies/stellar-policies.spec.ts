import { parsePolicies, patchPolicies } from './policies';

const ASSET = 'USDC:GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6';
const RELAYER_PAYS = { fee_payment_strategy: 'relayer' };
const U64_RULE = 'must be a JSON integer or a decimal string from 0 to 18446744073709551615';
const REQUIRED = 'policies.fee_payment_strategy is required and must be user or relayer';

const refusal = (detail: string): Error =>
  expect.objectContaining({ code: 'invalid_request', detail }) as Error;

describe('parsePolicies for Stellar relayers', () => {
  it('accepts every member', () => {
    const policies = {
      min_balance: 1_000_000,
      max_fee: 4_294_967_295,
      timeout_seconds: 30,
      concurrent_transactions: true,
      allowed_tokens: [
        {
          asset: ASSET,
          metadata: { kind: 'classic', decimals: 7, issuer: { name: 'x' } },
          max_allowed_fee: 1,
          swap_config: { slippage_percentage: 1, min_amount: '18446744073709551615' },
        },
        { asset: 'native' },
      ],
      fee_payment_strategy: 'user',
      slippage_percentage: 100,
      fee_margin_percentage: 0,
      swap_config: {
        strategies: ['order-book', 'soroswap'],
        cron_schedule: '0 0 * * * *',
        min_balance_threshold: 0,
      },
    };
    expect(parsePolicies('stellar', policies)).toEqual(policies);
  });

  it.each([
    ['none', () => parsePolicies('stellar', {})],
    ['policies with only other members', () => parsePolicies('stellar', { min_balance: 1 })],
    ['a null strategy', () => parsePolicies('stellar', { fee_payment_strategy: null })],
    ['an unknown strategy', () => parsePolicies('stellar', { fee_payment_strategy: 'nobody' })],
    ['a patch that removes it', () => patchPolicies('stellar', RELAYER_PAYS, { fee_payment_strategy: null })],
    ['a patch that removes all', () => patchPolicies('stellar', RELAYER_PAYS, null)],
    ['a patch of policies without a strategy', () => patchPolicies('stellar', {}, { min_balance: 1 })],
  ])('requires the fee payment strategy: %s', (_what, parse) => {
    expect(parse).toThrow(refusal(REQUIRED));
  });

  it('requires no strategy in a patch when one is stored', () => {
    expect(patchPolicies('stellar', RELAYER_PAYS, { max_fee: 7 })).toStrictEqual({
      fee_payment_strategy: 'relayer',
      max_fee: 7,
    });
    expect(patchPolicies('stellar', RELAYER_PAYS, { fee_payment_strategy: 'user' })).toStrictEqual({
      fee_payment_strategy: 'user',
    });
  });

  it.each([
    ['min_balance', '18446744073709551616', `min_balance ${U64_RULE}`],
    ['timeout_seconds', 1.5, `timeout_seconds ${U64_RULE}`],
    ['max_fee', 4_294_967_296, 'max_fee must not be greater than 4294967295'],
    ['max_fee', '1', 'max_fee must be an integer number'],
    ['concurrent_transactions', 'yes', 'concurrent_transactions must be a boolean value'],
    ['slippage_percentage', 100.1, 'slippage_percentage must not be greater than 100'],
    ['slippage_percentage', -1, 'slippage_percentage must not be less than 0'],
    ['fee_margin_percentage', -1, 'fee_margin_percentage must not be less than 0'],
    ['swap_config', { strategies: [] }, 'swap_config.strategies must not be empty'],
    [
      'swap_config',
      { strategies: ['jupiter'] },
      'each item of swap_config.strategies must be order-book or soroswap',
    ],
    [
      'allowed_tokens',
      [{ asset: 'USDC' }],
      'allowed_tokens[0].asset must be native, XLM, CODE:ISSUER or the address of a contract',
    ],
    ['allowed_tokens', [{ asset: 'XLM', metadata: 'x' }], 'allowed_tokens[0].metadata must be an object'],
    ['allowed_tokens', [{ asset: 'XLM', metadata: [] }], 'allowed_tokens[0].metadata must be an object'],
    ['gas_price_cap', 1, 'gas_price_cap is not a known field'],
    ['gas_price_cap', null, 'gas_price_cap is not a known field'],
  ])('refuses %s = %j', (member, value, fault) => {
    const detail = fault.startsWith('each item of ')
      ? fault.replace('swap_config', 'policies.swap_config')
      : `policies.${fault}`;
    expect(() => parsePolicies('stellar', { ...RELAYER_PAYS, [member]: value })).toThrow(refusal(detail));
    expect(() => patchPolicies('stellar', RELAYER_PAYS, { [member]: value })).toThrow(refusal(detail));
  });

  it('omits null members, but keeps the metadata of an asset unchanged', () => {
    const metadata = { name: null, list: [1, null, { a: null }], deep: { then: 'x' } };
    expect(
      patchPolicies('stellar', RELAYER_PAYS, {
        max_fee: null,
        allowed_tokens: [
          { asset: 'XLM', metadata: null, max_allowed_fee: null },
          { asset: 'native', metadata },
        ],
      }),
    ).toStrictEqual({
      fee_payment_strategy: 'relayer',
      allowed_tokens: [{ asset: 'XLM' }, { asset: 'native', metadata }],
    });
  });
});
