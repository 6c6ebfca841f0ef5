import type { FieldConstraint } from '../../relayers/policies/field-constraints';
import { parseMemberType } from '../../chains/evm/typed-data/member-type';
import type { HashedTypedData } from '../../chains/evm/typed-data/typed-data';
import { authorizeTypedData } from './authorize-typed-data';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const typedData = (changes: Partial<HashedTypedData> = {}): HashedTypedData => ({
  domain: { separator: '0x', chainId: 1n, verifyingContract: USDC },
  primaryType: 'Permit',
  members: [],
  message: {},
  digest: new Uint8Array(32),
  ...changes,
});
const withoutDomain = { separator: '0x', chainId: undefined, verifyingContract: undefined };
const refusal = (detail: string): Error =>
  expect.objectContaining({
    code: 'typed_data_not_allowed',
    message: 'Typed data not allowed by policy',
    detail,
  }) as Error;

describe('authorizeTypedData', () => {
  it.each([
    [{}],
    [{ allow_blind_hashes: false }],
    [{ allowed: [{ chain_id: 1 }] }],
    [{ allowed: [{ chain_id: '1' }] }],
    [{ allowed: [{ verifying_contract: USDC }] }],
    [{ allowed: [{ primary_type: 'Permit' }] }],
    [{ allowed: [{ chain_id: 5 }, { chain_id: 1, verifying_contract: USDC, primary_type: 'Permit' }] }],
  ])('allows under %j', (policy) => {
    expect(() => {
      authorizeTypedData(policy, typedData());
    }).not.toThrow();
  });

  it.each([
    [{ allowed: [] }],
    [{ allowed: [{ chain_id: 5 }] }],
    [{ allowed: [{ verifying_contract: PERMIT2 }] }],
    [{ allowed: [{ primary_type: 'permit' }] }],
    [{ allowed: [{ chain_id: 1, verifying_contract: USDC, primary_type: 'Transfer' }] }],
    [{ allow_blind_hashes: true, allowed: [{ chain_id: 5 }] }],
  ])('rejects under %j', (policy) => {
    expect(() => {
      authorizeTypedData(policy, typedData());
    }).toThrow(
      refusal(
        `no entry of policies.typed_data.allowed matches chain_id 1, verifying_contract ${USDC}, primary_type Permit`,
      ),
    );
  });

  it('matches no entry that names a member missing from the domain', () => {
    for (const pattern of [{ chain_id: 1 }, { verifying_contract: USDC }]) {
      expect(() => {
        authorizeTypedData({ allowed: [pattern] }, typedData({ domain: withoutDomain }));
      }).toThrow(
        refusal(
          'no entry of policies.typed_data.allowed matches chain_id (none), verifying_contract (none), primary_type Permit',
        ),
      );
    }
  });

  describe('with fields', () => {
    const allows = (type: string, value: unknown, constraint: FieldConstraint): boolean => {
      const data = typedData({
        members: [{ name: 'field', type: parseMemberType(type, 'type') }],
        message: { field: value },
      });
      try {
        authorizeTypedData({ allowed: [{ primary_type: 'Permit', fields: { field: constraint } }] }, data);
        return true;
      } catch (error) {
        expect(error).toEqual(
          refusal(
            'policies.typed_data.allowed[0].fields does not allow message.field, and no other entry matches',
          ),
        );
        return false;
      }
    };

    it.each<[string, unknown, FieldConstraint]>([
      ['address', USDC.toLowerCase(), USDC],
      ['address', USDC, [PERMIT2, USDC.toLowerCase()]],
      ['uint256', '1000', 1000],
      ['uint256', '0x3e8', '1000'],
      ['uint256', 1000, ['0x03e8']],
      ['uint256', 1000, { max: 1000 }],
      ['uint256', 1000, { min: 1000, max: '1000' }],
      [
        'uint256',
        '115792089237316195423570985008687907853269984665640564039457584007913129639935',
        { min: 1 },
      ],
      ['int256', '-5', { min: -5 }],
      ['int256', -5, '-5'],
      ['bool', true, true],
      ['bool', false, [true, false]],
      ['string', 'Hello', 'Hello'],
      ['bytes', '0xDEADbeef', '0xdeadBEEF'],
      ['bytes4', '0xDEADbeef', ['0xdeadbeef']],
    ])('allows the %s %j by %j', (type, value, constraint) => {
      expect(allows(type, value, constraint)).toBe(true);
    });

    it.each<[string, unknown, FieldConstraint]>([
      ['address', PERMIT2, USDC],
      ['address', USDC, []],
      ['uint256', '1001', 1000],
      ['uint256', '1001', { max: 1000 }],
      ['uint256', '9007199254740993', { max: '9007199254740992' }],
      ['uint256', '999', { min: 1000 }],
      ['int256', '-6', { min: -5 }],
      ['bool', true, 'true'],
      ['bool', true, false],
      ['string', 'hello', 'Hello'],
      ['string', '1000', 1000],
      ['string', '1000', { max: 1000 }],
      ['string', USDC, USDC.toLowerCase()],
      ['bytes', '0xdeadbeef', { max: 5 }],
      ['bytes', '0xdeadbeef', 0xdeadbeef],
      ['uint256[]', [1000], 1000],
      ['uint256[]', [1000], { max: 1000 }],
    ])('rejects the %s %j by %j', (type, value, constraint) => {
      expect(allows(type, value, constraint)).toBe(false);
    });

    it('matches neither structs, nor members of structs, nor members missing from the primary type', () => {
      const members = [{ name: 'inner', type: { kind: 'struct', name: 'Inner' } as const }];
      const data = typedData({ members, message: { inner: { spender: USDC } } });
      for (const name of ['inner', 'spender', 'toString', 'constructor', '__proto__'])
        expect(() => {
          authorizeTypedData({ allowed: [{ fields: Object.fromEntries([[name, USDC]]) }] }, data);
        }).toThrow(expect.objectContaining({ code: 'typed_data_not_allowed' }));
    });

    it('requires all fields of a single entry to match', () => {
      const uint = parseMemberType('uint256', 'type');
      const data = typedData({
        members: [
          { name: 'a', type: uint },
          { name: 'b', type: uint },
        ],
        message: { a: 1, b: 2 },
      });
      const check = (...fields: Record<string, FieldConstraint>[]) => {
        authorizeTypedData({ allowed: fields.map((each) => ({ fields: each })) }, data);
      };
      expect(() => {
        check({ a: 1, b: 2 });
      }).not.toThrow();
      expect(() => {
        check({ a: 1, b: 3 }, { a: 2, b: 2 });
      }).toThrow(
        refusal('policies.typed_data.allowed[0].fields does not allow message.b, and no other entry matches'),
      );
    });

    it('takes less than five seconds for the largest policy and message', () => {
      const bytes = parseMemberType('bytes', 'type');
      const members = Array.from({ length: 10_000 }, (_, i) => ({ name: `m${i}`, type: bytes }));
      const message = Object.fromEntries(
        members.map(({ name }, i) => [name, i ? '0x00' : `0x${'ab'.repeat(100_000)}`]),
      );
      const fields = { m0: Array.from({ length: 100 }, () => `0x${'ab'.repeat(500)}`), m9999: '0x' };
      const allowed = Array.from({ length: 200 }, () => ({ fields }));
      const before = performance.now();
      expect(() => {
        authorizeTypedData({ allowed }, typedData({ members, message }));
      }).toThrow();
      expect(performance.now() - before).toBeLessThan(5_000);
    });
  });
});
