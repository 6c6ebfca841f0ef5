import { formatAuditCursor, parseAuditCursor } from './audit-cursor';

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

describe('The cursor of audit events', () => {
  it('is parsed as formatted, up to the last time that databases can store', () => {
    const cursor = { at: new Date(LAST), chain: 1, sequence: 2 };
    expect(parseAuditCursor(formatAuditCursor(cursor))).toEqual(cursor);
  });

  it.each([
    ['missing', undefined],
    ['not a cursor', 'abc'],
    [
      'a time that no database can store',
      formatAuditCursor({ at: new Date(LAST + 1), chain: 1, sequence: 2 }),
    ],
    ['a time beyond the range of JavaScript', Buffer.from('999999999999999:1:1').toString('base64url')],
  ])('is refused if it is %s', (_name, text) => {
    expect(() => parseAuditCursor(text)).toThrow('Bad Request');
  });
});
