import { type ApiKeyGrant, assertWithin, excessOf } from './api-key-grant';

const OPEN: ApiKeyGrant = {
  scopes: ['relayers:read', 'sign:typed-data', 'api-keys:manage'],
  relayers: null,
  groups: null,
  expiresAt: null,
  allowedIps: null,
  rateLimit: null,
};
const FAST = { requestsPerSecond: 1, burstSize: 301 };
const GENERAL = { requestsPerSecond: 100, burstSize: 300 };
const NARROW: ApiKeyGrant = {
  scopes: ['relayers:read'],
  relayers: ['treasury', 'payroll'],
  groups: ['checkout'],
  expiresAt: new Date('2030-01-01T00:00:00Z'),
  allowedIps: ['10.0.0.0/8', '2001:db8::/48'],
  rateLimit: { requestsPerSecond: 10, burstSize: 20 },
};

describe('The grant of a new key', () => {
  it.each<[string, Partial<ApiKeyGrant>, string | undefined]>([
    ['exactly what it has', {}, undefined],
    ['fewer relayers', { relayers: ['payroll'], groups: null }, undefined],
    ['its groups alone', { relayers: null }, undefined],
    ['another relayer', { relayers: ['treasury', 'other'] }, 'relayer other'],
    ['a group by the name of a relayer', { groups: ['treasury'] }, 'group treasury'],
    ['a relayer by the name of a group', { relayers: ['checkout'] }, 'relayer checkout'],
    ['another group', { groups: ['checkout', 'other'] }, 'group other'],
    ['all relayers', { relayers: null, groups: null }, 'all relayers'],
    ['an earlier end', { expiresAt: new Date('2029-12-31T23:59:59Z') }, undefined],
    [
      'a later end',
      { expiresAt: new Date('2030-01-01T00:00:00.001Z') },
      'expires_at after 2030-01-01T00:00:00.000Z',
    ],
    ['no end', { expiresAt: null }, 'expires_at after 2030-01-01T00:00:00.000Z'],
    ['fewer addresses', { allowedIps: ['10.1.0.0/16', '2001:db8::1'] }, undefined],
    ['more addresses', { allowedIps: ['10.0.0.0/7'] }, 'allowed_ips 10.0.0.0/7'],
    ['other addresses', { allowedIps: ['10.0.0.1', '192.0.2.1'] }, 'allowed_ips 192.0.2.1'],
    ['all addresses', { allowedIps: null }, 'all of allowed_ips'],
    ['a lower limit', { rateLimit: { requestsPerSecond: 1, burstSize: 1 } }, undefined],
    ['a higher rate', { rateLimit: { requestsPerSecond: 11, burstSize: 1 } }, 'rate_limit above 10 and 20'],
    ['a higher burst', { rateLimit: { requestsPerSecond: 1, burstSize: 21 } }, 'rate_limit above 10 and 20'],
    ['the general limit', { rateLimit: null }, 'rate_limit above 10 and 20'],
    ['another scope', { scopes: ['relayers:read', 'relayers:write'] }, 'scope relayers:write'],
    ['all scopes', { scopes: ['*'] }, 'scope *'],
  ])('%s', (_what, changes, excess) => {
    expect(excessOf({ ...NARROW, ...changes }, NARROW, GENERAL)).toBe(excess);
  });

  it.each<[string, ApiKeyGrant, ApiKeyGrant, string | undefined]>([
    ['a restricted key, of one without restrictions', { ...NARROW }, OPEN, undefined],
    [
      'every scope, of one that has them all',
      { ...OPEN, scopes: ['*'] },
      { ...OPEN, scopes: ['*'] },
      undefined,
    ],
    ['some scopes, of one that has them all', OPEN, { ...OPEN, scopes: ['*'] }, undefined],
    ['all relayers, of one with a list', OPEN, { ...OPEN, relayers: ['treasury'] }, 'all relayers'],
    ['all relayers, of one with groups', OPEN, { ...OPEN, groups: ['checkout'] }, 'all relayers'],
    ['the general limit, of one without a limit', { ...OPEN, rateLimit: GENERAL }, OPEN, undefined],
    [
      'more than the general limit, of one without a limit',
      { ...OPEN, rateLimit: FAST },
      OPEN,
      'rate_limit above 100 and 300',
    ],
    ['a relayer, of one with groups', { ...OPEN, relayers: ['a'] }, { ...OPEN, groups: ['g'] }, 'relayer a'],
    ['a group, of one with relayers', { ...OPEN, groups: ['g'] }, { ...OPEN, relayers: ['a'] }, 'group g'],
  ])('%s', (_what, grant, holder, excess) => {
    expect(excessOf(grant, holder, GENERAL)).toBe(excess);
  });

  it('is refused if it exceeds the grant of the creating key, and is unlimited for the root key', () => {
    expect(() => {
      assertWithin(OPEN, NARROW, GENERAL);
    }).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        detail: 'a key cannot grant what it does not have: scope sign:typed-data',
      }),
    );
    expect(() => {
      assertWithin({ ...OPEN, scopes: ['*'], rateLimit: FAST }, null, GENERAL);
    }).not.toThrow();
  });
});
