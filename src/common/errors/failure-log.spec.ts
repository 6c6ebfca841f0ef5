import { Logger } from '@nestjs/common';
import { DomainError } from './domain-error';
import { logFailure } from './failure-log';

describe('logFailure', () => {
  /** @returns what the log contains of the cause of a failure for which the service is responsible */
  const logged = (cause?: unknown): unknown => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    logFailure(new DomainError('internal_error', 'Internal Server Error', 'a failure', { cause }));
    const [[text, fields] = []] = error.mock.calls as unknown as [string, { error?: unknown }][];
    error.mockRestore();
    expect(text).toBe('a failure');
    return fields?.error;
  };

  it('logs name, text and stack of an error', () => {
    expect(logged(new TypeError('no function'))).toEqual({
      name: 'TypeError',
      text: 'no function',
      code: undefined,
      stack: expect.stringContaining('failure-log.spec') as string,
    });
  });

  it('logs the error of a timeout, which is a DOMException and no native error', () => {
    const error = Object.create(Error.prototype) as Error;
    const fields = { name: 'TimeoutError', message: 'took too long' };
    expect(logged(Object.assign(error, fields))).toMatchObject({
      name: 'TimeoutError',
      text: 'took too long',
    });
  });

  it('logs the texts of the causes of the cause, shortened', () => {
    const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    const page = new Error(`${'x'.repeat(300)}\na token`, { cause: refused });
    expect(logged(new Error('fetch failed', { cause: page }))).toMatchObject({
      causes: ['x'.repeat(200), 'ECONNREFUSED'],
    });
  });

  it('logs at most three of them, even if an error causes itself', () => {
    const error = new Error('circular');
    error.cause = error;
    expect(logged(error)).toMatchObject({ causes: ['circular', 'circular', 'circular'] });
  });

  it.each([
    ['a text', { name: 'string', text: 'a text' }],
    [5, { name: 'number' }],
    [null, { name: 'object' }],
    [undefined, undefined],
  ])('logs of %j, which is not an error, %j', (cause, expected) => {
    expect(logged(cause)).toEqual(expected);
  });
});
