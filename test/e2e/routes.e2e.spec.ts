import { isDeepStrictEqual } from 'node:util';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PUBLIC_ROUTE } from '../../src/access/public.decorator';
import { REQUIRED_SCOPES } from '../../src/access/require-scope.decorator';
import type { Scope } from '../../src/access/scopes';
import { openApiDocument } from '../../src/app/openapi/openapi-document';
import { RATE_LIMITED } from '../../src/rate-limits/rate-limited.decorator';
import { TestApplication } from '../support/application';
import { createSqlite } from '../support/databases';
import { ROUTE_SCOPES } from '../support/route-scopes';

interface Route {
  name: string;
  isPublic: boolean;
  isRateLimited: boolean;
  scopes: Scope[] | undefined;
}

/** Every route that the application serves, read from the metadata of its controllers. */
function routesOf(service: TestApplication): Route[] {
  const reflector = service.app.get(Reflector);
  const scanner = new MetadataScanner();
  return service.app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ instance, metatype }) => {
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      const prefix = Reflect.getMetadata(PATH_METADATA, metatype as object) as string;
      return scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name]!;
        const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
        if (path === undefined) return [];
        const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
        const targets = [handler, metatype as new () => unknown];
        return [
          {
            name: `${method} ${`/${prefix}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')}`,
            isPublic: reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, targets),
            isRateLimited: reflector.getAllAndOverride<boolean>(RATE_LIMITED, targets),
            scopes: reflector.getAllAndOverride<Scope[] | undefined>(REQUIRED_SCOPES, targets),
          },
        ];
      });
    });
}

describe('Routes', () => {
  let routes: Route[];
  let paths: OpenAPIObject['paths'];
  let components: OpenAPIObject['components'];

  beforeAll(async () => {
    const database = await createSqlite();
    const service = await TestApplication.start(database);
    routes = routesOf(service);
    ({ paths, components } = openApiDocument(service.app));
    await service.close();
    await database.drop();
  });

  const named = (wanted: (route: Route) => boolean): string[] =>
    routes
      .filter(wanted)
      .map(({ name }) => name)
      .sort();

  it('are public only if they are on this list', () => {
    expect(named(({ isPublic }) => isPublic)).toEqual([
      'GET /api/v1/health',
      'GET /api/v1/ready',
      'GET /debug/metrics/scrape',
      'GET /metrics',
      'GET /metrics/:name',
      'GET /v1/health',
      'GET /v1/ready',
    ]);
  });

  it('require the scopes of ROUTE_SCOPES if they are not public', () => {
    const required = routes.filter(({ isPublic }) => !isPublic).map(({ name, scopes }) => [name, scopes]);
    expect(Object.fromEntries(required)).toEqual(ROUTE_SCOPES);
  });

  it.each(Object.entries(ROUTE_SCOPES))('show the scopes of %s in the OpenAPI document', (route, scopes) => {
    const [method = '', path = ''] = route.split(' ');
    const template = path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const operation = paths[template]?.[method.toLowerCase() as 'get'];
    expect(operation).toMatchObject({ 'x-required-scopes': scopes });
    expect(operation?.description).toContain(
      `Requires the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    );
    const forbidden = operation?.responses[403];
    const shared = { $ref: '#/components/responses/Forbidden' };
    expect(isDeepStrictEqual(forbidden, shared) ? components?.responses?.Forbidden : forbidden).toMatchObject(
      {
        description: expect.stringMatching(/^Forbidden\b/),
      },
    );
  });

  it('require no scope if they are public', () => {
    expect(named(({ isPublic, scopes }) => isPublic && scopes !== undefined)).toEqual([]);
  });

  it('use the allowance for relayers and signing if, and only if, their path contains /relayers', () => {
    expect(named(({ isRateLimited }) => isRateLimited)).toEqual(
      named(({ name }) => name.includes('/relayers')),
    );
  });
});
