import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';
import { connect } from 'node:net';
import { Controller, Get, Module, type NestApplicationOptions, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { selfSignedCertificate } from '../../../test/support/key-services/self-signed-certificate';
import { PrototypedExpressAdapter, setsPrototypesSlowly } from './prototyped-express.adapter';

@Controller()
class HostController {
  @Get()
  host(@Req() request: Request): string {
    return request.hostname;
  }

  @Get('json')
  json(): object {
    return { text: '2 €', list: [1, null], missing: undefined };
  }
}

@Module({ controllers: [HostController] })
class HostModule {}

describe('PrototypedExpressAdapter', () => {
  let app: NestExpressApplication;

  const start = async (adapter: ExpressAdapter, options: NestApplicationOptions = {}): Promise<number> => {
    app = await NestFactory.create(HostModule, adapter, { logger: false, ...options });
    await app.listen(0, '127.0.0.1');
    return (app.getHttpServer().address() as { port: number }).port;
  };

  const responseOf = (get: typeof getPlain, url: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get(url, { agent: false, rejectUnauthorized: false } as object, (response) => {
        response.on('data', (chunk: Buffer) => {
          resolve(chunk.toString());
        });
      }).on('error', reject);
    });

  /** The number of actual prototype changes during a request. */
  const changesOf = async (adapter: ExpressAdapter): Promise<number> => {
    const url = `http://127.0.0.1:${await start(adapter)}/`;
    await responseOf(getPlain, url);
    const { setPrototypeOf, getPrototypeOf } = Object;
    let changes = 0;
    const spy = jest.spyOn(Object, 'setPrototypeOf').mockImplementation((target, prototype) => {
      if (getPrototypeOf(target) !== prototype) changes += 1;
      return setPrototypeOf(target, prototype) as object;
    });
    try {
      expect(await responseOf(getPlain, url)).toBe('127.0.0.1');
    } finally {
      spy.mockRestore();
      await app.close();
    }
    return changes;
  };

  it.each(['GET', 'HEAD'])('sends the same JSON response as Express to %s', async (method) => {
    const sentBy = async (adapter: ExpressAdapter): Promise<unknown> => {
      const port = await start(adapter);
      app.disable('etag');
      const response = await fetch(`http://127.0.0.1:${port}/json`, { method });
      const headers = [...response.headers].filter(([name]) => name !== 'date');
      const sent = { status: response.status, headers, body: await response.text() };
      await app.close();
      return sent;
    };
    const sent = await sentBy(new PrototypedExpressAdapter());
    expect(sent).toEqual(await sentBy(new ExpressAdapter()));
    expect(sent).toMatchObject({ body: method === 'GET' ? '{"text":"2 €","list":[1,null]}' : '' });
  });

  it('leaves no prototype for Express to change', async () => {
    expect(await changesOf(new PrototypedExpressAdapter({}, true))).toBe(0);
    expect(await changesOf(new ExpressAdapter())).toBeGreaterThan(0);
  });

  it('serves HTTPS as well', async () => {
    const port = await start(new PrototypedExpressAdapter({}, true), {
      httpsOptions: selfSignedCertificate(),
    });
    expect(await responseOf(getSecure, `https://127.0.0.1:${port}/`)).toBe('127.0.0.1');
    await app.close();
  });

  it('closes open connections on shutdown if forceCloseConnections is set', async () => {
    const port = await start(new PrototypedExpressAdapter({}, true), { forceCloseConnections: true });
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => app.getHttpServer().once('connection', resolve));
    await app.close();
    await closed;
  });

  it.each([
    ['20.19.0', true],
    ['22.0.0', false],
    ['24.1.0', false],
  ])('is needed on Node %s: %s', (version, expected) => {
    expect(setsPrototypesSlowly(version)).toBe(expected);
  });
});
