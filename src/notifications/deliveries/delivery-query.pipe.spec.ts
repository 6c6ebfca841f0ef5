import { formatCursor } from '../../common/pagination/list-cursor';
import { DeliveryQueryPipe } from './delivery-query.pipe';

const ID = '0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11';
const encoded = (text: string): string => Buffer.from(text).toString('base64url');

describe('DeliveryQueryPipe', () => {
  const pipe = new DeliveryQueryPipe();

  it.each([
    [{}, { per_page: 10 }],
    [{ per_page: '0' }, { per_page: 0 }],
    [{ per_page: '1000', page: '1' }, { per_page: 1000 }],
    [{ page: '0' }, { per_page: 10 }],
    [
      { state: 'dead', event: 'test' },
      { per_page: 10, state: 'dead', event: 'test' },
    ],
    [
      { since: '1970-01-01T00:00:01Z', until: '1970-01-01T00:00:00+00:00' },
      { per_page: 10, since: new Date(1000), until: new Date(0) },
    ],
    [{ cursor: encoded(`17:${ID}`) }, { per_page: 10, cursor: { createdAt: new Date(17), id: ID } }],
  ])('reads %j', (query, read) => {
    expect(pipe.transform(query)).toEqual(read);
  });

  it('starts at the first page when the cursor is empty', () => {
    expect(pipe.transform({ cursor: '' })).toEqual({ per_page: 10 });
  });

  it('reads the cursor of a response', () => {
    const cursor = { createdAt: new Date('2026-01-31T12:00:00.123Z'), id: ID };
    expect(pipe.transform({ cursor: formatCursor(cursor) })).toEqual({ per_page: 10, cursor });
  });

  const BAD: Record<string, unknown[]> = {
    state: ['', 'DEAD', 'failed', ['dead'], null],
    event: ['', 'all', ['test'], {}],
    since: ['', '2026', ['1970-01-01T00:00:01Z']],
    until: ['', '2026', ['1970-01-01T00:00:01Z']],
    per_page: ['', '1001', '-1', '1.0', '1e2', ' 1', ['1'], 1],
    page: ['', '2', '-1', '1.0', 'abc', ['1'], ['1', '2'], {}, null, 1],
    cursor: [
      'x',
      encoded('17'),
      encoded(`17:`),
      encoded(`-17:${ID}`),
      encoded(`017:${ID}`),
      encoded(`9999999999999999:${ID}`),
      encoded(`17:${ID}0`),
      encoded('17:a b'),
      `${encoded(`17:${ID}`)}=`,
      [encoded(`17:${ID}`)],
    ],
  };

  it.each(Object.entries(BAD).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    'refuses %s=%j',
    (name, value) => {
      expect(() => pipe.transform({ [name]: value })).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          detail: expect.stringMatching(new RegExp(`^${name} must `)),
        }),
      );
    },
  );
});
