import { validateSync } from 'class-validator';
import { IsListOf } from './list.rule';
import { describeFaults } from './validation-faults';

class Shopping {
  @IsListOf({
    max: 3,
    isItem: (value) => value === 'eggs' || value === 'milk' || value === 'tea',
    item: 'food',
  })
  items: unknown;

  constructor(items: unknown) {
    this.items = items;
  }
}

describe('IsListOf', () => {
  it.each<[unknown, string]>([
    [['eggs'], ''],
    [['eggs', 'milk', 'tea'], ''],
    [[], 'items must be a list of 1 to 3 items'],
    [['eggs', 'milk', 'tea', 'eggs'], 'items must be a list of 1 to 3 items'],
    [Array.from({ length: 5000 }, () => 'x'), 'items must be a list of 1 to 3 items'],
    ['eggs', 'items must be a list of 1 to 3 items'],
    [{ 0: 'eggs', length: 1 }, 'items must be a list of 1 to 3 items'],
    [['eggs', 'nails'], 'item 2 of items must be food'],
    [[null], 'item 1 of items must be food'],
    [['eggs', 'milk', 'eggs'], 'item 3 of items is in the list already'],
  ])('validates %j', (items, fault) => {
    expect(describeFaults(validateSync(new Shopping(items)))).toBe(fault);
  });
});
