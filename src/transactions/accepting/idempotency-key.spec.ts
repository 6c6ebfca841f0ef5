import { digestOf, itemKey, readIdempotencyKey } from './idempotency-key';

describe('Idempotency-Key', () => {
  it.each(['a', '!~', 'x'.repeat(255)])('may be %j', (key) => {
    expect(readIdempotencyKey(key)).toBe(key);
  });

  it('may be absent', () => {
    expect(readIdempotencyKey(undefined)).toBeUndefined();
  });

  it('is distinct for each item of a batch, and fits its column', () => {
    expect([itemKey(undefined, 0), itemKey('a', 0), itemKey('a', 99)]).toEqual([null, 'a#0', 'a#99']);
    const long = ['x', 'y'].flatMap((end) => [0, 9, 10].map((i) => itemKey('k'.repeat(254) + end, i)!));
    expect(new Set(long).size).toBe(6);
    for (const key of long) expect(key).toMatch(/^[0-9a-f]{64}#\d+$/);
    expect(itemKey('k'.repeat(253), 9)).toHaveLength(255);
  });

  it.each(['', ' ', 'a b', 'a\tb', 'ä', 'x'.repeat(256)])('may not be %j', (key) => {
    expect(() => readIdempotencyKey(key)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

describe('digestOf', () => {
  it('does not depend on the order of members', () => {
    expect(digestOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(digestOf({ b: { d: null, c: [1, 2] }, a: 1 }));
  });

  it.each([[{ a: '1' }], [{ a: 2 }], [{ a: 1, b: null }], [{ a: [1] }]])('differs for %j', (body) => {
    expect(digestOf(body)).not.toBe(digestOf({ a: 1 }));
  });
});
