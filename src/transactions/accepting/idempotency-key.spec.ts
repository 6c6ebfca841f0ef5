import { createHash } from 'node:crypto';
import { digestOf, itemKey, readIdempotencyKey, singleKey } from './idempotency-key';

describe('Idempotency-Key', () => {
  it.each(['a', '!~', 'x'.repeat(255)])('may be %j', (key) => {
    expect(readIdempotencyKey(key)).toBe(key);
  });

  it('may be absent', () => {
    expect(readIdempotencyKey(undefined)).toBeUndefined();
  });

  it('has a form of its own for each item of a batch, and that of earlier versions', () => {
    expect([itemKey('a', 0), itemKey('a', 99), itemKey(undefined, 0)]).toEqual([
      { idempotencyKey: 'a #0', earlierKey: 'a#0' },
      { idempotencyKey: 'a #99', earlierKey: 'a#99' },
      { idempotencyKey: null, earlierKey: null },
    ]);
  });

  it('is stored as it is for a single request, unless earlier versions could have stored it for an item', () => {
    expect([singleKey('a'), singleKey('a#0'), singleKey('a#0x'), singleKey(undefined)]).toEqual([
      { idempotencyKey: 'a', earlierKey: null },
      { idempotencyKey: 'a# 0', earlierKey: 'a#0' },
      { idempotencyKey: 'a#0x', earlierKey: null },
      { idempotencyKey: null, earlierKey: null },
    ]);
  });

  it('is stored in distinct forms that fit the column', () => {
    const keys = ['order', 'order#', 'order#0', 'order#00', 'order#0#0', 'single', 'batch', '0', '#0'];
    const long = ['x', 'y', '#0', '#1'].flatMap((end) =>
      [250, 251, 252, 253].map((length) => 'k'.repeat(length) + end),
    );
    const stored = [...keys, ...long].flatMap((key) => [
      singleKey(key).idempotencyKey!,
      ...[0, 9, 10].map((i) => itemKey(key, i).idempotencyKey!),
    ]);
    expect(new Set(stored).size).toBe(stored.length);
    for (const key of stored) expect(key.length).toBeLessThanOrEqual(255);
  });

  it('finds items with long keys in the form of earlier versions', () => {
    const hash = createHash('sha256').update('k'.repeat(254)).digest('hex');
    expect(itemKey('k'.repeat(254), 3).earlierKey).toBe(`${hash}#3`);
    expect(itemKey('k'.repeat(253), 3).earlierKey).toBe(`${'k'.repeat(253)}#3`);
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
