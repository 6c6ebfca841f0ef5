import { clientAddressOf } from './client-address';

describe('clientAddressOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['192.0.2.7:54321', '192.0.2.7'],
    ['[2001:db8::7]:54321', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['192.0.2:54321', '192.0.2:54321'],
    ['[host]:54321', '[host]:54321'],
    ['192.0.2.7:', '192.0.2.7:'],
    ['192.0.2.7:654321', '192.0.2.7:654321'],
    ['unknown', 'unknown'],
    ['', ''],
    [undefined, undefined],
  ])('returns the address of %s without the port: %s', (ip, address) => {
    expect(clientAddressOf({ ip })).toBe(address);
  });
});
