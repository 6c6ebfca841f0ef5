import { Readable } from 'node:stream';
import { Controller, Get, Module, Res, StreamableFile } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { type Answer, send } from '../../../test/support/http';
import { DomainError } from '../errors/domain-error';
import { ExceptionEnvelopeFilter } from '../errors/exception.filter';
import { recordNote, runWithRequest } from '../http/request-context';
import { requestTimeout } from '../http/request-timeout';
import { Page } from '../pagination/page';
import { EnvelopeAdapter } from './envelope.adapter';
import { SkipEnvelope } from './skip-envelope.decorator';

const TIMEOUT_MS = 100;

let finishSlowWork: (error?: Error) => void;
const slowWork = () =>
  new Promise<string>((resolve, reject) => {
    finishSlowWork = (error) => {
      if (error) reject(error);
      else resolve('late');
    };
  });

@Controller()
class AnswersController {
  @Get('object')
  object(): object {
    recordNote('info', 'noted');
    return { a: 1 };
  }

  @Get('nothing')
  nothing(): void {
    // `data` is left out.
  }

  @Get('page')
  page(): Page<number> {
    return new Page([1, 2], 3, 2, 6);
  }

  @Get('plain')
  @SkipEnvelope()
  plain(): number[] {
    return [1];
  }

  @Get('text')
  @SkipEnvelope()
  text(@Res({ passthrough: true }) response: Response): string {
    response.type('text/plain');
    return 'OK';
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['bytes']));
  }

  @Get('failure')
  failure(): never {
    throw new DomainError('unavailable', 'Service Unavailable', 'away');
  }

  @Get('slow')
  slow(): Promise<string> {
    return slowWork();
  }
}

@Module({ controllers: [AnswersController] })
class AnswersModule {}

describe('EnvelopeAdapter', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(AnswersModule, new EnvelopeAdapter(), { logger: false });
    app.use((_request: unknown, _response: unknown, next: () => void) => {
      runWithRequest('id', next);
    });
    app.use(requestTimeout(TIMEOUT_MS));
    app.useGlobalFilters(new ExceptionEnvelopeFilter());
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterAll(() => app.close());

  const get = (path: string): Promise<Answer> => send(url, { path });

  it('answers what a handler returns in the envelope, with what was noted', async () => {
    expect((await get('/object')).body).toEqual({
      success: true,
      data: { a: 1 },
      error: null,
      metadata: { logs: [{ level: 'info', message: 'noted' }], traces: [] },
    });
    expect((await get('/nothing')).body).toEqual({ success: true, error: null });
  });

  it('answers a page with its pagination', async () => {
    expect((await get('/page')).body).toEqual({
      success: true,
      data: [1, 2],
      error: null,
      pagination: { current_page: 3, per_page: 2, total_items: 6 },
    });
  });

  it('sends as they are: results of handlers that skip the envelope, files, failures', async () => {
    expect((await get('/plain')).text).toBe('[1]');
    expect((await get('/text')).text).toBe('OK');
    expect((await get('/file')).text).toBe('bytes');
    expect((await get('/failure')).body).toEqual({
      success: false,
      data: null,
      error: 'away',
      message: 'Service Unavailable',
    });
  });

  it.each([
    ['result', undefined],
    ['failure', new Error('late')],
  ])('answers 503 in time, and nothing more when a late %s comes', async (_what, error) => {
    let connections = 0;
    app.getHttpServer().on('connection', () => (connections += 1));
    await get('/object');
    connections = 0;
    const answer = await get('/slow');
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ error: 'the request took too long', message: 'Service Unavailable' });
    finishSlowWork(error);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await get('/object')).status).toBe(200);
    expect(connections).toBe(0);
  });

  it('has no time-out left for a request that was answered', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      await get('/object');
      await new Promise((resolve) => setImmediate(resolve));
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
