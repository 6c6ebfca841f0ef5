import express, { type Request } from 'express';
import { clientAddressOf, trustProxies } from './client-address';

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

describe('trustProxies', () => {
  const addressWith = (trusted: boolean | number | string[], forwarded: string): string | undefined => {
    const application = express();
    trustProxies(application, trusted);
    const request = Object.assign(Object.create(application.request) as Request, {
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '127.0.0.1' },
    });
    return clientAddressOf(request);
  };

  it.each([
    [['127.0.0.1', '10.0.0.0/8'], '203.0.113.7, 10.0.0.5', '203.0.113.7'],
    [['127.0.0.1', '10.0.0.0/8'], '203.0.113.7:5000, 10.0.0.5:4444', '203.0.113.7'],
    [['loopback', 'fd00::/8'], '[2001:db8::7]:5000, [fd00::5]:4444', '2001:db8::7'],
    [['127.0.0.1'], '203.0.113.7, 10.0.0.5:4444', '10.0.0.5'],
    [['127.0.0.1', '10.0.0.0/8'], '203.0.113.7, unknown', 'unknown'],
    [1, '203.0.113.7, 10.0.0.5:4444', '10.0.0.5'],
    [2, '203.0.113.7:5000, 10.0.0.5:4444', '203.0.113.7'],
    [false, '203.0.113.7', '127.0.0.1'],
  ])('with %j takes from %s the client %s', (trusted, forwarded, client) => {
    expect(addressWith(trusted, forwarded)).toBe(client);
  });
});
