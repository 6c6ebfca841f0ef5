import { validateSync } from 'class-validator';
import { IsBigInteger, parseBigInteger, toJsonInteger, UINT128_MAX, UINT64_MAX } from './big-integer';

class Amount {
  @IsBigInteger(UINT128_MAX)
  value: unknown;
}

const accepts = (value: unknown): boolean =>
  validateSync(Object.assign(new Amount(), { value })).length === 0;

describe('IsBigInteger', () => {
  it.each([0, 1, 9007199254740991, '0', '1', '9007199254740992', '340282366920938463463374607431768211455'])(
    'accepts %j',
    (value) => {
      expect(accepts(value)).toBe(true);
    },
  );

  it.each([
    -1,
    1.5,
    9007199254740992,
    NaN,
    Infinity,
    '',
    ' 1',
    '1 ',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x10',
    '1_000',
    '１',
    '340282366920938463463374607431768211456',
    '9'.repeat(79),
    '9'.repeat(100_000),
    null,
    undefined,
    true,
    [],
    ['1'],
    {},
    10n,
  ])('refuses %p', (value) => {
    expect(accepts(value)).toBe(false);
  });

  it('states the range in its message', () => {
    expect(validateSync(Object.assign(new Amount(), { value: -1 }))[0]?.constraints).toEqual({
      isBigInteger:
        'value must be a JSON integer or a decimal string from 0 to 340282366920938463463374607431768211455',
    });
  });
});

describe('big integers', () => {
  it('have the limits of 64 and 128 bits', () => {
    expect(UINT64_MAX).toBe(18446744073709551615n);
    expect(UINT128_MAX).toBe(340282366920938463463374607431768211455n);
  });

  it.each([
    [5, 5n],
    [-0, 0n],
    ['18446744073709551616', 18446744073709551616n],
    ['9'.repeat(78), BigInt('9'.repeat(78))],
    ['9'.repeat(79), undefined],
    ['five', undefined],
    [0.5, undefined],
  ])('parse %p as %p', (value, integer) => {
    expect(parseBigInteger(value)).toBe(integer);
  });

  it.each([
    [0n, 0],
    [9007199254740991n, 9007199254740991],
    [9007199254740992n, '9007199254740992'],
    [340282366920938463463374607431768211455n, '340282366920938463463374607431768211455'],
  ])('serialise %p as %p', (integer, json) => {
    expect(toJsonInteger(integer)).toBe(json);
  });
});
