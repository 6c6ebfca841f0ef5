import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { logRequest } from './request-log';

describe('logRequest', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['/api/v1/relayers', 'log'],
    ['/v1/health', 'debug'],
    ['/api/v1/ready', 'debug'],
    ['/metrics', 'debug'],
    ['/metrics/:name', 'debug'],
    ['/debug/metrics/scrape', 'debug'],
  ] as const)('logs requests of %s at the level %s', (route, level) => {
    const lines = (['log', 'debug'] as const).map((each) =>
      jest.spyOn(Logger.prototype, each).mockImplementation(() => undefined),
    );
    const response = { locals: {}, statusCode: 200, writableFinished: true } as unknown as Response;
    logRequest({ method: 'GET' } as Request, response, route, 0.001);
    expect(lines.map(({ mock }) => mock.calls.length)).toEqual(level === 'log' ? [1, 0] : [0, 1]);
  });
});
