import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { Controller, HttpCode, Module, Param, Post, Req, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { Public, RelayerPlugin } from '../../src/public';
import type { TestApplication } from '../support/application';
import { describeService } from '../support/describe-service';
import { type HttpResponse, send } from '../support/http';
import { apiKey } from '../support/keys';
import { RequestSigner } from '../support/signed-requests';

const ORIGIN = 'https://relayer.example.com';
const SETTINGS = {
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  API_KEY: apiKey('bodiless'),
  PUBLIC_URL: ORIGIN,
};
const PLUGIN = '/api/v1/acme-bodiless';
const NOT_JSON = 'the request body is not valid JSON';
const NO_JSON = 'a JSON body with Content-Type: application/json is required';

@Controller('api/v1/acme-bodiless')
class BodilessController {
  calls = 0;

  @Post(':id/run')
  @HttpCode(200)
  run(@Param('id') id: string): object {
    this.calls += 1;
    return { id };
  }

  @Post('upload')
  @HttpCode(200)
  async upload(@Req() request: Request): Promise<object> {
    let bytes = 0;
    for await (const piece of request as AsyncIterable<Buffer>) bytes += piece.length;
    return { bytes };
  }

  @Post('open')
  @Public()
  @HttpCode(200)
  open(): object {
    return {};
  }
}

@RelayerPlugin({ name: 'acme-bodiless', compatibility: '^1' })
@Module({ controllers: [BodilessController] })
class BodilessModule {}

/** The paths of all POST routes whose handler has no body parameter. */
function bodilessPosts(service: TestApplication): string[] {
  const scanner = new MetadataScanner();
  return service.app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ instance, metatype }) => {
      const type = metatype as new () => unknown;
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      const prefix = Reflect.getMetadata(PATH_METADATA, type) as string;
      return scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name]!;
        if (Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.POST) return [];
        const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as object;
        const taking = [RouteParamtypes.BODY, RouteParamtypes.REQUEST].map((kind) => `${kind}:`);
        if (Object.keys(parameters).some((key) => taking.some((kind) => key.startsWith(kind)))) return [];
        const path = `/${prefix}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`;
        return [path.replaceAll(/\/+/g, '/')];
      });
    });
}

const OPTIONS = { settings: SETTINGS, modules: [BodilessModule], onlySqlite: true };

describeService('POST routes without a body', OPTIONS, ({ service }) => {
  const post = (path: string, body?: unknown, headers = {}): Promise<HttpResponse> =>
    service.call({ method: 'POST', path, body, headers });

  /** All of them, with ids that do not exist. */
  const paths = (): string[] => bodilessPosts(service).map((path) => path.replaceAll(/:\w+/g, 'nobody'));

  const expectRefusal = async (
    body: unknown,
    [status, error]: [number, string],
    headers = {},
  ): Promise<void> => {
    for (const path of paths()) {
      const response = await post(path, body, headers);
      expect([path, response.status, response.body.error]).toEqual([path, status, error]);
    }
  };

  it('are these', () => {
    expect(bodilessPosts(service).sort()).toEqual([
      `${PLUGIN}/:id/run`,
      `${PLUGIN}/open`,
      '/api/v1/changes/:change_id/approve',
      '/api/v1/changes/:change_id/reject',
      '/api/v1/notifications/:notification_id/deliveries/:delivery_id/replay',
      '/api/v1/notifications/:notification_id/test',
      '/api/v1/relayers/:relayer_id/nonce/sync',
    ]);
  });

  it.each([
    ['an unknown field', { dry_run: true }, 'dry_run is not a known field'],
    ['two unknown fields', '{"a":1,"b":2}', 'a is not a known field; b is not a known field'],
    ['malformed JSON', '{"dry_run":', NOT_JSON],
    ['a list', [], 'the request body must be a JSON object'],
    ['null', 'null', 'the request body must be a JSON object'],
    ['a repeated field', '{"a":1,"a":2}', 'a is given more than once'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the request body is not valid UTF-8'],
  ])('refuse %s', (_what, body, error) => expectRefusal(body, [400, error]));

  it('refuse a body of another type', () =>
    expectRefusal('dry_run=true', [400, NO_JSON], { 'content-type': 'application/x-www-form-urlencoded' }));

  it('refuse a body that is compressed or too large', async () => {
    const encoding = 'Content-Encoding must be identity: send the body uncompressed';
    await expectRefusal('{}', [415, encoding], { 'content-encoding': 'gzip' });
    const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
    await expectRefusal(large, [413, 'the request body must not exceed 1 MiB']);
  });

  it.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['an empty object', {}],
    ['an empty object with blanks', ' { } '],
  ])('accept %s', async (_what, body) => {
    for (const path of paths()) {
      const { status } = await post(path, body);
      expect([path, status]).toEqual([path, path.startsWith(PLUGIN) ? 200 : 404]);
    }
  });

  it('may read any body from the request if the handler takes the request', async () => {
    const { status, body } = await post(`${PLUGIN}/upload`, 'not JSON');
    expect([status, body.data]).toEqual([200, { bytes: 8 }]);
  });

  it('do nothing if they refuse the body', async () => {
    const controller = service.app.get(BodilessController, { strict: false });
    const before = controller.calls;
    expect((await post(`${PLUGIN}/x/run`, { dry_run: true })).status).toBe(400);
    expect(controller.calls).toBe(before);
    await post(`${PLUGIN}/x/run`, {});
    expect(controller.calls).toBe(before + 1);
  });

  it('do not read the body of a client that has no token', async () => {
    const call = { method: 'POST', path: `${PLUGIN}/x/run`, body: '{"dry_run":' };
    expect((await send(service.url, call)).status).toBe(401);
  });

  it('compare the body with the digest of a signed request first', async () => {
    const signer = new RequestSigner();
    const key = { name: 'Approver', scopes: ['approve'], public_key: signer.pem };
    const keyId = (await service.post('/api/v1/api-keys', key)).body.data.id as string;
    const path = '/api/v1/changes/nobody/approve';
    const signed = (body: unknown) => signer.sign(ORIGIN, keyId, { method: 'POST', path, body });
    const responses = [
      await service.call(await signed(undefined)),
      await service.call(await signed({})),
      await service.call(await signed({ dry_run: true })),
      await service.call({ ...(await signed({})), body: '{"dry_run":' }),
      await service.call({ ...(await signed({})), body: undefined }),
      await service.call({ ...(await signed(undefined)), body: '{}' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 400, 401, 401, 401]);
  });

  it.each(['GET', 'HEAD', 'DELETE'])('differ from %s, whose body has no meaning', async (method) => {
    const response = await service.call({ method, path: '/api/v1/relayers/nobody', body: '{"a":' });
    expect(response.status).toBe(404);
  });
});
