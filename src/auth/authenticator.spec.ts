import type { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { AppConfig } from '../config/app-config';
import { Secret } from '../common/secrets/secret';
import { ROOT } from '../access/principal';
import { Authenticator } from './authenticator';

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

describe('Authenticator', () => {
  const authenticator = new Authenticator(configOf(KEY));

  it.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER ${KEY}`, `bEaReR ${KEY}`, `Bearer   ${KEY}`])(
    'accepts %j',
    async (header) => {
      expect(await authenticator.authenticate(request(header))).toBe(ROOT);
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
  ])('refuses %j', async (header) => {
    expect(await authenticator.authenticate(request(header))).toBeUndefined();
  });

  it.each([511, 512, 513, 4000])('takes a key of %i characters for itself alone', async (length) => {
    const key = 'k'.repeat(length);
    const long = new Authenticator(configOf(key));
    expect(await long.authenticate(request(`Bearer ${key}`))).toBe(ROOT);
    expect(await long.authenticate(request(`Bearer ${key}k`))).toBeUndefined();
    expect(await long.authenticate(request(`Bearer ${key.slice(1)}`))).toBeUndefined();
  });

  it('refuses a request without the header', async () => {
    expect(await authenticator.authenticate(request())).toBeUndefined();
  });

  it.each([
    ['twice the right key', [`Bearer ${KEY}`, `Bearer ${KEY}`]],
    ['the right key, then another', [`Bearer ${KEY}`, 'Bearer x']],
    ['another key, then the right one', ['Bearer x', `Bearer ${KEY}`]],
  ])('refuses two headers: %s', async (_what, headers) => {
    expect(await authenticator.authenticate(request(...headers))).toBeUndefined();
  });

  it('counts headers of any letter case, and no value that reads like one', async () => {
    const doubled = request(`Bearer ${KEY}`);
    doubled.rawHeaders.push('AUTHORIZATION', 'Bearer x');
    expect(await authenticator.authenticate(doubled)).toBeUndefined();
    const named = request(`Bearer ${KEY}`);
    named.rawHeaders.push('X-Header', 'Authorization');
    expect(await authenticator.authenticate(named)).toBe(ROOT);
  });

  it('finds the same principal each time it is asked about a request', async () => {
    const good = request(`Bearer ${KEY}`);
    const bad = request('Bearer x');
    for (let i = 0; i < 3; i += 1) {
      expect(await authenticator.authenticate(good)).toBe(ROOT);
      expect(await authenticator.authenticate(bad)).toBeUndefined();
    }
  });
});
