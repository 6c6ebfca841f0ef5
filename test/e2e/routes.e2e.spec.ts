import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PUBLIC_ROUTE } from '../../src/access/public.decorator';
import { REQUIRED_SCOPES } from '../../src/access/require-scope.decorator';
import type { Scope } from '../../src/access/scopes';
import { RATE_LIMITED } from '../../src/rate-limits/rate-limited.decorator';
import { TestApplication } from '../support/application';
import { createSqlite } from '../support/databases';

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

  beforeAll(async () => {
    const database = await createSqlite();
    const service = await TestApplication.start(database);
    routes = routesOf(service);
    await service.close();
    await database.drop();
  });

  const named = (wanted: (route: Route) => boolean): string[] =>
    routes
      .filter(wanted)
      .map(({ name }) => name)
      .sort();

  it('are public only where this list says so', () => {
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

  it('require the scopes of this table everywhere else', () => {
    const required = routes.filter(({ isPublic }) => !isPublic).map(({ name, scopes }) => [name, scopes]);
    expect(Object.fromEntries(required)).toEqual({
      'DELETE /api/v1/api-keys/:key_id': ['api-keys:manage'],
      'DELETE /api/v1/networks/:network_id': ['networks:write'],
      'DELETE /api/v1/notifications/:notification_id': ['notifications:write'],
      'DELETE /api/v1/relayers/:relayer_id': ['relayers:write'],
      'DELETE /api/v1/relayers/:relayer_id/transactions/:transaction_id': ['transactions:write'],
      'DELETE /api/v1/relayers/:relayer_id/transactions/pending': ['transactions:write'],
      'DELETE /api/v1/signers/:signer_id': ['signers:write'],
      'GET /api/v1/api-keys': ['api-keys:manage'],
      'GET /api/v1/api-keys/:key_id': ['api-keys:manage'],
      'GET /api/v1/changes': ['approve'],
      'GET /api/v1/changes/:change_id': ['approve'],
      'GET /api/v1/networks': ['networks:read'],
      'GET /api/v1/networks/:network_id': ['networks:read'],
      'GET /api/v1/notifications': ['notifications:read'],
      'GET /api/v1/notifications/:notification_id': ['notifications:read'],
      'GET /api/v1/notifications/:notification_id/deliveries': ['notifications:read'],
      'GET /api/v1/notifications/:notification_id/deliveries/:delivery_id': ['notifications:read'],
      'GET /api/v1/relayers': ['relayers:read'],
      'GET /api/v1/relayers/:relayer_id': ['relayers:read'],
      'GET /api/v1/relayers/:relayer_id/balance': ['relayers:read'],
      'GET /api/v1/relayers/:relayer_id/status': ['relayers:read'],
      'GET /api/v1/relayers/:relayer_id/transactions': ['transactions:read'],
      'GET /api/v1/relayers/:relayer_id/transactions/:transaction_id': ['transactions:read'],
      'GET /api/v1/relayers/:relayer_id/transactions/:transaction_id/attempts': ['transactions:read'],
      'GET /api/v1/relayers/:relayer_id/transactions/by-nonce/:nonce': ['transactions:read'],
      'GET /api/v1/signers': ['signers:read'],
      'GET /api/v1/signers/:signer_id': ['signers:read'],
      'GET /api/v1/signing/freeze': ['freeze'],
      'PATCH /api/v1/api-keys/:key_id': ['api-keys:manage'],
      'PATCH /api/v1/networks/:network_id': ['networks:write'],
      'PATCH /api/v1/notifications/:notification_id': ['notifications:write'],
      'PATCH /api/v1/relayers/:relayer_id': ['relayers:write', 'relayers:pause'],
      'PATCH /api/v1/signers/:signer_id': ['signers:write'],
      'POST /api/v1/api-keys': ['api-keys:manage'],
      'POST /api/v1/api-keys/:key_id/rotate': ['api-keys:manage'],
      'POST /api/v1/changes/:change_id/approve': ['approve'],
      'POST /api/v1/changes/:change_id/reject': ['approve'],
      'POST /api/v1/networks': ['networks:write'],
      'POST /api/v1/notifications': ['notifications:write'],
      'POST /api/v1/notifications/:notification_id/deliveries/:delivery_id/replay': ['notifications:write'],
      'POST /api/v1/notifications/:notification_id/deliveries/replay': ['notifications:write'],
      'POST /api/v1/notifications/:notification_id/test': ['notifications:write'],
      'POST /api/v1/relayers': ['relayers:write'],
      'POST /api/v1/relayers/:relayer_id/nonce/sync': ['transactions:write'],
      'POST /api/v1/relayers/:relayer_id/rpc': ['rpc'],
      'POST /api/v1/relayers/:relayer_id/sign': ['sign:messages'],
      'POST /api/v1/relayers/:relayer_id/sign-transaction': ['sign:transactions'],
      'POST /api/v1/relayers/:relayer_id/sign-typed-data': ['sign:typed-data'],
      'POST /api/v1/relayers/:relayer_id/sign-typed-data/batch': ['sign:typed-data'],
      'POST /api/v1/relayers/:relayer_id/transactions': ['transactions:write'],
      'POST /api/v1/relayers/:relayer_id/transactions/batch': ['transactions:write'],
      'POST /api/v1/signers': ['signers:write'],
      'POST /api/v1/signing/freeze': ['freeze'],
      'POST /api/v1/signing/unfreeze': ['freeze'],
      'PUT /api/v1/relayers/:relayer_id/transactions/:transaction_id': ['transactions:write'],
    });
  });

  it('that are public require no scope', () => {
    expect(named(({ isPublic, scopes }) => isPublic && scopes !== undefined)).toEqual([]);
  });

  it('share one allowance for relayers and signing, and another one for all else', () => {
    expect(named(({ isRateLimited }) => isRateLimited)).toEqual(
      named(({ name }) => name.includes('/relayers')),
    );
  });
});
