import type { Response } from 'express';
import { sendFailure } from '../common/errors/send-failure';
import { tooManyPending } from './transaction.errors';

describe('The response for too many open transactions', () => {
  it('says when to retry', () => {
    const response = {
      locals: {},
      setHeader: jest.fn(),
      status: jest.fn().mockReturnThis(),
      json: jest.fn(),
    };
    sendFailure(tooManyPending(10_000), response as unknown as Response);
    expect(response.status).toHaveBeenCalledWith(429);
    expect(response.setHeader.mock.calls).toEqual([['Retry-After', 10]]);
  });
});
