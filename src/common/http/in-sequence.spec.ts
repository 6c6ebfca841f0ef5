import type { NextFunction, Request, Response } from 'express';
import { inSequence } from './in-sequence';

describe('inSequence', () => {
  const run = (...handlers: ((next: NextFunction) => void)[]): Promise<unknown> =>
    new Promise((resolve) => {
      const sequence = inSequence(
        handlers.map((handler) => (_request: Request, _response: Response, next: NextFunction) => {
          handler(next);
        }),
      );
      void sequence({} as Request, {} as Response, resolve);
    });

  it('calls each handler after the previous one has called next, even asynchronously', async () => {
    const calls: number[] = [];
    const result = await run(
      (next) => {
        calls.push(1);
        setImmediate(next);
      },
      (next) => {
        calls.push(2);
        next();
      },
    );
    expect([calls, result]).toEqual([[1, 2], undefined]);
  });

  it.each([
    [
      'reports',
      (next: NextFunction): void =>
        void setImmediate(() => {
          next(new Error('no'));
        }),
    ],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    [
      'throws after others have waited',
      (next: NextFunction): void => void setImmediate(next),
      () => {
        throw new Error('no');
      },
    ],
  ])('stops with the error that a handler %s', async (_how, ...handlers) => {
    const after = jest.fn();
    await expect(run(...(handlers as ((next: NextFunction) => void)[]), after)).resolves.toEqual(
      new Error('no'),
    );
    expect(after).not.toHaveBeenCalled();
  });

  it('calls next if there are no handlers', async () => {
    await expect(run()).resolves.toBeUndefined();
  });
});
