import { setNewest } from './set-newest';

describe('setNewest', () => {
  it('drops the entry that was set longest ago', () => {
    const map = new Map<string, number>();
    setNewest(map, 'a', 1, 2);
    setNewest(map, 'b', 2, 2);
    setNewest(map, 'a', 3, 2);
    expect([...map]).toEqual([['b', 2], ['a', 3]]); // prettier-ignore
    setNewest(map, 'c', 4, 2);
    expect([...map]).toEqual([['a', 3], ['c', 4]]); // prettier-ignore
  });
});
