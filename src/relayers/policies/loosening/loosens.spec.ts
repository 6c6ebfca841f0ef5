import type { EvmPolicies } from '../evm-policies.dto';
import { loosens } from './loosens';

const A = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const B = '0x3535353535353535353535353535353535353535';
const TRANSFER = '0xa9059cbb';
const APPROVE = '0x095ea7b3';
const topUp = (changes: object = {}) => ({
  top_up: { from_relayer: 'treasury', below: 10, to: '20', ...changes },
});
const fields = (a: unknown) => ({ typed_data: { allowed: [{ primary_type: 'Permit', fields: { a } }] } });
const limits = (transactions: object) => ({ transactions });
const spending = (...spend_limits: object[]) => limits({ spend_limits });

type Row = [change: string, before: object, after: object];

const NO_RECEIVER = { whitelist_receivers: [] };
const NO_FORM = { messages: { allow: 'none' } };

/** What is signed already can still be sent with higher fees or be replaced, and limits count again with a receiver. */
const WHILE_NOTHING_IS_SIGNED: Row[] = [
  ['any price without a receiver', { ...NO_RECEIVER, gas_price_cap: 1 }, NO_RECEIVER],
  [
    'a higher price without a receiver',
    { ...NO_RECEIVER, gas_price_cap: 1 },
    { ...NO_RECEIVER, gas_price_cap: 2 },
  ],
  ['any price at the same time', { whitelist_receivers: [A], gas_price_cap: 1 }, NO_RECEIVER],
  ...(
    [
      ['max_fee', 1],
      ['max_value', 1],
      ['max_gas_limit', 21_000],
      ['approval_above', 1],
      ['allow_contract_creation', false],
      ['allowed_methods', [{ selectors: [TRANSFER] }]],
      ['spend_limits', [{ per: '1h', max_fee: 1 }]],
    ] as const
  ).flatMap(([name, limit]): Row[] => [
    [
      `no ${name} without a receiver`,
      { ...NO_RECEIVER, ...limits({ [name]: limit }) },
      { ...NO_RECEIVER, ...limits({}) },
    ],
    [
      `no ${name}, because there are no transactions any more`,
      { ...NO_FORM, ...limits({ [name]: limit }) },
      NO_FORM,
    ],
  ]),
  ['any price without transactions', { ...NO_FORM, gas_price_cap: 1 }, NO_FORM],
  ['receivers without transactions', { ...NO_FORM, whitelist_receivers: [A] }, NO_FORM],
  [
    'another receiver without transactions',
    { ...NO_FORM, whitelist_receivers: [A] },
    { ...NO_FORM, whitelist_receivers: [A, B] },
  ],
  [
    'transactions without a receiver',
    { ...NO_FORM, ...NO_RECEIVER },
    { ...NO_FORM, ...NO_RECEIVER, ...limits({}) },
  ],
];

const LOOSENING: Row[] = [
  ['the last restriction is removed', { typed_data: {} }, {}],
  ['a form is allowed that was not', { messages: { allow: 'none' } }, { messages: { allow: 'text' } }],
  [
    'a second form is allowed',
    { messages: { allow: 'text' } },
    { messages: { allow: 'text' }, typed_data: {} },
  ],
  ['any message', { messages: { allow: 'text' } }, { messages: { allow: 'any' } }],
  ['blind hashes', { typed_data: {} }, { typed_data: { allow_blind_hashes: true } }],
  ['no list of typed data', { typed_data: { allowed: [{ chain_id: 1 }] } }, { typed_data: {} }],
  [
    'another entry',
    { typed_data: { allowed: [{ chain_id: 1 }] } },
    { typed_data: { allowed: [{ chain_id: 1 }, { chain_id: 2 }] } },
  ],
  [
    'a wider entry',
    { typed_data: { allowed: [{ chain_id: 1, verifying_contract: A }] } },
    { typed_data: { allowed: [{ verifying_contract: A }] } },
  ],
  ['a field without a constraint', fields(1), { typed_data: { allowed: [{ primary_type: 'Permit' }] } }],
  ['another value of a field', fields([A]), fields([A, B])],
  ['a greater range', fields({ max: 5 }), fields({ max: '6' })],
  ['a range without an end', fields({ min: 1, max: 5 }), fields({ max: 5 })],
  ['a text for a range, which is of integers', fields({ max: 5 }), fields('5')],
  ['a text for a number', fields(5), fields('5')],
  ['a higher limit', limits({ max_value: 1 }), limits({ max_value: '2' })],
  ['one limit for another', limits({ max_value: 1 }), limits({ max_fee: 1 })],
  ['no limit', limits({ max_gas_limit: 21000 }), limits({})],
  ['approval above more', limits({ approval_above: 1 }), limits({ approval_above: 2 })],
  ['no approval', limits({ approval_above: 1 }), limits({})],
  ['contracts', limits({ allow_contract_creation: false }), limits({})],
  [
    'contracts beside methods',
    limits({ allowed_methods: [{ selectors: [TRANSFER] }] }),
    limits({ allowed_methods: [{ selectors: [TRANSFER] }], allow_contract_creation: true }),
  ],
  [
    'contracts by removing the receivers',
    { whitelist_receivers: [A], transactions: { allow_contract_creation: true } },
    limits({ allow_contract_creation: true }),
  ],
  ['all methods', limits({ allowed_methods: [] }), limits({})],
  [
    'another method',
    limits({ allowed_methods: [{ selectors: [TRANSFER] }] }),
    limits({ allowed_methods: [{ selectors: [TRANSFER, APPROVE] }] }),
  ],
  [
    'a method of every contract',
    limits({ allowed_methods: [{ to: A, selectors: [TRANSFER] }] }),
    limits({ allowed_methods: [{ selectors: [TRANSFER] }] }),
  ],
  ['no spending limit', spending({ per: '1h', max_value: 1 }), limits({})],
  ['only empty spending limits', spending({ per: '1h', max_value: 1 }), spending({ per: '1h' })],
  ['a higher spending limit', spending({ per: '1h', max_value: 1 }), spending({ per: '1h', max_value: 2 })],
  ['a shorter time', spending({ per: '24h', max_fee: 1 }), spending({ per: '1h', max_fee: 1 })],
  [
    'one limit of two',
    spending({ per: '1h', max_fee: 1, max_value: 1 }),
    spending({ per: '1h', max_fee: 1 }),
  ],
  [
    'the lowest of several limits of a period is removed',
    spending({ per: '1h', max_value: 9 }, { per: '1h', max_value: 5 }),
    spending({ per: '1h', max_value: 9 }),
  ],
  ['no empty spending limit, which stops what is only signed', spending({ per: '1h' }), limits({})],
  ['another receiver', { whitelist_receivers: [A] }, { whitelist_receivers: [A, B] }],
  ['all receivers', { whitelist_receivers: [] }, {}],
  ['a higher price', { gas_price_cap: 1 }, { gas_price_cap: '2' }],
  ['any price', { gas_price_cap: 1 }, {}],
  ['a top-up', {}, topUp()],
  ['a top-up from another relayer', topUp(), topUp({ from_relayer: 'other' })],
  ['a top-up at more', topUp(), topUp({ below: 11 })],
  ['a top-up of more', topUp(), topUp({ to: '21' })],
  ['what was sent privately may be sent publicly', { private_transactions: true }, {}],
  ...WHILE_NOTHING_IS_SIGNED,
];

const NOT_LOOSENING: Row[] = [
  [
    'nothing',
    { typed_data: { allowed: [{ chain_id: 1 }] } },
    { typed_data: { allowed: [{ chain_id: '1' }] } },
  ],
  ['a first restriction', {}, { messages: { allow: 'any' } }],
  ['one form less', { typed_data: {}, messages: { allow: 'any' } }, { messages: { allow: 'any' } }],
  ['a first list', { typed_data: {} }, { typed_data: { allowed: [{ chain_id: 1 }] } }],
  ['an empty list', { typed_data: { allowed: [{ chain_id: 1 }] } }, { typed_data: { allowed: [] } }],
  ['a smaller range', fields({ max: 5 }), fields({ min: 0, max: '4' })],
  ['a number within the range', fields({ max: 5 }), fields(5)],
  ['numbers within the range', fields({ min: 1 }), fields([1, 2])],
  ['one of the values', fields([A, B]), fields(B)],
  ['a lower limit', limits({ max_value: '2' }), limits({ max_value: 1 })],
  ['a limit', limits({}), limits({ max_value: 1, approval_above: 0 })],
  ['no transactions, if they had no limits', { ...NO_FORM, ...limits({}) }, NO_FORM],
  ['no receiver', { whitelist_receivers: [A], gas_price_cap: 1 }, { ...NO_RECEIVER, gas_price_cap: 1 }],
  [
    'a contract of a method that all had',
    limits({ allowed_methods: [{ selectors: [TRANSFER, APPROVE] }] }),
    limits({ allowed_methods: [{ to: A, selectors: [APPROVE] }] }),
  ],
  ['a longer time', spending({ per: '1h', max_fee: 1 }), spending({ per: '24h', max_fee: 1 })],
  [
    'the highest of several limits of a period is removed',
    spending({ per: '1h', max_value: 5 }, { per: '1h', max_value: 9 }),
    spending({ per: '1h', max_value: 5 }),
  ],
  [
    'a higher limit with a lower one of a longer period',
    spending({ per: '1h', max_value: 5 }),
    spending({ per: '1h', max_value: 9 }, { per: '24h', max_value: 5 }),
  ],
  [
    'a second spending limit',
    spending({ per: '1h', max_fee: 1 }),
    spending({ per: '1h', max_fee: 1 }, { per: '7d', max_value: 9 }),
  ],
  ['fewer receivers', { whitelist_receivers: [A, B] }, { whitelist_receivers: [B] }],
  ['a lower price', { gas_price_cap: '2' }, { gas_price_cap: 1 }],
  ['no top-up', topUp(), {}],
  ['a smaller top-up', topUp(), topUp({ below: 9, to: '19' })],
  ['private sending', {}, { private_transactions: true }],
  [
    'members that decide how something is sent',
    { min_balance: 5, low_balance: 5, eip1559_pricing: true, gas_limit_estimation: false },
    { min_balance: 1, include_revert_data: true },
  ],
];

describe('loosens', () => {
  it.each(LOOSENING)('returns true for: %s', (_change, before, after) => {
    expect(loosens(before as EvmPolicies, after as EvmPolicies)).toBe(true);
  });

  it.each(NOT_LOOSENING)('returns false for: %s', (_change, before, after) => {
    expect(loosens(before as EvmPolicies, after as EvmPolicies)).toBe(false);
  });
});

describe('loosens, for the largest policies,', () => {
  const LARGEST_MS = 2000;
  /** Entries whose lists differ only in their last value. */
  const listing = (first: number): EvmPolicies => ({
    typed_data: {
      allowed: Array.from({ length: 750 }, (_, i) => ({
        fields: { a: [...Array.from({ length: 99 }, (_unused, j) => 99 - j), first + i] },
      })),
    },
  });
  const calling = (first: number): EvmPolicies => ({
    transactions: {
      allowed_methods: Array.from({ length: 190 }, (_, i) => ({
        selectors: Array.from(
          { length: 100 },
          (_unused, j) => `0x${(first + 100 * i + j).toString(16).padStart(8, '0')}`,
        ),
      })),
    },
  });
  const spending = (wei: number): EvmPolicies => ({
    transactions: {
      spend_limits: Array.from({ length: 1000 }, (_, i) => ({ per: '1h', max_value: wei + i })),
    },
  });
  const reversed = ({ typed_data }: EvmPolicies): EvmPolicies => ({
    typed_data: { allowed: [...(typed_data?.allowed ?? [])].reverse() },
  });

  it.each<[string, EvmPolicies, EvmPolicies, boolean]>([
    ['the same entries', listing(100), listing(100), false],
    ['the same entries in another order', listing(100), reversed(listing(100)), false],
    ['other entries', listing(100), listing(1000), true],
    ['the same methods', calling(0), calling(0), false],
    ['other methods', calling(0), calling(1), true],
    ['lower limits', spending(2), spending(1), false],
    ['higher limits', spending(1), spending(2), true],
  ])('takes less than two seconds: %s', (_what, before, after, expected) => {
    const startedAt = performance.now();
    expect(loosens(before, after)).toBe(expected);
    expect(performance.now() - startedAt).toBeLessThan(LARGEST_MS);
  });
});
