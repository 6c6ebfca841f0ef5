import { Readable } from 'node:stream';
import {
  Catch,
  Controller,
  Get,
  Logger,
  Module,
  NotFoundException,
  Redirect,
  Req,
  Res,
  StreamableFile,
  UseFilters,
} from '@nestjs/common';
import { APP_INTERCEPTOR, BaseExceptionFilter, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { type HttpResponse, send } from '../../../test/support/http';
import { DomainError } from '../errors/domain-error';
import { sendFailure } from '../errors/send-failure';
import { recordWarning, runWithRequest } from '../http/request-context';
import { requestTimeout } from '../http/request-timeout';
import { Page } from '../pagination/page';
import { PrototypedExpressAdapter } from '../http/prototyped-express.adapter';
import { BodyBudget } from '../http/body/body-budget';
import { EnvelopeInterceptor } from './envelope.interceptor';
import { SkipEnvelope } from './skip-envelope.decorator';

const TIMEOUT_MS = 100;

let finishSlowWork: (result: unknown) => void;
/** Settles with the result that the test provides; an Error rejects. */
const slowWork = async (): Promise<unknown> => {
  const result = await new Promise((resolve) => {
    finishSlowWork = resolve;
  });
  if (result instanceof Error) throw result;
  return result;
};

@Catch(NotFoundException)
class TeamFilter extends BaseExceptionFilter {}

@Controller('marked')
@SkipEnvelope()
class MarkedController {
  @Get('twice')
  @SkipEnvelope()
  twice(): number[] {
    return [1];
  }
}

@Controller()
class ResultsController {
  @Get('object')
  object(): object {
    recordWarning('noted');
    return { a: 1 };
  }

  @Get('nothing')
  nothing(): void {
    // `data` is null.
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

  @Get('team-failure')
  @UseFilters(TeamFilter)
  teamFailure(): never {
    throw new NotFoundException('team says no');
  }

  @Get('begun')
  @SkipEnvelope()
  begun(@Res({ passthrough: true }) response: Response): StreamableFile {
    response.type('text/plain').flushHeaders();
    return new StreamableFile(Readable.from(['bytes']));
  }

  @Get('redirect')
  @SkipEnvelope()
  @Redirect('/default')
  redirect(): object {
    return { url: '/dynamic', statusCode: 307 };
  }

  @Get('slow/:id')
  async slow(@Req() request: Request): Promise<unknown> {
    const result = await slowWork();
    seenIds.push(request.params.id);
    return result;
  }
}

const seenIds: unknown[] = [];

@Module({
  controllers: [ResultsController, MarkedController],
  providers: [
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: BodyBudget, useValue: { hold: () => undefined } },
  ],
})
class ResultsModule {}

describe('EnvelopeInterceptor', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(ResultsModule, new PrototypedExpressAdapter(), { logger: false });
    app.use((_request: unknown, _response: unknown, next: () => void) => {
      runWithRequest('id', next);
    });
    app.use(requestTimeout(TIMEOUT_MS));
    app.use('/slow-middleware', (_request: Request, _response: Response, next: NextFunction) => {
      void slowWork().then(() => {
        next();
      }, next);
    });
    app.useGlobalFilters({
      catch: (thrown, host) => sendFailure(thrown, host.switchToHttp().getResponse()),
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterAll(() => app.close());

  const get = (path: string): Promise<HttpResponse> => send(url, { path });

  it('wraps the result of a handler and the recorded notes in the envelope', async () => {
    expect((await get('/object')).body).toEqual({
      success: true,
      data: { a: 1 },
      error: null,
      metadata: { logs: [{ level: 'warn', message: 'noted' }], traces: [] },
    });
    expect((await get('/nothing')).body).toEqual({ success: true, data: null, error: null });
  });

  it('wraps a page together with its pagination', async () => {
    expect((await get('/page')).body).toEqual({
      success: true,
      data: [1, 2],
      error: null,
      pagination: { current_page: 3, per_page: 2, total_items: 6 },
    });
  });

  it('sends results of handlers with @SkipEnvelope, files and failures unchanged', async () => {
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

  it('sends a file after early headers, the result of a doubly marked handler and a redirect unchanged', async () => {
    expect((await get('/begun')).text).toBe('bytes');
    expect((await get('/marked/twice')).text).toBe('[1]');
    const { status, headers } = await get('/redirect');
    expect([status, headers.location]).toEqual([307, '/dynamic']);
  });

  it('leaves the body of a custom exception filter unchanged', async () => {
    const response = await get('/team-failure');
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'team says no', error: 'Not Found', statusCode: 404 });
  });

  describe('when the request takes too long', () => {
    let connections: number;
    let logged: jest.SpyInstance[];

    beforeEach(async () => {
      app.getHttpServer().on('connection', () => (connections += 1));
      await get('/object');
      connections = 0;
      logged = (['warn', 'error'] as const).map((level) =>
        jest.spyOn(Logger.prototype, level).mockReturnValue(),
      );
    });

    afterEach(async () => {
      // The connection remains usable.
      expect((await get('/object')).status).toBe(200);
      expect(connections).toBe(0);
      jest.restoreAllMocks();
    });

    /**
     * Sends a request, gets a 503, and then lets the work finish with `result`. Returns how often something was logged
     * after the 503.
     */
    const finishLate = async (path: string, result: unknown): Promise<number> => {
      const response = await get(path);
      expect(response.status).toBe(503);
      expect(response.body).toMatchObject({
        error: 'the request took too long',
        message: 'Service Unavailable',
      });
      for (const spy of logged) spy.mockClear();
      finishSlowWork(result);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return logged.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    };

    it('responds with 503 and discards a late result', async () => {
      expect(await finishLate('/slow/7', 'late')).toBe(0);
      expect(seenIds.at(-1)).toBe('7');
    });

    it('destroys the stream of a late file', async () => {
      const stream = Readable.from(['bytes']);
      expect(await finishLate('/slow/7', new StreamableFile(stream))).toBe(0);
      expect(stream.destroyed).toBe(true);
    });

    it.each(['/slow/7', '/slow-middleware'])('logs a late failure: %s', async (path) => {
      expect(await finishLate(path, new Error('late'))).toBe(1);
    });
  });

  it('leaves no timer behind after the response', async () => {
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
