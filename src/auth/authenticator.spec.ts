import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigService } from '@nestjs/config';
import type { Request } from 'express';
import type { AppConfig } from '../config/app-config';
import { Secret } from '../common/secrets/secret';
import { currentRequest, runWithRequest } from '../common/http/request-context';
import type { AuthenticationFailure } from '../access/authentication-failures';
import { type Principal, ROOT } from '../access/principal';
import type { ApiKeyAuthentication } from './api-keys/api-key-authentication';
import { newApiKeyText } from './api-keys/api-key-text';
import { Authenticator } from './authenticator';
import { RootKeys } from './root-keys';
import type { SignedRequestAuthentication } from './signed-requests/signed-request-authentication';

const KEY = 'test-key-of-more-than-32-characters!';

const API_KEY = newApiKeyText('23456789abcd').reveal();
const PRINCIPAL: Principal = { ...ROOT, id: '23456789abcd', kind: 'api_key' };

const failures: AuthenticationFailure[] = [];
const apiKeys = {
  authenticate: (id: string, text: string) =>
    Promise.resolve(id === PRINCIPAL.id && text === API_KEY ? PRINCIPAL : 'wrong_secret'),
} as unknown as ApiKeyAuthentication;

let usedNonces = 0;
const signedRequests = {
  identify: ({ headers }: Request) =>
    Promise.resolve(
      headers['signature-input'] === 'bad'
        ? { found: 'bad_signature', keyId: PRINCIPAL.id }
        : { found: PRINCIPAL, keyId: PRINCIPAL.id },
    ),
  useNonce: ({ headers }: Request) => {
    usedNonces += 1;
    return Promise.resolve(headers['signature-input'] === 'good');
  },
} as unknown as SignedRequestAuthentication;

const authenticatorOf = (...keys: string[]) => {
  const config = { get: () => keys.map((key) => new Secret(key)) };
  const rootKeys = new RootKeys(config as unknown as ConfigService<AppConfig, true>);
  return new Authenticator(rootKeys, apiKeys, signedRequests, {
    record: (failure) => failures.push(failure),
  });
};

/** As Node provides them: the first of repeated headers in `headers`, all of them in `rawHeaders`. */
function request(...authorization: string[]): Request {
  return {
    headers: authorization.length > 0 ? { authorization: authorization[0] } : {},
    rawHeaders: ['Host', 'localhost', ...authorization.flatMap((value) => ['Authorization', value])],
  } as Request;
}

describe('Authenticator', () => {
  const authenticator = authenticatorOf(KEY);

  it.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER ${KEY}`, `bEaReR ${KEY}`, `Bearer   ${KEY}`])(
    'accepts %j',
    async (header) => {
      expect(await authenticator.authenticate(request(header))).toBe(ROOT);
    },
  );

  it('records when the key was read, however long a guard waits afterwards', async () => {
    const readAt: (number | undefined)[] = [];
    await new Promise<void>((resolve, reject) => {
      const serve = async (): Promise<void> => {
        const asked = request(`Bearer ${API_KEY}`);
        for (const pause of [0, 10]) {
          await sleep(pause);
          expect(await authenticator.authenticate(asked)).toBe(PRINCIPAL);
          readAt.push(currentRequest()?.principalReadAt);
        }
      };
      runWithRequest('id', () => void serve().then(resolve, reject));
    });
    expect(readAt).toEqual([expect.any(Number), readAt[0]]);
  });

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

  it.each([511, 512, 513, 4000])('accepts only the exact key when it has %i characters', async (length) => {
    const key = 'k'.repeat(length);
    const long = authenticatorOf(key);
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

  it('counts Authorization headers in any case, but not values that look like one', async () => {
    const doubled = request(`Bearer ${KEY}`);
    doubled.rawHeaders.push('AUTHORIZATION', 'Bearer x');
    expect(await authenticator.authenticate(doubled)).toBeUndefined();
    const named = request(`Bearer ${KEY}`);
    named.rawHeaders.push('X-Header', 'Authorization');
    expect(await authenticator.authenticate(named)).toBe(ROOT);
  });

  it('returns the same principal each time for a request', async () => {
    const good = request(`Bearer ${KEY}`);
    const bad = request('Bearer x');
    for (let i = 0; i < 3; i += 1) {
      expect(await authenticator.authenticate(good)).toBe(ROOT);
      expect(await authenticator.authenticate(bad)).toBeUndefined();
    }
  });

  it('accepts either of two root keys, synchronously', () => {
    const other = `${KEY}-2`;
    const both = authenticatorOf(KEY, other);
    for (const key of [KEY, other]) expect(both.authenticate(request(`Bearer ${key}`))).toBe(ROOT);
    expect(both.authenticate(request(`Bearer ${KEY},${other}`))).toBeUndefined();
  });

  it('returns the principal of an API key', async () => {
    expect(await authenticator.authenticate(request(`Bearer ${API_KEY}`))).toBe(PRINCIPAL);
    expect(
      await authenticator.authenticate(request(`Bearer ${API_KEY}`, `Bearer ${API_KEY}`)),
    ).toBeUndefined();
  });

  it.each([
    ['a wrong header', ['Basic x'], { cause: 'malformed' }],
    ['two headers', [`Bearer ${KEY}`, `Bearer ${KEY}`], { cause: 'malformed' }],
    ['another token', ['Bearer x'], { cause: 'unknown_token' }],
    ['a key with a typing error', [`Bearer ${API_KEY.slice(0, -1)}`], { cause: 'malformed' }],
    [
      'a wrong secret',
      [`Bearer ${newApiKeyText(PRINCIPAL.id).reveal()}`],
      { cause: 'wrong_secret', keyId: PRINCIPAL.id },
    ],
  ])('reports the cause once: %s', async (_what, headers, failure) => {
    failures.length = 0;
    const refused = Object.assign(request(...headers), { ip: '192.0.2.1' });
    expect(await authenticator.authenticate(refused)).toBeUndefined();
    expect(await authenticator.authenticate(refused)).toBeUndefined();
    expect(failures).toEqual([{ ...failure, clientAddress: '192.0.2.1' }]);
  });

  const signed = (input: string, ...authorization: string[]) => {
    const made = request(...authorization);
    made.headers['signature-input'] = input;
    return made;
  };

  it('uses a nonce once, only to authenticate a request with a valid signature', async () => {
    usedNonces = 0;
    for (const input of ['good', 'bad', 'replayed']) await authenticator.identify(signed(input));
    expect(await authenticator.authenticate(signed('bad'))).toBeUndefined();
    expect(usedNonces).toBe(0);
    const good = signed('good');
    expect(await authenticator.identify(good)).toBe(PRINCIPAL);
    for (let i = 0; i < 3; i += 1) expect(await authenticator.authenticate(good)).toBe(PRINCIPAL);
    expect(usedNonces).toBe(1);
  });

  it('identifies who signed a replayed request, but refuses it', async () => {
    failures.length = 0;
    const replayed = signed('replayed');
    expect(await authenticator.identify(replayed)).toBe(PRINCIPAL);
    for (let i = 0; i < 3; i += 1) expect(await authenticator.authenticate(replayed)).toBeUndefined();
    expect(failures).toEqual([{ cause: 'replayed', keyId: PRINCIPAL.id }]);
  });

  it('verifies a signature only if there is no token', async () => {
    failures.length = 0;
    expect(await authenticator.authenticate(signed('good'))).toBe(PRINCIPAL);
    expect(await authenticator.authenticate(signed('bad'))).toBeUndefined();
    expect(failures).toEqual([{ cause: 'bad_signature', keyId: PRINCIPAL.id }]);
    expect(authenticator.authenticate(signed('good', 'Bearer x'))).toBeUndefined();
    expect(authenticator.authenticate(signed('bad', `Bearer ${KEY}`))).toBe(ROOT);
  });

  it('reports nothing for a request without credentials', async () => {
    failures.length = 0;
    expect(await authenticator.authenticate(request())).toBeUndefined();
    expect(failures).toEqual([]);
  });
});
