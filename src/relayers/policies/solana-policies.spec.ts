import { parsePolicies, patchPolicies } from './policies';

const ACCOUNT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SWAP = { fee_payment_strategy: 'user', swap_config: { strategy: 'jupiter-swap' } };
const U64_RULE = 'must be a JSON integer or a decimal string from 0 to 18446744073709551615';

const refusal = (detail: string): Error =>
  expect.objectContaining({ code: 'invalid_request', detail }) as Error;

describe('parsePolicies for Solana relayers', () => {
  it('accepts every member', () => {
    const policies = {
      allowed_programs: [ACCOUNT],
      max_signatures: 255,
      max_tx_data_size: 1232,
      min_balance: 10_000_000,
      allowed_tokens: [
        {
          mint: ACCOUNT,
          decimals: 6,
          symbol: 'USDC',
          max_allowed_fee: '18446744073709551615',
          swap_config: { slippage_percentage: 0.5, min_amount: 0, max_amount: 9, retain_min_amount: 1 },
        },
        { mint: ACCOUNT },
      ],
      fee_payment_strategy: 'user',
      fee_margin_percentage: 12.5,
      allowed_accounts: [ACCOUNT],
      max_allowed_fee_lamports: 5000,
      swap_config: {
        strategy: 'jupiter-swap',
        cron_schedule: '0 */5 * * * *',
        min_balance_threshold: 3,
        jupiter_swap_options: {
          priority_fee_max_lamports: 1,
          priority_level: 'veryHigh',
          dynamic_compute_unit_limit: false,
        },
      },
    };
    expect(parsePolicies('solana', policies)).toEqual(policies);
  });

  it.each([
    ['max_signatures', 256, 'max_signatures must not be greater than 255'],
    ['max_signatures', -1, 'max_signatures must not be less than 0'],
    ['max_signatures', 1.5, 'max_signatures must be an integer number'],
    ['max_signatures', '1', 'max_signatures must be an integer number'],
    ['max_tx_data_size', 65_536, 'max_tx_data_size must not be greater than 65535'],
    ['min_balance', '18446744073709551616', `min_balance ${U64_RULE}`],
    ['max_allowed_fee_lamports', -1, `max_allowed_fee_lamports ${U64_RULE}`],
    ['fee_payment_strategy', 'USER', 'fee_payment_strategy must be one of user, relayer'],
    ['fee_payment_strategy', ['user'], 'fee_payment_strategy must be one of user, relayer'],
    ['fee_margin_percentage', -0.1, 'fee_margin_percentage must not be less than 0'],
    ['fee_margin_percentage', '5', 'fee_margin_percentage must be a number'],
    [
      'swap_config.strategy',
      'jupiter',
      'swap_config.strategy must be one of jupiter-swap, jupiter-ultra, noop',
    ],
    [
      'swap_config.cron_schedule',
      '',
      'swap_config.cron_schedule must be a cron schedule of five to seven fields',
    ],
    [
      'swap_config.cron_schedule',
      '* * * *',
      'swap_config.cron_schedule must be a cron schedule of five to seven fields',
    ],
    [
      'swap_config.min_balance_threshold',
      '18446744073709551616',
      `swap_config.min_balance_threshold ${U64_RULE}`,
    ],
    ['swap_config.colour', 1, 'swap_config.colour is not a known field'],
    [
      'swap_config.jupiter_swap_options.priority_level',
      'low',
      'swap_config.jupiter_swap_options.priority_level must be one of medium, high, veryHigh',
    ],
    [
      'swap_config.jupiter_swap_options.dynamic_compute_unit_limit',
      1,
      'swap_config.jupiter_swap_options.dynamic_compute_unit_limit must be a boolean value',
    ],
    ['gas_price_cap', 1, 'gas_price_cap is not a known field'],
  ])('refuses %s = %j', (path, value, fault) => {
    const policies = path
      .split('.')
      .reduceRight<unknown>((inner, member) => ({ [member]: inner }), value) as object;
    expect(() => parsePolicies('solana', policies)).toThrow(refusal(`policies.${fault}`));
    expect(() => patchPolicies('solana', {}, policies)).toThrow(refusal(`policies.${fault}`));
  });

  it.each([
    ['allowed_programs', ['x']],
    ['allowed_accounts', [1]],
    ['disallowed_accounts', [null]],
    ['allowed_accounts', ACCOUNT],
    ['allowed_programs', { 0: ACCOUNT }],
    ['allowed_tokens', {}],
    ['allowed_tokens', [ACCOUNT]],
    ['allowed_tokens', [null]],
    ['allowed_tokens', [[{ mint: ACCOUNT }]]],
    ['allowed_tokens', [{}]],
    ['allowed_tokens', [{ mint: ACCOUNT, swap_config: 1 }]],
    ['swap_config', 'jupiter-swap'],
    ['swap_config', []],
    ['swap_config', [{ strategy: 'noop' }]],
    ['swap_config', true],
  ])('refuses %s = %j', (member, value) => {
    expect(() => parsePolicies('solana', { fee_payment_strategy: 'user', [member]: value })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: expect.stringContaining(`policies.${member}`),
      }),
    );
  });

  it('names the invalid item of a list', () => {
    expect(() =>
      parsePolicies('solana', {
        allowed_tokens: [{ mint: ACCOUNT }, { mint: 'x', decimals: 256, colour: null }],
      }),
    ).toThrow(
      refusal(
        [
          'policies.allowed_tokens[1].colour is not a known field',
          'policies.allowed_tokens[1].mint must be a Solana address (base58 of 32 bytes)',
          'policies.allowed_tokens[1].decimals must not be greater than 255',
        ].join('; '),
      ),
    );
  });

  const options = (jupiter_swap_options: object, strategy = 'jupiter-swap') => ({
    fee_payment_strategy: 'user',
    swap_config: { strategy, jupiter_swap_options },
  });

  it.each([
    [
      'both lists of accounts',
      { allowed_accounts: [ACCOUNT], disallowed_accounts: [ACCOUNT] },
      'policies.allowed_accounts and policies.disallowed_accounts exclude each other',
    ],
    [
      'a swap for a relayer that pays fees',
      { ...SWAP, fee_payment_strategy: 'relayer' },
      'policies.swap_config needs policies.fee_payment_strategy to be user',
    ],
    [
      'a swap without a fee payment strategy',
      { swap_config: SWAP.swap_config },
      'policies.swap_config needs policies.fee_payment_strategy to be user',
    ],
    [
      'options of another strategy',
      options({ priority_level: 'high', priority_fee_max_lamports: 1 }, 'noop'),
      'policies.swap_config.jupiter_swap_options needs the strategy jupiter-swap',
    ],
    [
      'a maximum fee of 0',
      options({ priority_level: 'high', priority_fee_max_lamports: '0' }),
      'policies.swap_config.jupiter_swap_options.priority_fee_max_lamports must be greater than 0',
    ],
    [
      'a level without a fee',
      options({ priority_level: 'high' }),
      'policies.swap_config.jupiter_swap_options: priority_level and priority_fee_max_lamports go together',
    ],
    [
      'a fee without a level',
      options({ priority_fee_max_lamports: 1, priority_level: null }),
      'policies.swap_config.jupiter_swap_options: priority_level and priority_fee_max_lamports go together',
    ],
  ])('refuses %s', (_what, policies, fault) => {
    expect(() => parsePolicies('solana', policies)).toThrow(refusal(fault));
    expect(() => patchPolicies('solana', {}, policies)).toThrow(refusal(fault));
  });

  describe('when patched', () => {
    it('merges nested members', () => {
      const stored = { ...SWAP, swap_config: { strategy: 'jupiter-swap', min_balance_threshold: 5 } };
      expect(
        patchPolicies('solana', stored, {
          swap_config: { min_balance_threshold: null, cron_schedule: '0 0 * * *' },
        }),
      ).toStrictEqual({ ...SWAP, swap_config: { strategy: 'jupiter-swap', cron_schedule: '0 0 * * *' } });
    });

    it('checks rules between members against the result', () => {
      expect(() =>
        patchPolicies('solana', { allowed_accounts: [ACCOUNT] }, { disallowed_accounts: [] }),
      ).toThrow(refusal('policies.allowed_accounts and policies.disallowed_accounts exclude each other'));
      expect(
        patchPolicies(
          'solana',
          { allowed_accounts: [ACCOUNT] },
          { allowed_accounts: null, disallowed_accounts: [] },
        ),
      ).toStrictEqual({ disallowed_accounts: [] });
      expect(() => patchPolicies('solana', SWAP, { fee_payment_strategy: null })).toThrow(
        refusal('policies.swap_config needs policies.fee_payment_strategy to be user'),
      );
    });

    it('refuses unknown nested members even if they are null', () => {
      expect(() => patchPolicies('solana', SWAP, { swap_config: { colour: null } })).toThrow(
        refusal('policies.swap_config.colour is not a known field'),
      );
    });

    it('resets all policies on null', () => {
      expect(patchPolicies('solana', SWAP, null)).toStrictEqual({});
    });

    it('omits null members inside lists', () => {
      expect(
        patchPolicies(
          'solana',
          {},
          { allowed_tokens: [{ mint: ACCOUNT, decimals: null, symbol: null, swap_config: null }] },
        ),
      ).toStrictEqual({ allowed_tokens: [{ mint: ACCOUNT }] });
    });
  });
});
