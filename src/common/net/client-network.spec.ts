import { clientNetwork } from './client-network';

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['::ffff:255.255.255.255', '255.255.255.255'],
    ['2001:db8:1:2::1', '20010db800010002::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '20010db800010002::/64'],
    ['2001:DB8:1:2::1%eth0', '20010db800010002::/64'],
    ['2001:db8:1:3::1', '20010db800010003::/64'],
    ['::1', '0::/64'],
    ['not an address', 'not an address'],
    ['x'.repeat(1000), 'x'.repeat(64)],
  ])('counts %s as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
