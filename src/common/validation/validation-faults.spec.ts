import type { ValidationError } from 'class-validator';
import { describeFaults, listFaults } from './validation-faults';

function fault(property: string, constraints: Record<string, string>, children: ValidationError[] = []) {
  return { property, constraints, children } as ValidationError;
}

describe('describeFaults', () => {
  it.each([
    ['a field', [fault('url', { isUrl: 'url must be a URL' })], 'url must be a URL'],
    [
      'an unknown field',
      [fault('colour', { whitelistValidation: 'property colour should not exist' })],
      'colour is not a known field',
    ],
    [
      'a field of an item of a list',
      [
        fault('urls', {}, [
          fault('1', {}, [fault('weight', { max: 'weight must not be greater than 100' })]),
        ]),
      ],
      'urls[1].weight must not be greater than 100',
    ],
    [
      'a field of an object',
      [fault('swap', {}, [fault('amount', { isInt: 'amount must be an integer number' })])],
      'swap.amount must be an integer number',
    ],
    [
      'a text with the field name in the middle',
      [fault('swap', {}, [fault('mints', { isText: 'each value in mints must be text' })])],
      'each value in swap.mints must be text',
    ],
    ['a text without the field name', [fault('type', { custom: 'must be webhook' })], 'type must be webhook'],
    [
      'several faults',
      [fault('a', { x: 'a is wrong' }), fault('b', { x: 'b is wrong', y: 'b is long' })],
      'a is wrong; b is wrong; b is long',
    ],
    ['none', [], ''],
  ])('describes %s', (_what, errors, text) => {
    expect(describeFaults(errors)).toBe(text);
  });

  it('puts the prefix before every path', () => {
    const errors = [
      fault('min_balance', { isInt: 'min_balance must be an integer' }),
      fault('x', { whitelistValidation: 'property x should not exist' }),
    ];
    expect(listFaults(errors, 'policies')).toEqual([
      'policies.min_balance must be an integer',
      'policies.x is not a known field',
    ]);
  });

  it('lists ten faults and counts the rest', () => {
    const errors = Array.from({ length: 12 }, (_, i) => fault(`f${i}`, { x: `f${i} is wrong` }));
    const text = describeFaults(errors);
    expect(text).toContain('f9 is wrong; and 2 more');
    expect(text).not.toContain('f10');
    expect(listFaults(errors)).toHaveLength(12);
  });

  it('truncates a long name', () => {
    const name = 'n'.repeat(1000);
    expect(describeFaults([fault(name, { whitelistValidation: `property ${name} should not exist` })])).toBe(
      `${'n'.repeat(64)} is not a known field`,
    );
  });
});
