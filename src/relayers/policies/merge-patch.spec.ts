import { mergePatch } from './merge-patch';

describe('mergePatch', () => {
  // The cases of RFC 7396, Appendix A, that have an object on both sides.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('patches %j with %j to %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it.each([
    ['nothing', { a: 1, b: { c: 2 } }, {}, { a: 1, b: { c: 2 } }],
    ['an object by an object', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['a member of a member', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: null } } }, { a: { b: { d: 2 } } }],
    ['false and 0 and ""', { a: 1, b: 1, c: 1 }, { a: false, b: 0, c: '' }, { a: false, b: 0, c: '' }],
    ['a list with null', { a: [1] }, { a: [null] }, { a: [null] }],
    ['a missing member, by null', { a: 1 }, { b: null }, { a: 1 }],
  ])('replaces %s', (_what, target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  it('changes neither of its arguments', () => {
    const target = { a: { b: 1 }, c: [1] };
    const patch = { a: { b: null, d: 2 } };
    mergePatch(target, patch);
    expect(target).toEqual({ a: { b: 1 }, c: [1] });
    expect(patch).toEqual({ a: { b: null, d: 2 } });
  });

  it('does not pollute prototypes', () => {
    const patch = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as Record<string, unknown>;
    const result = mergePatch({}, patch);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});
