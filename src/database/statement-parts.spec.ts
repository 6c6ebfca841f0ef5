import { statementParts } from './statement-parts';

const MEBIBYTE = 1024 * 1024;

describe('statementParts', () => {
  const partsOf = (lengths: readonly number[], limit = 100): number[][] => [
    ...statementParts(lengths, limit, (length) => length),
  ];

  it('puts as many items into each part as fit into one statement', () => {
    expect(partsOf([])).toEqual([]);
    expect(partsOf([1, 2, 3])).toEqual([[1, 2, 3]]);
    expect(partsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    const [one, four, five] = [MEBIBYTE, 4 * MEBIBYTE, 5 * MEBIBYTE];
    expect(partsOf([one, one, one, one, one])).toEqual([[one, one, one, one], [one]]);
    expect(partsOf([one, five, one])).toEqual([[one], [five], [one]]);
    expect(partsOf([four, 0, 1])).toEqual([[four, 0], [1]]);
  });
});
