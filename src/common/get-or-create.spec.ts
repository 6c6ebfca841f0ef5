import { getOrCreate } from './get-or-create';

describe('getOrCreate', () => {
  it('creates a value once', () => {
    const map = new Map<string, string[]>();
    getOrCreate(map, 'a', () => []).push('first');
    getOrCreate(map, 'a', () => []).push('second');
    expect(map.get('a')).toEqual(['first', 'second']);
  });

  it('keeps a value that is falsy', () => {
    expect(getOrCreate(new Map([['a', 0]]), 'a', () => 1)).toBe(0);
  });
});
