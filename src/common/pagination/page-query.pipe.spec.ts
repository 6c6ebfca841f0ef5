import { PageQueryPipe } from './page-query.pipe';

describe('PageQueryPipe', () => {
  const pipe = new PageQueryPipe();

  it.each([
    [{}, { page: 1, per_page: 10 }],
    [{ page: '3' }, { page: 3, per_page: 10 }],
    [{ per_page: '25' }, { page: 1, per_page: 25 }],
    [{ page: '0' }, { page: 1, per_page: 10 }],
    [
      { page: '1', per_page: '0' },
      { page: 1, per_page: 0 },
    ],
    [
      { page: '05', per_page: '05' },
      { page: 5, per_page: 5 },
    ],
    [{ per_page: '1000' }, { page: 1, per_page: 1000 }],
    [{ page: '9007199254740991' }, { page: 9007199254740991, per_page: 10 }],
    [
      { page: '2', per_page: '5', sort: 'name', 'page[]': 'x' },
      { page: 2, per_page: 5 },
    ],
  ])('parses %j as %j', (query, page) => {
    expect(pipe.transform(query)).toEqual(page);
  });

  const MALFORMED: unknown[] = [
    '',
    ' ',
    ' 1',
    '1 ',
    '1.5',
    '1.0',
    '1e3',
    '-1',
    '+1',
    '-0',
    '0x10',
    'abc',
    'null',
    'NaN',
    'Infinity',
    '１',
    '1,2',
    '9007199254740992',
    '1000000000000000000000000000000',
    ['1', '2'],
    ['1'],
    [],
    { a: '1' },
    null,
    1,
  ];

  it.each(['page', 'per_page'].flatMap((name) => MALFORMED.map((value) => [name, value])))(
    'refuses %s=%j',
    (name, value) => {
      expect(() => pipe.transform({ [name as string]: value })).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: 'Bad Request',
          detail: `${name as string} must be given once, as an integer from 0 to ${name === 'page' ? '9007199254740991' : '1000'}`,
        }),
      );
    },
  );

  it.each(['1001', '9007199254740991'])('refuses per_page=%s', (per_page) => {
    expect(() => pipe.transform({ per_page })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: 'per_page must be given once, as an integer from 0 to 1000',
      }),
    );
  });

  it('parses a cursor, which is empty for the start of a list', () => {
    expect(pipe.transform({ cursor: '' })).toEqual({ page: 1, per_page: 10, cursor: null });
    expect(pipe.transform({ cursor: 'MTpkZW1v', per_page: '5' })).toEqual({
      page: 1,
      per_page: 5,
      cursor: { createdAt: new Date(1), id: 'demo' },
    });
  });

  it('refuses page together with cursor', () => {
    expect(() => pipe.transform({ cursor: '', page: '1' })).toThrow(
      expect.objectContaining({ detail: 'page and cursor must not be given together' }),
    );
  });
});
