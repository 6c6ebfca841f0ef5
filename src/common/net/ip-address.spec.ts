import { isInRange, isSameAddress, parseIpAddress, parseIpRange } from './ip-address';

describe('parseIpAddress', () => {
  it.each([
    ['0.0.0.0', 4, 0n],
    ['1.2.3.4', 4, 0x01020304n],
    ['255.255.255.255', 4, 0xffffffffn],
    ['::', 6, 0n],
    ['::1', 6, 1n],
    ['1::', 6, 1n << 112n],
    ['1:2:3:4:5:6:7:8', 6, 0x00010002000300040005000600070008n],
    ['1::7:8', 6, 0x00010000000000000000000000070008n],
    ['::FFFF:1.2.3.4', 6, 0xffff01020304n],
    ['fe80::1%eth0', 6, (0xfe80n << 112n) | 1n],
  ])('parses %s', (text, version, value) => {
    expect(parseIpAddress(text)).toEqual({ version, value });
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.4%eth0',
    '[::1]',
    '::1::',
    '1:2',
    'node',
    ' 1.2.3.4',
  ])('refuses %j', (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });
});

describe('isInRange', () => {
  it.each([
    ['10.0.0.1', '10.0.0.0/8', true],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['10.0.0.1', '10.9.9.9/8', true],
    ['1.2.3.4', '0.0.0.0/0', true],
    ['1.2.3.4', '1.2.3.4', true],
    ['1.2.3.5', '1.2.3.4', false],
    ['fd00::1', 'fd00::/8', true],
    ['fe00::1', '[fd00::]/8', false],
    ['::1', '0.0.0.0/0', false],
    ['1.2.3.4', '::/0', false],
  ])('checks %s in %s: %s', (address, range, expected) => {
    expect(isInRange(parseIpAddress(address)!, parseIpRange(range)!)).toBe(expected);
  });
});

describe('isSameAddress', () => {
  it('compares addresses, not their notation', () => {
    expect(isSameAddress(parseIpAddress('::1')!, parseIpAddress('0:0::0:1')!)).toBe(true);
    expect(isSameAddress(parseIpAddress('::1')!, parseIpAddress('::2')!)).toBe(false);
    expect(isSameAddress(parseIpAddress('0.0.0.1')!, parseIpAddress('::1')!)).toBe(false);
  });
});
