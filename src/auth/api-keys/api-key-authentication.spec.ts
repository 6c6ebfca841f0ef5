import { inspect } from 'node:util';
import { ApiKeyAuthentication } from './api-key-authentication';
import type { ApiKeyEntity } from './api-key.entity';
import type { ApiKeyLookup, FoundApiKey } from './api-key-lookup';
import { principalOf } from './api-key-principal';
import { hashOfApiKey, newApiKeyText } from './api-key-text';
import type { ApiKeyUse } from './api-key-use';
import { OngoingAccess } from '../../access/ongoing-access';
import { ROOT } from '../../access/principal';
import { KnownPrincipals } from '../known-principals';
import { currentRequest, runWithRequest } from '../../common/http/request-context';

const ID = '23456789abcd';
const HOUR = 3_600_000;
const [text, previous, other] = [1, 2, 3].map(() => newApiKeyText(ID).reveal()) as [string, string, string];

/** A plain object type, so that rows can be spread. */
type Row = Omit<ApiKeyEntity, never>;

const ROW: Row = {
  id: ID,
  name: 'Checkout',
  secretHash: hashOfApiKey(text),
  previousSecretHash: null,
  previousValidUntil: null,
  publicKey: null,
  scopes: ['relayers:read', 'sign:typed-data'],
  relayers: ['treasury'],
  groups: null,
  allowedIps: null,
  rateLimit: null,
  expiresAt: null,
  createdBy: 'root',
  revision: null,
  lastUsedAt: null,
  revokedAt: null,
  mac: null,
  createdAt: new Date(),
};

const lookupOf = (found: FoundApiKey) => ({ find: () => Promise.resolve(found) }) as unknown as ApiKeyLookup;

describe('ApiKeyAuthentication', () => {
  const used: string[] = [];
  const use = { record: (id: string) => used.push(id) } as unknown as ApiKeyUse;

  beforeEach(() => {
    used.length = 0;
  });

  const authenticate = (found: FoundApiKey, sent = text, address?: string) =>
    new ApiKeyAuthentication(lookupOf(found), use).authenticate(ID, sent, address);

  const at = (offset: number): Date => new Date(Date.now() + offset);

  it('returns the principal, and records the use', async () => {
    expect(await authenticate(ROW)).toEqual({
      id: ID,
      kind: 'api_key',
      scopes: new Set(['relayers:read', 'sign:typed-data']),
      reach: { relayers: new Set(['treasury']), groups: new Set() },
      rateLimit: undefined,
    });
    expect(used).toEqual([ID]);
  });

  it('creates one principal per row', () => {
    expect(principalOf(ROW)).toBe(principalOf(ROW));
    expect(principalOf({ ...ROW, relayers: null }).reach).toBeUndefined();
  });

  const overlap = (until: number) => ({
    previousSecretHash: hashOfApiKey(previous),
    previousValidUntil: at(until),
  });

  it.each<[string, () => FoundApiKey, string, string | undefined]>([
    ['no such key', () => 'unknown_key', text, 'unknown_key'],
    ['an altered row', () => 'altered', text, 'altered'],
    ['another secret', () => ROW, other, 'wrong_secret'],
    ['a key without a secret', () => ({ ...ROW, secretHash: null, publicKey: 'x' }), text, 'wrong_secret'],
    ['a revoked key', () => ({ ...ROW, revokedAt: at(-1) }), text, 'revoked'],
    ['a wrong secret of a revoked key', () => ({ ...ROW, revokedAt: at(-1) }), other, 'wrong_secret'],
    ['an expired key', () => ({ ...ROW, expiresAt: at(0) }), text, 'expired'],
    ['a key that will expire', () => ({ ...ROW, expiresAt: at(HOUR) }), text, undefined],
    ['the previous secret', () => ({ ...ROW, ...overlap(HOUR) }), previous, undefined],
    ['the new secret beside it', () => ({ ...ROW, ...overlap(HOUR) }), text, undefined],
    ['the previous secret after its time', () => ({ ...ROW, ...overlap(0) }), previous, 'wrong_secret'],
    [
      'the previous secret of a revoked key',
      () => ({ ...ROW, ...overlap(HOUR), revokedAt: at(0) }),
      previous,
      'revoked',
    ],
    ['another address', () => ({ ...ROW, allowedIps: ['10.0.0.0/8'] }), text, 'address'],
    ['an allowed address', () => ({ ...ROW, allowedIps: ['192.0.2.0/24'] }), text, undefined],
  ])('%s', async (_what, found, sent, cause) => {
    const result = await authenticate(found(), sent, '192.0.2.7');
    expect(typeof result === 'string' ? result : undefined).toBe(cause);
    expect(used).toEqual(cause === undefined ? [ID] : []);
  });

  it('relies on the system clock: a step forward expires a key early, a step back late', async () => {
    const now = jest.spyOn(Date, 'now');
    const key = { ...ROW, expiresAt: new Date('2030-01-01T00:00:00Z') };
    now.mockReturnValue(Date.parse('2029-12-31T23:59:59Z') + HOUR);
    expect(await authenticate(key)).toBe('expired');
    now.mockReturnValue(Date.parse('2030-01-01T00:59:59Z') - HOUR);
    expect(await authenticate(key)).toMatchObject({ id: ID });
    now.mockRestore();
  });

  describe('the status of a key during a request', () => {
    const assertValid = (found: FoundApiKey) =>
      new KnownPrincipals(lookupOf(found)).assertStillValid(ID, 'sign:typed-data');

    it('is not checked for the root key', () => {
      const access = new OngoingAccess(new KnownPrincipals(lookupOf('unknown_key')));
      let checked: unknown = 'not called';
      runWithRequest('id', () => {
        currentRequest()!.principal = ROOT;
        checked = access.recheck('sign:typed-data');
      });
      expect(checked).toBeUndefined();
    });

    it.each<[string, FoundApiKey, string]>([
      ['gone', 'unknown_key', 'unauthorized'],
      ['altered', 'altered', 'unauthorized'],
      ['revoked', { ...ROW, revokedAt: new Date() }, 'unauthorized'],
      ['expired', { ...ROW, expiresAt: new Date() }, 'unauthorized'],
      ['without the scope', { ...ROW, scopes: ['relayers:read'] }, 'forbidden'],
    ])('rejects a key that is %s', async (_what, found, code) => {
      await expect(assertValid(found)).rejects.toMatchObject({ code });
    });

    it('accepts a valid key', async () => {
      await expect(assertValid(ROW)).resolves.toBeUndefined();
      await expect(assertValid({ ...ROW, scopes: ['*'] })).resolves.toBeUndefined();
    });

    /** Checks a key again during a request with its text from 192.0.2.7; without `sent`, during a signed request. */
    const duringOwn = (found: FoundApiKey, sent?: string, keyId = ID): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const serve = async (): Promise<unknown> => {
          if (sent !== undefined) await authenticate(ROW, sent, '192.0.2.7');
          currentRequest()!.keyId = keyId;
          return assertValid(found);
        };
        runWithRequest('id', () => void serve().then(resolve, reject), '192.0.2.7');
      });
    const rotated = { ...ROW, secretHash: hashOfApiKey(other), previousSecretHash: hashOfApiKey(text) };
    const signing = { ...ROW, secretHash: null, publicKey: 'x' };
    const elsewhere = { allowedIps: ['10.0.0.0/8'] };

    it.each<[string, () => FoundApiKey, string | undefined, string | undefined]>([
      ['has the same secret', () => ROW, text, undefined],
      [
        'was rotated without an overlap',
        () => ({ ...rotated, previousSecretHash: null }),
        text,
        'unauthorized',
      ],
      [
        'was rotated, during the overlap',
        () => ({ ...rotated, previousValidUntil: at(HOUR) }),
        text,
        undefined,
      ],
      [
        'was rotated, after the overlap',
        () => ({ ...rotated, previousValidUntil: at(0) }),
        text,
        'unauthorized',
      ],
      ['has a secret that the request did not send', () => ROW, undefined, 'unauthorized'],
      ['has a secret, of which the request sent another', () => ROW, other, 'unauthorized'],
      ['signs its requests', () => signing, undefined, undefined],
      ['may be used elsewhere only', () => ({ ...ROW, ...elsewhere }), text, 'unauthorized'],
      ['signs its requests elsewhere only', () => ({ ...signing, ...elsewhere }), undefined, 'unauthorized'],
    ])("of the request's own key that %s", async (_what, found, sent, code) => {
      const failure = await duringOwn(found(), sent).catch((error: unknown) => error);
      expect(failure).toEqual(code === undefined ? undefined : expect.objectContaining({ code }));
    });

    it('does not require the secret of another key, such as that of an approved request', async () => {
      await expect(duringOwn({ ...ROW, ...elsewhere }, undefined, 'another')).resolves.toBeUndefined();
    });

    it('keeps the hash of the secret out of logs and JSON', async () => {
      const shown = await new Promise<string>((resolve) => {
        const serve = async (): Promise<void> => {
          await authenticate(ROW);
          expect(currentRequest()?.provenHash?.reveal()).toBe(hashOfApiKey(text));
          resolve(JSON.stringify(currentRequest()) + inspect(currentRequest(), { depth: null }));
        };
        runWithRequest('id', () => void serve());
      });
      expect(shown).not.toContain(hashOfApiKey(text));
    });
  });
});
