import { canonicalJson } from './canonical-json';

describe('canonicalJson', () => {
  it('does not depend on the order of members at any depth', () => {
    const text = '{"a":{"b":[{"x":1,"y":2}],"c":null},"ä":"1"}';
    expect(canonicalJson({ ä: '1', a: { c: null, b: [{ y: 2, x: 1 }] } })).toBe(text);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  it('omits undefined members, as JSON does', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    [null, ''],
    [null, 'null'],
    [1, '1'],
    [true, 'true'],
    [true, 1],
    [[], {}],
    [['a', 'b'], ['a,b']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [{ a: 1 }, { 'a":1,"b': 1 }],
    [{ a: {} }, { a: [] }],
    [{}, { a: null }],
  ])('distinguishes %j from %j', (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it('writes a date as its Unix time in milliseconds', () => {
    expect(canonicalJson(new Date('1970-01-01T00:00:01.234Z'))).toBe('1234');
  });
});
