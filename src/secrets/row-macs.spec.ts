import { createHmac, hkdfSync } from 'node:crypto';
import { MAC_PREFIX_LENGTH, RowMacs } from './row-macs';
import { Secret } from '../common/secrets/secret';
import { SecretCipher } from './secret-cipher';

const BYTES = Buffer.alloc(32, 1);
const KEY = new Secret(BYTES.toString('base64'));
const OTHER_KEY = new Secret(Buffer.alloc(32, 2).toString('base64'));
const TABLES = [
  { table: 'lamps', columns: {} },
  { table: 'shelves', columns: {} },
];
const macsOf = (...keys: Secret[]) => new RowMacs(keys, TABLES);
const macs = macsOf(KEY);

describe('RowMacs', () => {
  const mac = macs.compute('lamps', 'content');

  it('computes HMAC-SHA256 with a key per table, derived from the storage key by HKDF', () => {
    const [format, version, digest] = mac.split('.');
    const key = hkdfSync('sha256', BYTES, '', 'row mac\nlamps', 32);
    expect(digest).toBe(createHmac('sha256', Buffer.from(key)).update('content').digest('base64'));
    expect([format, version]).toEqual(['m1', new SecretCipher([KEY], []).keyVersions[0]]);
    expect(mac.slice(0, MAC_PREFIX_LENGTH)).toBe(macs.newestPrefixOf('lamps'));
    expect(mac.length).toBeLessThanOrEqual(80);
  });

  it('accepts its own MACs, even in another process', () => {
    expect(macs.check('lamps', 'content', mac)).toBe('intact');
    expect(macsOf(OTHER_KEY, KEY).check('lamps', 'content', mac)).toBe('intact');
  });

  it.each<[string, string, string | null, string]>([
    ['lamps', 'content', null, 'missing'],
    ['lamps', 'content', '', 'mismatch'],
    ['lamps', 'content', 'm1', 'mismatch'],
    ['lamps', 'content', 'garbage', 'mismatch'],
    ['lamps', 'other', mac, 'mismatch'],
    ['shelves', 'content', mac, 'mismatch'],
    ['lamps', 'content', mac.slice(0, -1), 'mismatch'],
    ['lamps', 'content', `${mac}=`, 'mismatch'],
    ['lamps', 'content', mac.replace('m1', 'm2'), 'mismatch'],
    ['lamps', 'content', mac.slice(0, MAC_PREFIX_LENGTH), 'mismatch'],
    ['lamps', 'content', macsOf(OTHER_KEY).compute('lamps', 'content'), 'unknown_key'],
  ])('rejects any other MAC: %s, %s, %s', (table, content, given, state) => {
    expect(macs.check(table, content, given)).toBe(state);
  });

  it('rejects the MAC of one key under the version of another', () => {
    const both = macsOf(KEY, OTHER_KEY);
    const renamed = macsOf(OTHER_KEY).newestPrefixOf('lamps') + mac.slice(MAC_PREFIX_LENGTH);
    expect(both.check('lamps', 'content', renamed)).toBe('mismatch');
  });

  it('rejects a MAC with any character changed', () => {
    for (let i = 0; i < mac.length; i += 1) {
      const changed = mac.slice(0, i) + (mac[i] === 'A' ? 'B' : 'A') + mac.slice(i + 1);
      expect(macs.check('lamps', 'content', changed)).not.toBe('intact');
    }
  });

  it('gives rows the format m2 if a column is only protected since then, and still accepts m1', () => {
    const tables = [{ table: 'lamps', columns: { note: 'protected_since_m2' as const } }];
    const newer = new RowMacs([KEY], tables);
    const second = newer.compute('lamps', 'content');
    expect(second.slice(0, 3)).toBe('m2.');
    expect(second.startsWith(newer.newestPrefixOf('lamps'))).toBe(true);
    expect(newer.check('lamps', 'content', second)).toBe('intact');
    expect(newer.check('lamps', 'content', mac)).toBe('intact');
    expect(newer.check('lamps', 'content', mac.replace('m1', 'm3'))).toBe('mismatch');
    expect(macs.check('lamps', 'content', second)).toBe('mismatch');
  });

  it('refuses to compute a MAC for a table that key rotation would miss', () => {
    expect(() => macs.compute('chairs', 'content')).toThrow(
      new Error('chairs is missing in app/protected-tables.ts'),
    );
  });
});
