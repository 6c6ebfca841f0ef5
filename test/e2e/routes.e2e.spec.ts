import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PUBLIC_ROUTE } from '../../src/access/public.decorator';
import { RATE_LIMITED } from '../../src/rate-limits/rate-limited.decorator';
import { TestApplication } from '../support/application';
import { createSqlite } from '../support/databases';

interface Route {
  name: string;
  isPublic: boolean;
  isRateLimited: boolean;
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

  it('need a token everywhere else', () => {
    expect(named(({ isPublic }) => !isPublic)).toEqual([
      'DELETE /api/v1/api-keys/:key_id',
      'DELETE /api/v1/networks/:network_id',
      'DELETE /api/v1/notifications/:notification_id',
      'DELETE /api/v1/relayers/:relayer_id',
      'DELETE /api/v1/relayers/:relayer_id/transactions/:transaction_id',
      'DELETE /api/v1/relayers/:relayer_id/transactions/pending',
      'DELETE /api/v1/signers/:signer_id',
      'GET /api/v1/api-keys',
      'GET /api/v1/api-keys/:key_id',
      'GET /api/v1/audit-events',
      'GET /api/v1/audit-events/export',
      'GET /api/v1/networks',
      'GET /api/v1/networks/:network_id',
      'GET /api/v1/notifications',
      'GET /api/v1/notifications/:notification_id',
      'GET /api/v1/notifications/:notification_id/deliveries',
      'GET /api/v1/notifications/:notification_id/deliveries/:delivery_id',
      'GET /api/v1/relayers',
      'GET /api/v1/relayers/:relayer_id',
      'GET /api/v1/relayers/:relayer_id/balance',
      'GET /api/v1/relayers/:relayer_id/status',
      'GET /api/v1/relayers/:relayer_id/transactions',
      'GET /api/v1/relayers/:relayer_id/transactions/:transaction_id',
      'GET /api/v1/relayers/:relayer_id/transactions/:transaction_id/attempts',
      'GET /api/v1/relayers/:relayer_id/transactions/by-nonce/:nonce',
      'GET /api/v1/signers',
      'GET /api/v1/signers/:signer_id',
      'GET /api/v1/signing/freeze',
      'PATCH /api/v1/api-keys/:key_id',
      'PATCH /api/v1/networks/:network_id',
      'PATCH /api/v1/notifications/:notification_id',
      'PATCH /api/v1/relayers/:relayer_id',
      'PATCH /api/v1/signers/:signer_id',
      'POST /api/v1/api-keys',
      'POST /api/v1/api-keys/:key_id/rotate',
      'POST /api/v1/networks',
      'POST /api/v1/notifications',
      'POST /api/v1/notifications/:notification_id/deliveries/:delivery_id/replay',
      'POST /api/v1/notifications/:notification_id/deliveries/replay',
      'POST /api/v1/notifications/:notification_id/test',
      'POST /api/v1/relayers',
      'POST /api/v1/relayers/:relayer_id/nonce/sync',
      'POST /api/v1/relayers/:relayer_id/rpc',
      'POST /api/v1/relayers/:relayer_id/sign',
      'POST /api/v1/relayers/:relayer_id/sign-transaction',
      'POST /api/v1/relayers/:relayer_id/sign-typed-data',
      'POST /api/v1/relayers/:relayer_id/sign-typed-data/batch',
      'POST /api/v1/relayers/:relayer_id/transactions',
      'POST /api/v1/relayers/:relayer_id/transactions/batch',
      'POST /api/v1/signers',
      'POST /api/v1/signing/freeze',
      'POST /api/v1/signing/unfreeze',
      'PUT /api/v1/relayers/:relayer_id/transactions/:transaction_id',
    ]);
  });

  it('share one allowance for relayers and signing, and another one for all else', () => {
    expect(named(({ isRateLimited }) => isRateLimited)).toEqual(
      named(({ name }) => name.includes('/relayers')),
    );
  });
});
