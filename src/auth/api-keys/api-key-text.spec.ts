import { createHash } from 'node:crypto';
import { apiKeyIdOf, hashOfApiKey, newApiKeyId, newApiKeyText } from './api-key-text';
import { toBase62 } from './base62';

/** Generated once and never changed: issued keys must remain valid. */
const KEY = 'rk_23456789abcd_7Kq0ZlOI1vW3nYxB8SgR5tUhJcDeFmPaQs2Tz4Ly6M93IvT7S';

describe('The text of API keys', () => {
  const text = newApiKeyText('23456789abcd').reveal();

  it('consists of the prefix, the id, and 49 base-62 digits', () => {
    expect(text).toMatch(/^rk_23456789abcd_[0-9A-Za-z]{49}$/);
    expect(apiKeyIdOf(text)).toBe('23456789abcd');
  });

  it('has a checksum that is stable across versions', () => {
    expect(apiKeyIdOf(KEY)).toBe('23456789abcd');
  });

  it('is different each time', () => {
    const made = Array.from({ length: 1000 }, () => newApiKeyText(newApiKeyId()).reveal());
    expect(new Set(made).size).toBe(1000);
    for (const one of made) expect(apiKeyIdOf(one)).toBe(one.slice(3, 15));
  });

  it.each<[string, (key: string) => string]>([
    ['nothing', () => ''],
    ['the prefix alone', () => 'rk_'],
    ['no prefix', (key) => key.slice(3)],
    ['another prefix', (key) => `sk${key.slice(2)}`],
    ['a prefix of another case', (key) => `RK${key.slice(2)}`],
    ['one digit less', (key) => key.slice(0, -1)],
    ['its first half', (key) => key.slice(0, 32)],
    ['one digit more', (key) => `${key}0`],
    ['another case', (key) => key.toUpperCase()],
    ['the case of each letter swapped', swapCase],
    ['two digits swapped', (key) => key.slice(0, 16) + key[17]! + key[16]! + key.slice(18)],
    ['an id with a letter that looks like a digit', (key) => key.replace('2345', 'l34o')],
    ['another id', (key) => key.replace('2345', '2346')],
    ['a space at its end', (key) => `${key} `],
    ['a line break at its end', (key) => `${key}\n`],
    ['a Cyrillic letter', (key) => `${key.slice(0, -1)}\u0430`],
    ['1 MB', (key) => key + 'x'.repeat(1_000_000)],
    ['1 MB of underscores', () => '_'.repeat(1_000_000)],
  ])('is invalid: %s', (_what, change) => {
    // Swapping two equal digits does not change the key.
    const key = text[16] === text[17] ? KEY : text;
    expect(apiKeyIdOf(change(key))).toBeUndefined();
  });

  it('is invalid with any single digit replaced by a similar one', () => {
    const alike: Record<string, string> = {
      '0': 'O',
      O: '0',
      '1': 'l',
      l: 'I',
      I: '1',
      '5': 'S',
      S: '5',
      B: '8',
    };
    const changed = Array.from(
      text,
      (digit, i) => text.slice(0, i) + (alike[digit] ?? '') + text.slice(i + 1),
    );
    for (const one of changed.filter((other) => other.length === text.length && other !== text))
      expect(apiKeyIdOf(one)).toBeUndefined();
  });

  it('is hashed with SHA-256', () => {
    expect(hashOfApiKey(text)).toBe(createHash('sha256').update(text, 'ascii').digest('hex'));
  });
});

describe('toBase62', () => {
  it.each([
    [0n, '00000'],
    [61n, '0000z'],
    [62n, '00010'],
    [62n ** 5n - 1n, 'zzzzz'],
  ])('writes %d with leading zeros', (value, expected) => {
    expect(toBase62(value, 5)).toBe(expected);
  });

  it('has room for 256 bits and for a CRC-32', () => {
    expect(toBase62(2n ** 256n - 1n, 43)).toHaveLength(43);
    expect(62n ** 43n).toBeGreaterThan(2n ** 256n);
    expect(62n ** 6n).toBeGreaterThan(2n ** 32n);
  });
});

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
