import { validateSync } from 'class-validator';
import {
  hasControlCharacters,
  hasLength,
  isHash32,
  IsIdentifier,
  IsOptionalButNotNull,
  IsText,
} from './fields';

class Fields {
  @IsOptionalButNotNull()
  @IsIdentifier()
  id?: unknown;

  @IsOptionalButNotNull()
  @IsText(1, 8)
  text?: unknown;
}

const faultsOf = (fields: Fields): string[] =>
  validateSync(Object.assign(new Fields(), fields)).flatMap((fault) =>
    Object.values(fault.constraints ?? {}),
  );

describe('IsIdentifier', () => {
  it.each(['a', 'A-b_9', '-', '4d8c3a52-7d3f-4d4f-9d3b-0a3c1c2b7f10', 'x'.repeat(36)])('accepts %s', (id) => {
    expect(faultsOf({ id })).toEqual([]);
  });

  it.each(['', 'x'.repeat(37), 'a b', 'a/b', 'a.b', '../x', 'é', 'a\n', null, 1, [], ['a'], {}])(
    'refuses %j',
    (id) => {
      expect(faultsOf({ id })).toEqual(['id must be 1 to 36 letters, digits, dashes or underscores']);
    },
  );
});

describe('isHash32', () => {
  it.each(['ab'.repeat(32), 'AB'.repeat(32), `0x${'aB'.repeat(32)}`, '00'.repeat(32)])(
    'accepts %s',
    (hash) => {
      expect(isHash32(hash)).toBe(true);
    },
  );

  it.each([
    '',
    '0x',
    'ab'.repeat(31),
    `${'ab'.repeat(32)}a`,
    'ab'.repeat(33),
    `0X${'ab'.repeat(32)}`,
    `0x${'ab'.repeat(31)}`,
    'zz'.repeat(32),
    ` ${'ab'.repeat(32)}`,
    `${'ab'.repeat(32)}\n`,
    null,
    12,
    ['ab'.repeat(32)],
  ])('refuses %j', (hash) => {
    expect(isHash32(hash)).toBe(false);
  });
});

describe('IsText', () => {
  it.each(['a', '12345678', 'é 😀', ' ', '😀'.repeat(8), '👩\u200d💻', 'עברית'])('accepts %j', (text) => {
    expect(faultsOf({ text })).toEqual([]);
  });

  it.each([
    '',
    '123456789',
    '😀'.repeat(9),
    'a\n',
    'a\u0000',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    'a\u202e',
    '\u2066a',
    null,
    1,
    ['a'],
    {},
  ])('refuses %j', (text) => {
    expect(faultsOf({ text })).toEqual([
      'text must be a string of 1 to 8 characters without control characters',
    ]);
  });
});

describe('hasLength', () => {
  it.each([
    ['', 0, 0, true],
    ['😀', 1, 1, true],
    ['😀', 2, 2, false],
    ['e\u0301', 2, 2, true],
    ['a'.repeat(5), 1, 4, false],
    ['😀'.repeat(5), 1, 4, false],
    ['x'.repeat(1_000_000), 1, 4, false],
  ])('checks the length of %j from %d to %d: %s', (text, min, max, fits) => {
    expect(hasLength(text, min, max)).toBe(fits);
  });
});

describe('IsOptionalButNotNull', () => {
  it('accepts an absent field and validates null', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ id: undefined })).toEqual([]);
    expect(faultsOf({ id: null })).toHaveLength(1);
  });
});

describe('hasControlCharacters', () => {
  it.each([
    ['plain text – with marks', false],
    ['tab\there', true],
    ['line\nbreak', true],
    ['\u009f', true],
    ['\u00a0', false],
  ])('checks %j: %s', (text, found) => {
    expect(hasControlCharacters(text)).toBe(found);
  });
});
