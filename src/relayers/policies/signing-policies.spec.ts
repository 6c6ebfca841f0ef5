import { parsePolicies, patchPolicies } from './policies';

const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const rejection = (detail: string): Error =>
  expect.objectContaining({ code: 'invalid_request', detail }) as Error;
const parse = (policies: object): unknown => parsePolicies('evm', policies);

describe('The messages policy', () => {
  it.each(['none', 'text', 'any'])('accepts %s', (allow) => {
    expect(parse({ messages: { allow } })).toStrictEqual({ messages: { allow } });
  });

  it.each([{}, { allow: null }, { allow: 'Text' }, { allow: ['text'] }])('rejects %j', (messages) => {
    const rule = rejection('policies.messages.allow must be one of none, text, any');
    expect(() => parse({ messages })).toThrow(rule);
    expect(() => patchPolicies('evm', {}, { messages })).toThrow(rule);
  });

  it('is patched as a whole and removed by null', () => {
    const stored = { messages: { allow: 'text' } };
    expect(patchPolicies('evm', stored, { messages: { allow: 'any' } })).toStrictEqual({
      messages: { allow: 'any' },
    });
    expect(patchPolicies('evm', stored, { messages: null })).toStrictEqual({});
    expect(() => patchPolicies('evm', stored, { messages: { allow: null } })).toThrow(
      rejection('policies.messages.allow must be one of none, text, any'),
    );
  });
});

describe('The transactions policy', () => {
  it('is stored with exact amounts, checksummed addresses and lower-case selectors', () => {
    expect(
      parse({
        transactions: {
          max_value: '1000',
          max_fee: `${2n ** 256n - 1n}`,
          max_gas_limit: '18446744073709551615',
          allow_contract_creation: false,
          allowed_methods: [{ to: ADDRESS.toLowerCase(), selectors: ['0xA9059CBB', '0x'] }],
        },
      }),
    ).toStrictEqual({
      transactions: {
        max_value: 1000,
        max_fee: `${2n ** 256n - 1n}`,
        max_gas_limit: '18446744073709551615',
        allow_contract_creation: false,
        allowed_methods: [{ to: ADDRESS, selectors: ['0xa9059cbb', '0x'] }],
      },
    });
  });

  it('may be empty, and stays set when its last limit is removed', () => {
    expect(parse({ transactions: {} })).toStrictEqual({ transactions: {} });
    expect(
      patchPolicies('evm', { transactions: { max_value: 1 } }, { transactions: { max_value: null } }),
    ).toStrictEqual({ transactions: {} });
  });

  it.each([
    [{ max_fee: `${2n ** 256n}` }, /max_fee must be a JSON integer or a decimal string from 0 to/],
    [{ max_gas_limit: '18446744073709551616' }, /max_gas_limit must be a JSON integer/],
    [{ max_value: 1.5 }, /max_value must be a JSON integer/],
    [{ allow_contract_creation: 'yes' }, /allow_contract_creation must be a boolean value/],
    [{ allowed_methods: {} }, /allowed_methods must be an array/],
    [{ allowed_methods: [{ selectors: 'a9059cbb' }] }, /selectors must be 0x and 8 hex digits/],
    [{ allowed_methods: [{ selectors: [5] }] }, /selectors must be 0x and 8 hex digits/],
    [{ allowed_methods: [{ selectors: ['0xa9059cbb'], to: '0x1' }] }, /to must be an address/],
    [
      { allowed_methods: [{ selectors: Array<string>(101).fill('0xa9059cbb') }] },
      /must contain no more than 100/,
    ],
    [{ per_day: 5 }, /^policies.transactions.per_day is not a known field$/],
  ])('rejects %.80j', (transactions, detail) => {
    const rule = expect.objectContaining({ detail: expect.stringMatching(detail) as string }) as Error;
    expect(() => parse({ transactions })).toThrow(rule);
    expect(() => patchPolicies('evm', {}, { transactions })).toThrow(rule);
  });
});

describe('Constraints on fields of typed data', () => {
  const fields = (constraints: unknown): object => ({ typed_data: { allowed: [{ fields: constraints }] } });

  it('are stored as given, with exact bounds', () => {
    const given = {
      a: ADDRESS.toLowerCase(),
      b: [1, '0x10', true],
      c: { min: '-1', max: '9007199254740992' },
      d: { max: '0x10' },
      e: { min: '-9007199254740992' },
    };
    expect(parse(fields(given))).toStrictEqual(
      fields({ ...given, c: { min: -1, max: '9007199254740992' }, d: { max: 16 } }),
    );
  });

  it.each<[unknown, string]>([
    [5, 'must be an object'],
    [[], 'must be an object'],
    [{}, 'must name 1 to 32 members of the message'],
    [
      Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`m${i}`, 1])),
      'must name 1 to 32 members of the message',
    ],
    [{ 'a b': 1 }, 'must be named by members of the message: identifiers of at most 128 characters'],
    [{ a: [] }, 'must give a as a list of 1 to 100 values'],
    [{ a: Array(101).fill(1) }, 'must give a as a list of 1 to 100 values'],
    ...[null, 1.5, 2 ** 53, [null], [[1]], [{ max: 1 }], 'x'.repeat(1025)].map((value): [unknown, string] => [
      { a: value },
      'must give a as a string of at most 1024 characters, an integer, a boolean, a list of these, or {min, max}',
    ]),
    ...[{}, { max: null }, { max: '1.5' }, { max: true }, { min: 1, step: 2 }, { max: `${2n ** 256n}` }].map(
      (range): [unknown, string] => [
        { a: range },
        'must give a as {min, max}, one of them at least, each a JSON integer or a decimal string of 256 bits',
      ],
    ),
    [{ a: { min: 2, max: 1 } }, 'must give a as a min that is not above its max'],
    [
      { a: ['0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
      'must give a as addresses with a valid checksum if the case is mixed',
    ],
  ])('may not be %.60j', (constraints, rule) => {
    expect(() => parse(fields(constraints))).toThrow(
      rejection(`policies.typed_data.allowed[0].fields ${rule}`),
    );
  });
});
