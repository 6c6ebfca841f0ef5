import { MalformedResponseError } from '../rpc/json-rpc';
import { parseQuantity } from './quantity';

const UINT256_MAX = 2n ** 256n - 1n;

describe('parseQuantity', () => {
  it.each([
    ['0x0', 0n],
    ['0x1', 1n],
    ['0xaB', 171n],
    ['0x00ff', 255n],
    ['0x20000000000001', 9007199254740993n],
    [`0x${'f'.repeat(64)}`, UINT256_MAX],
  ])('reads %s', (text, quantity) => {
    expect(parseQuantity(text, UINT256_MAX)).toBe(quantity);
  });

  it.each([
    ['', UINT256_MAX],
    ['0x', UINT256_MAX],
    ['-0x1', UINT256_MAX],
    ['0x-1', UINT256_MAX],
    ['1', UINT256_MAX],
    ['0x1 ', UINT256_MAX],
    ['0xg', UINT256_MAX],
    [`0x1${'0'.repeat(64)}`, UINT256_MAX],
    [`0x${(10n ** 80n).toString(16)}`, UINT256_MAX],
    ['0x100', 255n],
    [1, UINT256_MAX],
    [-1, UINT256_MAX],
    [null, UINT256_MAX],
    [undefined, UINT256_MAX],
    [['0x1'], UINT256_MAX],
    [{ toString: () => '0x1' }, UINT256_MAX],
  ])('refuses %j', (value, max) => {
    expect(() => parseQuantity(value, max)).toThrow(MalformedResponseError);
  });
});
