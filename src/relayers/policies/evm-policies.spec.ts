import { parsePolicies, patchPolicies } from './policies';

const AMOUNT_RULE = (member: string): string =>
  `policies.${member} must be a JSON integer or a decimal string from 0 to 340282366920938463463374607431768211455`;

const refusal = (detail: string): Error =>
  expect.objectContaining({ code: 'invalid_request', detail }) as Error;

describe('parsePolicies for EVM relayers', () => {
  it('accepts every member', () => {
    const policies = {
      eip1559_pricing: true,
      gas_limit_estimation: false,
      gas_price_cap: 100_000_000_000,
      min_balance: 1,
      low_balance: 5,
      top_up: { from_relayer: 'treasury', below: 10, to: '9007199254740992' },
      private_transactions: true,
      whitelist_receivers: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'],
      include_revert_data: true,
    };
    expect(parsePolicies('evm', policies)).toEqual(policies);
    expect(Object.getPrototypeOf(parsePolicies('evm', policies))).toBe(Object.prototype);
  });

  it('accepts empty policies', () => {
    expect(parsePolicies('evm', {})).toStrictEqual({});
  });

  it.each([
    [0, 0],
    [9007199254740991, 9007199254740991],
    ['0', 0],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['340282366920938463463374607431768211455', '340282366920938463463374607431768211455'],
  ])('stores the amount %j as %j', (amount, kept) => {
    expect(parsePolicies('evm', { min_balance: amount, gas_price_cap: amount })).toStrictEqual({
      min_balance: kept,
      gas_price_cap: kept,
    });
  });

  it.each([
    -1,
    1.5,
    9007199254740992,
    '340282366920938463463374607431768211456',
    '-1',
    '1.0',
    '1e18',
    '0x1',
    '01',
    ' 1',
    '',
    true,
    {},
    [],
    [1],
  ])('refuses the amount %j', (amount) => {
    for (const member of ['min_balance', 'gas_price_cap']) {
      expect(() => parsePolicies('evm', { [member]: amount })).toThrow(refusal(AMOUNT_RULE(member)));
      expect(() => patchPolicies('evm', {}, { [member]: amount })).toThrow(refusal(AMOUNT_RULE(member)));
    }
  });

  it.each(['eip1559_pricing', 'gas_limit_estimation', 'private_transactions', 'include_revert_data'])(
    'refuses anything but a boolean as %s',
    (member) => {
      for (const value of ['true', 'false', 0, 1, '', {}, []]) {
        expect(() => patchPolicies('evm', {}, { [member]: value })).toThrow(
          refusal(`policies.${member} must be a boolean value`),
        );
      }
    },
  );

  it('stores addresses with a checksum', () => {
    expect(
      parsePolicies('evm', {
        whitelist_receivers: [
          '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
          '0xCD2A3D9F938E13CD947EC05ABC7FE734DF8DD826',
        ],
      }),
    ).toEqual({
      whitelist_receivers: [
        '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
        '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
      ],
    });
  });

  it.each([
    [['0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826']],
    [['XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS']],
    [['cd2a3d9f938e13cd947ec05abc7fe734df8dd826']],
    [['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', '']],
    [[null]],
    [[1]],
    [[['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826']]],
  ])('refuses the receivers %j', (receivers) => {
    expect(() => parsePolicies('evm', { whitelist_receivers: receivers })).toThrow(
      refusal(
        'each value in policies.whitelist_receivers must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed',
      ),
    );
  });

  it.each(['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826', {}, 1, true])('refuses %j as a list', (value) => {
    expect(() => parsePolicies('evm', { whitelist_receivers: value })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('accepts at most a thousand receivers', () => {
    const receivers = (count: number): string[] =>
      Array<string>(count).fill('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826');
    expect(parsePolicies('evm', { whitelist_receivers: [] })).toEqual({ whitelist_receivers: [] });
    expect(parsePolicies('evm', { whitelist_receivers: receivers(1000) }).whitelist_receivers).toHaveLength(
      1000,
    );
    expect(() => parsePolicies('evm', { whitelist_receivers: receivers(1001) })).toThrow(
      refusal('policies.whitelist_receivers must contain no more than 1000 elements'),
    );
  });

  describe('when large', () => {
    const MAX_BYTES = 256 * 1024;
    const TOO_LARGE = refusal('policies must not exceed 262144 bytes of JSON');
    const typedData = (characters: string[]): object => ({
      typed_data: { allowed: characters.map((one) => ({ fields: { note: one.repeat(1024 / one.length) } })) },
    });
    const bytesOf = (policies: object): number => Buffer.byteLength(JSON.stringify(policies));

    it('accepts policies of up to 256 KiB, and refuses larger ones', () => {
      const entry = bytesOf(typedData(['a', 'a'])) - bytesOf(typedData(['a']));
      const most = Math.floor(MAX_BYTES / entry);
      const characters = Array<string>(most).fill('a');
      expect(bytesOf(parsePolicies('evm', typedData(characters)))).toBeLessThanOrEqual(MAX_BYTES);
      expect(() => parsePolicies('evm', typedData([...characters, 'a']))).toThrow(TOO_LARGE);
      expect(() => parsePolicies('evm', typedData(Array<string>(most).fill('\u{1F511}')))).toThrow(TOO_LARGE);
    });

    it('includes the stored policies in the size', () => {
      const stored = parsePolicies('evm', typedData(Array<string>(230).fill('a')));
      const methods = Array.from({ length: 1000 }, () => ({ selectors: ['0xa9059cbb'] }));
      const patch = { transactions: { allowed_methods: methods } };
      expect(parsePolicies('evm', patch)).toEqual(patch);
      expect(() => patchPolicies('evm', stored, patch)).toThrow(TOO_LARGE);
      expect(patchPolicies('evm', stored, { ...patch, typed_data: null })).toEqual(patch);
    });
  });

  it.each([{ fee_payment_strategy: 'user' }, { max_fee: 1 }, { allowed_tokens: [] }, { minBalance: 1 }])(
    'refuses the member of %j, which is not an EVM policy',
    (policies) => {
      const [member] = Object.keys(policies);
      expect(() => parsePolicies('evm', policies)).toThrow(
        refusal(`policies.${member ?? ''} is not a known field`),
      );
      expect(() => patchPolicies('evm', {}, policies)).toThrow(
        refusal(`policies.${member ?? ''} is not a known field`),
      );
    },
  );

  describe('when patched', () => {
    const stored = { eip1559_pricing: true, min_balance: 5, whitelist_receivers: [] };

    it.each([
      ['nothing', {}, stored],
      ['one member', { min_balance: 6 }, { ...stored, min_balance: 6 }],
      ['a further member', { gas_price_cap: '7' }, { ...stored, gas_price_cap: 7 }],
      ['a member by null', { min_balance: null }, { eip1559_pricing: true, whitelist_receivers: [] }],
      ['an unset member, by null', { gas_price_cap: null }, stored],
      ['all by null', null, {}],
      [
        'a list as a whole',
        { whitelist_receivers: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'] },
        { ...stored, whitelist_receivers: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] },
      ],
    ])('changes %s', (_what, patch, result) => {
      expect(patchPolicies('evm', stored, patch)).toStrictEqual(result);
    });

    it('refuses an unknown member even if it is null', () => {
      expect(() => patchPolicies('evm', stored, { colour: null })).toThrow(
        refusal('policies.colour is not a known field'),
      );
    });

    it('does not modify the stored object', () => {
      patchPolicies('evm', stored, { min_balance: 6 });
      expect(stored.min_balance).toBe(5);
    });
  });

  it('omits a member that is null', () => {
    expect(parsePolicies('evm', { min_balance: null, whitelist_receivers: null })).toStrictEqual({});
  });

  it.each([{}, { max_value: null }, { max_value: null, max_fee: null }])(
    'refuses a spending limit with %j, which would limit nothing',
    (amounts) => {
      const limits = (...some: object[]): object => ({ transactions: { spend_limits: some } });
      const [full, empty] = [
        { per: '24h', max_fee: 0 },
        { per: '1h', ...amounts },
      ];
      const rule = 'policies.transactions.spend_limits[1] must have max_value, max_fee or both';
      expect(() => parsePolicies('evm', limits(full, empty))).toThrow(refusal(rule));
      expect(() => patchPolicies('evm', {}, limits(full, empty))).toThrow(refusal(rule));
      expect(parsePolicies('evm', limits(full))).toEqual(limits(full));
    },
  );

  describe('for top-ups', () => {
    const TOP_UP = { from_relayer: 'treasury', below: '10', to: '20' };
    const parse = (changes: object): object => parsePolicies('evm', { top_up: { ...TOP_UP, ...changes } });

    it('stores exact amounts', () => {
      expect(parse({ to: '9007199254740993' })).toStrictEqual({
        top_up: { from_relayer: 'treasury', below: 10, to: '9007199254740993' },
      });
    });

    it.each([{ to: 10 }, { to: 9 }, { to: 0, below: 0 }])(
      'refuses %j, which would not raise the balance',
      (changes) => {
        expect(() => parse(changes)).toThrow(
          refusal('policies.top_up.to must be more than policies.top_up.below'),
        );
      },
    );

    it.each(['below', 'to'])('requires %s', (member) => {
      for (const value of [undefined, null, -1, 1.5, '0x1'])
        expect(() => parse({ [member]: value })).toThrow(refusal(AMOUNT_RULE(`top_up.${member}`)));
    });

    it.each([undefined, null, '', 'a b', 'x'.repeat(37), 5])('refuses the relayer %j', (from_relayer) => {
      expect(() => parse({ from_relayer })).toThrow(
        refusal('policies.top_up.from_relayer must be 1 to 36 letters, digits, dashes or underscores'),
      );
    });

    it('patches member by member, and removes the policy on null', () => {
      const stored = parse({});
      expect(patchPolicies('evm', stored as Record<string, unknown>, { top_up: { to: 30 } })).toEqual({
        top_up: { from_relayer: 'treasury', below: 10, to: 30 },
      });
      expect(patchPolicies('evm', stored as Record<string, unknown>, { top_up: null })).toEqual({});
      expect(() => patchPolicies('evm', stored as Record<string, unknown>, { top_up: { to: null } })).toThrow(
        refusal(AMOUNT_RULE('top_up.to')),
      );
    });
  });
});
