import { DomainError } from './domain-error';

describe('DomainError', () => {
  it('has its message as detail if it has no other', () => {
    expect(new DomainError('conflict', 'Conflict')).toMatchObject({ code: 'conflict', detail: 'Conflict' });
    expect(new DomainError('conflict', 'Conflict', 'it is late')).toMatchObject({ detail: 'it is late' });
  });

  it.each(['nope', 'toString', undefined])('names a code that does not exist: %s', (code) => {
    expect(() => new DomainError(code as never, 'x')).toThrow(new Error(`There is no error code ${code}`));
  });
});
