import { databaseAdvice, readableCode } from './database-advice';

const WRITABLE = 'Let the user of the service read and write the file and its folder.';
const UNKNOWN = 'The log of a start has the whole cause.';

describe('databaseAdvice', () => {
  it.each([
    ['SQLITE_CANTOPEN', WRITABLE],
    ['SQLITE_READONLY', WRITABLE],
    // SQLITE_READONLY_DIRECTORY
    ['UNKNOWN_SQLITE_ERROR_1544', WRITABLE],
    // SQLITE_READONLY_DBMOVED
    ['UNKNOWN_SQLITE_ERROR_1032', WRITABLE],
    // SQLITE_IOERR_READ
    ['UNKNOWN_SQLITE_ERROR_266', 'The disk cannot be read or written: check its space and its health.'],
    ['SQLITE_FULL', 'The disk is full: free or add space.'],
    ['SQLITE_BUSY', 'Another process keeps the file locked: end it, or try again.'],
    ['ER_PARSE_ERROR', UNKNOWN],
    ['', UNKNOWN],
  ])('of %s is: %s', (code, advice) => {
    expect(databaseAdvice(code)).toBe(advice);
  });

  it('says what to do about servers that are overloaded', () => {
    expect(databaseAdvice('ER_CON_COUNT_ERROR')).toContain('raise max_connections');
    expect(databaseAdvice('PROTOCOL_SEQUENCE_TIMEOUT')).toContain('does not respond');
  });
});

describe('readableCode', () => {
  it.each([
    ['UNKNOWN_SQLITE_ERROR_1544', 'SQLITE_READONLY'],
    ['UNKNOWN_SQLITE_ERROR_266', 'SQLITE_IOERR'],
    ['UNKNOWN_SQLITE_ERROR_255', 'UNKNOWN_SQLITE_ERROR_255'],
    ['ECONNREFUSED', 'ECONNREFUSED'],
  ])('of %s is %s', (code, readable) => {
    expect(readableCode(code)).toBe(readable);
  });
});
