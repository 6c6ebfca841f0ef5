import { localOrigin } from './local-origin';

describe('localOrigin', () => {
  it.each([
    ['127.0.0.1', 'IPv4', 'http://127.0.0.1:8080'],
    ['192.0.2.7', 'IPv4', 'http://192.0.2.7:8080'],
    ['::1', 'IPv6', 'http://[::1]:8080'],
    ['2001:db8::7', 'IPv6', 'http://[2001:db8::7]:8080'],
    ['0.0.0.0', 'IPv4', 'http://127.0.0.1:8080'],
    ['::', 'IPv6', 'http://127.0.0.1:8080'],
  ])('for a server on %s (%s) is %s', (address, family, origin) => {
    expect(localOrigin({ address, family, port: 8080 })).toBe(origin);
  });
});
