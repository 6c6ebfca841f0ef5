import { Secret } from '../common/secrets/secret';
import {
  RECORD_PREFIX_LENGTH,
  type SealedColumn,
  SecretCipher,
  type SecretPlace,
  secretPlace,
  SecretUnreadableError,
} from './secret-cipher';

const KEY = new Secret(Buffer.alloc(32, 1).toString('base64'));
const OTHER_KEY = new Secret(Buffer.alloc(32, 2).toString('base64'));
const PLACE: SecretPlace = { table: 'notifications', column: 'signing_key', row: 'ops' };
const TEXT = 'a-signing-key-of-32-bytes-or-more';

const cipherOf = (...keys: Secret[]) => new SecretCipher(keys, [PLACE]);
const cipher = cipherOf(KEY);
const seal = (text: string): string => cipher.seal(new Secret(text), PLACE);

describe('SecretCipher', () => {
  it.each(['', 'a', TEXT, 'ключ 鍵 🔑', '\u0000\n', 'x'.repeat(100_000)])(
    'opens a record that it sealed: %#',
    (text) => {
      expect(cipher.open(seal(text), PLACE).reveal()).toBe(text);
    },
  );

  it('opens a record that another process sealed with the same key', () => {
    expect(cipherOf(KEY).open(seal(TEXT), PLACE).reveal()).toBe(TEXT);
  });

  it('writes the format, the key version, the nonce, the ciphertext and the tag', () => {
    const [format, keyVersion, body = ''] = seal(TEXT).split('.');
    expect(format).toBe('v1');
    expect(keyVersion).toMatch(/^[0-9a-f]{12}$/);
    expect(Buffer.from(body, 'base64')).toHaveLength(12 + TEXT.length + 16);
    expect(seal(TEXT)).not.toContain(TEXT);
    expect(seal('other').split('.')[1]).toBe(keyVersion);
    expect(cipherOf(OTHER_KEY).seal(new Secret(TEXT), PLACE).split('.')[1]).not.toBe(keyVersion);
  });

  it('uses a fresh nonce for every record', () => {
    const nonces = Array.from({ length: 1000 }, () =>
      Buffer.from(seal(TEXT).split('.')[2] ?? '', 'base64')
        .subarray(0, 12)
        .toString('hex'),
    );
    expect(new Set(nonces).size).toBe(1000);
  });

  it.each([
    ['row', { ...PLACE, row: 'ops2' }],
    ['column', { ...PLACE, column: 'url' }],
    ['table', { ...PLACE, table: 'signers' }],
    ['letter case of the row', { ...PLACE, row: 'OPS' }],
  ])('does not open a record moved to another %s', (_what, place) => {
    expect(() => cipher.open(seal(TEXT), place)).toThrow(SecretUnreadableError);
  });

  it('does not open a record with another key', () => {
    expect(() => cipherOf(OTHER_KEY).open(seal(TEXT), PLACE)).toThrow(SecretUnreadableError);
  });

  it('does not open a record with another key, even under the version of that key', () => {
    const other = cipherOf(OTHER_KEY);
    const [, version = ''] = other.seal(new Secret(TEXT), PLACE).split('.');
    const renamed = seal(TEXT).replace(/^v1\.[0-9a-f]+/, `v1.${version}`);
    expect(() => other.open(renamed, PLACE)).toThrow(SecretUnreadableError);
  });

  // In base64, texts of these three lengths have no, one and two padding characters.
  it.each(['12', '123', '1234'])('does not open a record with any character changed (%s)', (text) => {
    const record = seal(text);
    for (let i = 0; i < record.length; i += 1) {
      for (const sign of ['A', 'B', '0', '=', '.', '-', '_', '/', '+', ' ', '\n']) {
        if (record[i] === sign) continue;
        const changed = record.slice(0, i) + sign + record.slice(i + 1);
        expect(() => cipher.open(changed, PLACE)).toThrow(SecretUnreadableError);
      }
    }
  });

  it('does not open a record with a flipped bit', () => {
    const [format = '', version = '', body = ''] = seal(TEXT).split('.');
    const bytes = Buffer.from(body, 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const record = [format, version, flipped.toString('base64')].join('.');
      expect(() => cipher.open(record, PLACE)).toThrow(SecretUnreadableError);
    }
  });

  it('does not open a truncated or extended record', () => {
    const record = seal(TEXT);
    for (let length = 0; length < record.length; length += 1) {
      expect(() => cipher.open(record.slice(0, length), PLACE)).toThrow(SecretUnreadableError);
    }
    for (const tail of ['A', '=', '.', '.AAAA', '\n']) {
      expect(() => cipher.open(record + tail, PLACE)).toThrow(SecretUnreadableError);
    }
  });

  it.each(['', 'v1', 'v1.', 'v1..', '...', 'plain text', 'v2.000000000000.AAAA'])(
    'does not open %j',
    (record) => {
      expect(() => cipher.open(record, PLACE)).toThrow(SecretUnreadableError);
    },
  );

  it('reports the location but not the secret of a record that does not open', () => {
    const damaged = seal(TEXT).slice(0, -4);
    expect(() => cipher.open(damaged, PLACE)).toThrow(
      new Error('The secret notifications.signing_key of row ops cannot be decrypted with the storage key'),
    );
  });

  it.each([0, 16, 31, 33])('refuses a key of %d bytes without revealing it', (size) => {
    const key = Buffer.alloc(size, 3).toString('base64');
    expect(() => cipherOf(new Secret(key))).toThrow(new Error('A storage key must be 32 bytes'));
  });

  it('requires at least one key', () => {
    expect(() => cipherOf()).toThrow(new Error('There is no storage key'));
  });

  it('refuses to seal a value of a column that key rotation would miss', () => {
    expect(() => cipher.seal(new Secret(TEXT), { ...PLACE, column: 'url' })).toThrow(
      new Error('notifications.url is not declared as a sealed column'),
    );
    expect(() => cipher.seal(new Secret(TEXT), { ...PLACE, table: 'signers' })).toThrow(
      new Error('signers.signing_key is not declared as a sealed column'),
    );
  });

  describe('with several keys', () => {
    const THIRD_KEY = new Secret(Buffer.alloc(32, 3).toString('base64'));
    const several = cipherOf(OTHER_KEY, KEY, THIRD_KEY);

    it('seals with the first key', () => {
      const sealed = several.seal(new Secret(TEXT), PLACE);
      expect(cipherOf(OTHER_KEY).open(sealed, PLACE).reveal()).toBe(TEXT);
      expect(() => cipherOf(KEY, THIRD_KEY).open(sealed, PLACE)).toThrow(SecretUnreadableError);
    });

    it.each([KEY, OTHER_KEY, THIRD_KEY])('opens the records of each key (%#)', (key) => {
      expect(several.open(cipherOf(key).seal(new Secret(TEXT), PLACE), PLACE).reveal()).toBe(TEXT);
    });

    it('opens a record only with the key that it names', () => {
      const [, version = ''] = several.seal(new Secret(TEXT), PLACE).split('.');
      const renamed = seal(TEXT).replace(/^v1\.[0-9a-f]+/, `v1.${version}`);
      expect(() => several.open(renamed, PLACE)).toThrow(SecretUnreadableError);
    });

    it('lists the version of each key, with the sealing key first', () => {
      const prefixes = [OTHER_KEY, KEY, THIRD_KEY].map((key) =>
        cipherOf(key).seal(new Secret(TEXT), PLACE).slice(0, RECORD_PREFIX_LENGTH),
      );
      expect(prefixes[0]).toBe(several.newestPrefix(PLACE));
      expect(prefixes.map((prefix) => prefix.split('.')[1])).toEqual(several.keyVersions);
      expect(prefixes[1]).toMatch(/^v1\.[0-9a-f]{12}\.$/);
    });
  });

  describe('in a column that is bound to other columns', () => {
    const COLUMN: SealedColumn = { table: 'signers', column: 'secret', boundTo: ['kind', 'settings'] };
    const VALUES = { kind: 'vault', settings: { url: 'https://vault.example', mount: 'kv' } };
    const bound = new SecretCipher([KEY], [COLUMN]);
    const placeFor = (values: object, row = 'ops') => secretPlace(COLUMN, row, { ...VALUES, ...values });
    const record = bound.seal(new Secret(TEXT), placeFor({}));
    const unbound = new SecretCipher([KEY], [{ table: 'signers', column: 'secret' }]).seal(new Secret(TEXT), {
      table: 'signers',
      column: 'secret',
      row: 'ops',
    });

    it('opens a record with the values it was sealed with, regardless of the order of members', () => {
      expect(record).toMatch(/^v2\.[0-9a-f]{12}\./);
      expect(record.startsWith(bound.newestPrefix(COLUMN))).toBe(true);
      const reordered = { settings: { mount: 'kv', url: 'https://vault.example' } };
      expect(bound.open(record, placeFor(reordered)).reveal()).toBe(TEXT);
    });

    it.each<[string, SecretPlace]>([
      ['another address', placeFor({ settings: { ...VALUES.settings, url: 'https://evil.example' } })],
      ['one setting more', placeFor({ settings: { ...VALUES.settings, namespace: 'x' } })],
      ['another kind', placeFor({ kind: 'local' })],
      ['another row', placeFor({}, 'ops2')],
    ])('does not open a record with %s', (_what, place) => {
      expect(() => bound.open(record, place)).toThrow(SecretUnreadableError);
      expect(() => bound.openForResealing(record, place)).toThrow(SecretUnreadableError);
    });

    it('opens an unbound record only for resealing', () => {
      expect(unbound).toMatch(/^v1\./);
      expect(() => bound.open(unbound, placeFor({}))).toThrow(SecretUnreadableError);
      expect(bound.openForResealing(unbound, placeFor({})).reveal()).toBe(TEXT);
      const renamed = unbound.replace('v1', 'v2');
      expect(() => bound.openForResealing(renamed, placeFor({}))).toThrow(SecretUnreadableError);
    });

    it('requires the bound values', () => {
      const place = { table: 'signers', column: 'secret', row: 'ops' };
      expect(() => bound.seal(new Secret(TEXT), place)).toThrow(
        'is bound to other columns, whose values are missing',
      );
    });
  });
});
