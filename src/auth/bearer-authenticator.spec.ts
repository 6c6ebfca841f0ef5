import type { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { AppConfig } from '../config/app-config';
import { Secret } from '../common/secrets/secret';
import { BearerAuthenticator } from './bearer-authenticator';

const KEY = 'test-key-of-more-than-32-characters!';

const configOf = (key: string) =>
  ({ get: () => new Secret(key) }) as unknown as ConfigService<AppConfig, true>;

/** As Node hands it over: the first of repeated headers in `headers`, all of them in `rawHeaders`. */
function request(...authorization: string[]): Request {
  return {
    headers: authorization.length > 0 ? { authorization: authorization[0] } : {},
    rawHeaders: ['Host', 'localhost', ...authorization.flatMap((value) => ['Authorization', value])],
  } as Request;
}

describe('BearerAuthenticator', () => {
  const authenticator = new BearerAuthenticator(configOf(KEY));

  it.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER ${KEY}`, `bEaReR ${KEY}`, `Bearer   ${KEY}`])(
    'accepts %j',
    (header) => {
      expect(authenticator.isAuthenticated(request(header))).toBe(true);
    },
  );

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer  ',
    KEY,
    `Basic ${KEY}`,
    `Bearer${KEY}`,
    `Bearer\t${KEY}`,
    ` Bearer ${KEY}`,
    `Bearer ${KEY} `,
    `Bearer ${KEY} x`,
    `Bearer ${KEY},Bearer ${KEY}`,
    `Bearer Bearer ${KEY}`,
    `Bearer "${KEY}"`,
    `Bearer ${KEY.slice(0, -1)}`,
    `Bearer ${KEY.slice(0, 1)}`,
    `Bearer ${KEY}x`,
    `Bearer ${KEY.toUpperCase()}`,
    `Bearer ${KEY}\u0000`,
    `Bearer ${KEY}\n`,
    `Bearer ${'x'.repeat(100_000)}`,
    'Bearer [redacted]',
    'Bearer undefined',
  ])('refuses %j', (header) => {
    expect(authenticator.isAuthenticated(request(header))).toBe(false);
  });

  it.each([511, 512, 513, 4000])('takes a key of %i characters for itself alone', (length) => {
    const key = 'k'.repeat(length);
    const long = new BearerAuthenticator(configOf(key));
    expect(long.isAuthenticated(request(`Bearer ${key}`))).toBe(true);
    expect(long.isAuthenticated(request(`Bearer ${key}k`))).toBe(false);
    expect(long.isAuthenticated(request(`Bearer ${key.slice(1)}`))).toBe(false);
  });

  it('refuses a request without the header', () => {
    expect(authenticator.isAuthenticated(request())).toBe(false);
  });

  it.each([
    ['twice the right key', [`Bearer ${KEY}`, `Bearer ${KEY}`]],
    ['the right key, then another', [`Bearer ${KEY}`, 'Bearer x']],
    ['another key, then the right one', ['Bearer x', `Bearer ${KEY}`]],
  ])('refuses two headers: %s', (_what, headers) => {
    expect(authenticator.isAuthenticated(request(...headers))).toBe(false);
  });

  it('counts headers of any letter case, and no value that reads like one', () => {
    const doubled = request(`Bearer ${KEY}`);
    doubled.rawHeaders.push('AUTHORIZATION', 'Bearer x');
    expect(authenticator.isAuthenticated(doubled)).toBe(false);
    const named = request(`Bearer ${KEY}`);
    named.rawHeaders.push('X-Header', 'Authorization');
    expect(authenticator.isAuthenticated(named)).toBe(true);
  });

  it('gives the same verdict each time it is asked about a request', () => {
    const good = request(`Bearer ${KEY}`);
    const bad = request('Bearer x');
    for (let i = 0; i < 3; i += 1) {
      expect(authenticator.isAuthenticated(good)).toBe(true);
      expect(authenticator.isAuthenticated(bad)).toBe(false);
    }
  });
});
