import { isAddressAllowed, isRangeWithin } from './allowed-addresses';

describe('isAddressAllowed', () => {
  it.each<[string[], string, boolean]>([
    [['10.20.0.0/16'], '10.20.255.255', true],
    [['10.20.0.0/16'], '10.21.0.0', false],
    [['10.20.0.1'], '10.20.0.1', true],
    [['10.20.0.1'], '10.20.0.2', false],
    [['10.20.0.0/16'], '::ffff:10.20.1.2', true],
    [['10.20.0.0/16'], '::ffff:a14:102', true],
    [['10.20.0.0/16'], '::ffff:10.21.1.2', false],
    [['::ffff:10.20.0.0/112'], '10.20.1.2', true],
    [['::ffff:10.20.0.0/112'], '10.21.1.2', false],
    [['0.0.0.0/0'], '203.0.113.7', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '203.0.113.7', false],
    [['2001:db8::/48'], '2001:db8:0:ffff::1', true],
    [['2001:db8::/48'], '2001:db8:1::1', false],
    [['2001:db8::/48', '192.0.2.0/24'], '192.0.2.9', true],
    [['192.0.2.0/24'], 'unknown', false],
    [['192.0.2.0/24'], '', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
  ])('%j, %s: %s', (allowed, address, expected) => {
    expect(isAddressAllowed(allowed, address)).toBe(expected);
    // The second check uses the cached ranges.
    expect(isAddressAllowed(allowed, address)).toBe(expected);
  });

  it('rejects a client without an address', () => {
    expect(isAddressAllowed(['0.0.0.0/0', '::/0'], undefined)).toBe(false);
  });
});

describe('isRangeWithin', () => {
  it.each<[string, string, boolean]>([
    ['10.0.0.0/8', '10.0.0.0/8', true],
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/7', '10.0.0.0/8', false],
    ['11.0.0.0/16', '10.0.0.0/8', false],
    ['10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['2001:db8::/64', '2001:db8::/48', true],
    ['::/0', '2001:db8::/48', false],
    ['10.0.0.0/8', '::/0', false],
    ['::1', '0.0.0.0/0', false],
  ])('%s in %s: %s', (inner, outer, expected) => {
    expect(isRangeWithin(inner, outer)).toBe(expected);
  });
});
