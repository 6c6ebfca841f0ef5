import type { Response } from 'express';
import { sendFailure } from './send-failure';

const responseThat = (state: { headersSent: boolean; writableEnded: boolean }) => {
  const response = { ...state, locals: {}, destroy: jest.fn() };
  return response as unknown as Response & { destroy: jest.Mock };
};

describe('sendFailure', () => {
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
});
