import { QueryFailedError } from 'typeorm';
import {
  isForeignKeyViolation,
  isRetryable,
  isStillReferenced,
  isTimeout,
  isUniqueViolation,
} from './driver-errors';

const driverError = (code: unknown): Error => Object.assign(new Error('driver'), { code });
const wrapped = (code: unknown): Error => new QueryFailedError('INSERT …', [], driverError(code));

const KINDS = { isUniqueViolation, isForeignKeyViolation, isRetryable };

describe('driver errors', () => {
  it.each([
    ['ER_DUP_ENTRY', 'isUniqueViolation'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'isUniqueViolation'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 'isUniqueViolation'],
    ['ER_NO_REFERENCED_ROW_2', 'isForeignKeyViolation'],
    ['ER_NO_REFERENCED_ROW', 'isForeignKeyViolation'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'isForeignKeyViolation'],
    ['ER_LOCK_DEADLOCK', 'isRetryable'],
    ['ER_LOCK_WAIT_TIMEOUT', 'isRetryable'],
    ['ER_LOCK_NOWAIT', 'isRetryable'],
    ['ER_CHECKREAD', 'isRetryable'],
    ['SQLITE_BUSY', 'isRetryable'],
    ['SQLITE_BUSY_SNAPSHOT', 'isRetryable'],
    ['ER_PARSE_ERROR', undefined],
    ['ECONNREFUSED', undefined],
    ['SQLITE_CONSTRAINT', undefined],
    ['', undefined],
  ])('classifies %s as %s, wrapped or not', (code, kind) => {
    for (const [name, is] of Object.entries(KINDS)) {
      expect(is(wrapped(code))).toBe(name === kind);
      expect(is(driverError(code))).toBe(name === kind);
    }
  });

  it.each([
    ['ER_ROW_IS_REFERENCED_2', true],
    ['ER_ROW_IS_REFERENCED', true],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', true],
    ['SQLITE_CONSTRAINT_TRIGGER', true],
    ['ER_NO_REFERENCED_ROW_2', false],
    ['SQLITE_CONSTRAINT_UNIQUE', false],
  ])('classifies %s of a delete as a row that is still referenced: %s', (code, expected) => {
    expect(isStillReferenced(wrapped(code))).toBe(expected);
  });

  it.each([
    ['a statement', wrapped('PROTOCOL_SEQUENCE_TIMEOUT'), true],
    ['a connection', Object.assign(driverError('ETIMEDOUT'), { fatal: true }), true],
    ['a call to another server', driverError('ETIMEDOUT'), false],
    ['a wait for a lock', wrapped('ER_LOCK_WAIT_TIMEOUT'), false],
    ['a connection that was lost', wrapped('PROTOCOL_CONNECTION_LOST'), false],
    ['nothing', undefined, false],
  ])('recognizes whether the time-out of %s is one of the database', (_what, error, expected) => {
    expect(isTimeout(error)).toBe(expected);
  });

  it.each([
    ['no error', undefined],
    ['null', null],
    ['a text', 'ER_DUP_ENTRY'],
    ['an object', { code: 'ER_DUP_ENTRY' }],
    ['an error without a code', new Error('ER_DUP_ENTRY')],
    ['a code that is no text', driverError(1062)],
  ])('classifies %s as none of them', (_what, thrown) => {
    for (const is of Object.values(KINDS)) expect(is(thrown)).toBe(false);
  });
});
