import { Logger, UnauthorizedException } from '@nestjs/common';
import type { Response } from 'express';
import { sendFailure } from './send-failure';

const responseThat = (state: { headersSent: boolean; writableEnded: boolean }) => {
  const response = { ...state, locals: {}, destroy: jest.fn() };
  return response as unknown as Response & { destroy: jest.Mock };
};

describe('sendFailure', () => {
  it.each([
    ['Bearer', undefined],
    ['DPoP', 'DPoP'],
  ])('names the scheme %s with 401', (scheme, own) => {
    const headers = new Map<string, string>();
    if (own !== undefined) headers.set('WWW-Authenticate', own);
    const response = {
      ...{ headersSent: false, writableEnded: false, locals: {}, json: jest.fn() },
      hasHeader: (name: string) => headers.has(name),
      setHeader: (name: string, value: string) => headers.set(name, value),
      status: () => response,
    };
    sendFailure(new UnauthorizedException('second factor'), response as unknown as Response);
    expect(headers.get('WWW-Authenticate')).toBe(scheme);
  });

  it('destroys a response whose headers have been sent', () => {
    const response = responseThat({ headersSent: true, writableEnded: false });
    sendFailure(new Error('no'), response);
    expect(response.destroy).toHaveBeenCalledTimes(1);
    expect(response.locals).toEqual({ errorCode: 'internal_error' });
  });

  it('leaves an ended response alone, as it may still be in transit', () => {
    const response = responseThat({ headersSent: true, writableEnded: true });
    sendFailure(new Error('no'), response);
    expect(response.destroy).not.toHaveBeenCalled();
    expect(response.locals).toEqual({});
  });

  it.each([
    ['ECONNREFUSED', false],
    ['PROTOCOL_CONNECTION_LOST', false],
    ['SQLITE_FULL', false],
    ['ER_PARSE_ERROR', true],
    [undefined, true],
  ])('logs the cause, without a stack if the database is away: %s', (code, hasStack) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const thrown = Object.assign(new Error('no'), code !== undefined && { code });
    sendFailure(thrown, responseThat({ headersSent: true, writableEnded: true }));
    const { error } = logged.mock.calls[0]?.[1] as { error: object };
    expect(error).toEqual({ name: 'Error', text: 'no', code, ...(hasStack && { stack: thrown.stack }) });
    expect('stack' in error).toBe(hasStack);
    logged.mockRestore();
  });
});
