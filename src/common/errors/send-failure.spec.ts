import type { Response } from 'express';
import { sendFailure } from './send-failure';

const responseThat = (state: { headersSent: boolean; writableEnded: boolean }) => {
  const response = { ...state, locals: {}, destroy: jest.fn() };
  return response as unknown as Response & { destroy: jest.Mock };
};

describe('sendFailure', () => {
  it('cuts off a response that has begun', () => {
    const response = responseThat({ headersSent: true, writableEnded: false });
    sendFailure(new Error('no'), response);
    expect(response.destroy).toHaveBeenCalledTimes(1);
    expect(response.locals).toEqual({ errorCode: 'internal_error' });
  });

  it('leaves a response that has ended alone, as it may still be in transit', () => {
    const response = responseThat({ headersSent: true, writableEnded: true });
    sendFailure(new Error('no'), response);
    expect(response.destroy).not.toHaveBeenCalled();
    expect(response.locals).toEqual({});
  });
});
