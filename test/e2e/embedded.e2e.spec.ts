import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  Get,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
  Post,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { map, type Observable } from 'rxjs';
import {
  Public,
  RelayersApi,
  type RelayerServiceConfig,
  RelayerServiceModule,
  SigningApi,
} from '../../src/public';
import { Stopping } from '../../src/lifecycle/stopping';
import { ServiceLogger } from '../../src/common/logging/service-logger';
import { createSqlite, describeOnDatabases, type TestDatabase } from '../support/databases';
import { COW_ADDRESS, COW_KEY } from '../support/builders';
import { type Call, type HttpResponse, send } from '../support/http';

const KEY = `test-${randomBytes(24).toString('hex')}`;

/** A guard of the host application. */
class HostGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['x-host'] !== 'yes') throw new UnauthorizedException('host');
    return true;
  }
}

class HostInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((result) => ({ host: result })));
  }
}

@Controller('orders')
class OrdersController {
  constructor(
    private readonly relayers: RelayersApi,
    private readonly signing: SigningApi,
  ) {}

  @Get()
  async list(): Promise<string[]> {
    return (await this.relayers.list({ page: 1, per_page: 10 })).items.map(({ address }) => address);
  }

  @Post()
  async sign(@Body() body: { relayer: string; text: string }): Promise<string> {
    return (await this.signing.signMessage(body.relayer, { message: body.text })).sig;
  }
}

const configOf = (database: TestDatabase): RelayerServiceConfig => ({
  API_KEY: KEY,
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  DATABASE_URL: database.url,
  RELAYER_CHECK_INTERVAL_SECONDS: '0',
  NODE_ENV: 'production',
});

function hostOf(database: TestDatabase) {
  @Module({
    imports: [RelayerServiceModule.register({ path: '/relayer', config: configOf(database) })],
    controllers: [OrdersController],
    providers: [
      { provide: APP_GUARD, useClass: HostGuard },
      { provide: APP_INTERCEPTOR, useClass: HostInterceptor },
    ],
  })
  class HostModule {}
  return HostModule;
}

describeOnDatabases('The service in a host application', (create) => {
  let database: TestDatabase;
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    database = await create();
    const logger = new ServiceLogger({ level: 'fatal', format: 'json' }, []);
    app = await NestFactory.create<NestExpressApplication>(hostOf(database), { logger, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    const created = await service({
      method: 'POST',
      path: '/api/v1/signers',
      body: { id: 'cow', type: 'plain', config: { key: COW_KEY } },
    });
    expect(created.status).toBe(201);
    const relayer = { id: 'cow', name: 'Cow', network: 'sepolia', network_type: 'evm', paused: false };
    const stored = await service({
      method: 'POST',
      path: '/api/v1/relayers',
      body: { ...relayer, signer_id: 'cow' },
    });
    expect(stored.body).toMatchObject({ success: true, data: { id: 'cow', address: COW_ADDRESS } });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const service = ({ path, headers, ...call }: Call): Promise<HttpResponse> =>
    send(url, { ...call, path: `/relayer${path}`, headers: { authorization: `Bearer ${KEY}`, ...headers } });
  const host = (call: Call): Promise<HttpResponse> =>
    send(url, { ...call, headers: { 'x-host': 'yes', ...call.headers } });

  it('leaves the guard, the interceptor and the error responses of the host unchanged on its routes', async () => {
    const { status, body } = await host({ path: '/orders' });
    expect({ status, body }).toEqual({ status: 200, body: { host: [COW_ADDRESS] } });
    const refused = await send(url, { path: '/orders' });
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({ error: 'Unauthorized', message: 'host', statusCode: 401 });
    const missing = await host({ path: '/nothing' });
    expect(missing.body).toMatchObject({ statusCode: 404, message: 'Cannot GET /nothing' });
    expect(missing.headers['x-request-id']).toBeUndefined();
  });

  it('applies its envelope, guards and rules for bodies to its own routes', async () => {
    const listed = await service({ path: '/api/v1/relayers' });
    expect(listed.body).toMatchObject({ success: true, error: null, pagination: { total_items: 1 } });
    const refused = await service({ path: '/api/v1/relayers', headers: { authorization: 'Bearer no' } });
    expect(refused.body).toMatchObject({ success: false, message: 'Unauthorized' });
    const missing = await service({ path: '/api/v1/nothing' });
    expect(missing.body).toMatchObject({ success: false, message: 'Not Found' });
    const bad = await service({
      method: 'PATCH',
      path: '/api/v1/relayers/cow',
      body: { paused: true, unknown: 1 },
    });
    expect(bad.body).toMatchObject({ success: false, message: 'Bad Request' });
    expect((await service({ path: '/v1/health' })).text).toBe('OK');
    expect((await service({ path: '/api-docs/openapi.json' })).status).toBe(200);
  });

  it('serves pages that use its path in the host', async () => {
    for (const path of ['', '/', '?from=host']) {
      const { status, headers } = await service({ path });
      const location = new URL(String(headers.location), `${url}/relayer${path}`);
      expect([status, location.pathname]).toEqual([302, '/relayer/api-docs']);
    }
    const { body } = await service({ path: '/api-docs/openapi.json' });
    expect(body).toMatchObject({ servers: [{ url: '/relayer' }] });
    expect((await service({ path: '/api-docs/swagger-ui-init.js' })).text).toContain('"url": "/relayer"');
  });

  it('signs for the host through SigningApi, unless the relayer is paused', async () => {
    const order = { method: 'POST', path: '/orders', body: { relayer: 'cow', text: 'Hello' } } as const;
    const { sig } = (
      await service({ method: 'POST', path: '/api/v1/relayers/cow/sign', body: { message: 'Hello' } })
    ).body.data;
    expect((await host(order)).body).toEqual({ host: sig });
    await service({ method: 'PATCH', path: '/api/v1/relayers/cow', body: { paused: true } });
    expect((await host(order)).status).toBe(500);
    await service({ method: 'PATCH', path: '/api/v1/relayers/cow', body: { paused: false } });
  });
});

describe('A service with options from a factory', () => {
  let database: TestDatabase;

  @Injectable()
  class Settings {
    readonly service = () => configOf(database);
  }

  @Module({ providers: [Settings], exports: [Settings] })
  class SettingsModule {}

  @Injectable()
  class OrdersService {
    constructor(readonly relayers: RelayersApi) {}
  }

  @Module({ providers: [OrdersService], exports: [OrdersService] })
  class OrdersModule {}

  beforeAll(async () => {
    database = await createSqlite();
  });

  afterAll(() => database.drop());

  it.each([
    ['is visible to all modules of the host', true],
    ['is visible only to modules that import it', undefined],
  ])('%s, isGlobal: %j', async (_title, isGlobal) => {
    @Module({
      imports: [
        RelayerServiceModule.registerAsync({
          ...{ isGlobal, imports: [SettingsModule], inject: [Settings] },
          useFactory: (settings: Settings) => ({ path: '/relayer', config: settings.service() }),
        }),
        OrdersModule,
      ],
    })
    class HostModule {}
    const creation = NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
    if (!isGlobal) {
      await expect(creation).rejects.toThrow("can't resolve dependencies of the OrdersService");
      return;
    }
    const host = await creation;
    try {
      expect((await host.get(OrdersService).relayers.list({ page: 1, per_page: 10 })).items).toEqual([]);
    } finally {
      await host.close();
    }
  });
});

/** A request that waits for 10 seconds, or until the service begins to stop. */
@Controller('wait')
class WaitController {
  constructor(private readonly stopping: Stopping) {}

  @Public()
  @Get()
  async wait(): Promise<boolean> {
    for (let times = 0; times < 200 && !this.stopping.hasBegun; times += 1) await sleep(50);
    return this.stopping.hasBegun;
  }
}

@Module({ controllers: [WaitController] })
class WaitModule {}

describe('A host application that stops', () => {
  it('makes requests that wait end before it closes its server', async () => {
    const database = await createSqlite();
    const options = { path: '/relayer', config: configOf(database), modules: [WaitModule] };
    const host = await NestFactory.create<NestExpressApplication>(RelayerServiceModule.register(options), {
      logger: false,
      abortOnError: false,
    });
    try {
      await host.listen(0, '127.0.0.1');
      const url = (await host.getUrl()).replace('[::1]', '127.0.0.1');
      const response = send(url, { path: '/relayer/wait' }, new Agent());
      await sleep(500);
      const start = performance.now();
      await host.close();
      expect((await response).body.data).toBe(true);
      expect(performance.now() - start).toBeLessThan(5_000);
    } finally {
      await database.drop();
    }
  });
});

describe('A service that cannot start in its host', () => {
  let database: TestDatabase;
  const ended = jest.fn();

  @Module({ providers: [{ provide: 'watcher', useValue: { onApplicationShutdown: ended } }] })
  class WatcherModule {}

  const create = (config: RelayerServiceConfig, adapter = new ExpressAdapter()) => {
    const options = { path: '/relayer', modules: [WatcherModule], config };
    return NestFactory.create(RelayerServiceModule.register(options), adapter, {
      logger: false,
      abortOnError: false,
    });
  };

  beforeAll(async () => {
    database = await createSqlite();
  });

  beforeEach(() => ended.mockClear());

  afterAll(() => database.drop());

  it('reports which port is taken, and leaves nothing running', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      const config = { ...configOf(database), HOST: '127.0.0.1', METRICS_PORT: String(port) };
      await expect(create(config)).rejects.toThrow(
        `METRICS_PORT ${port} of HOST 127.0.0.1 cannot be opened: another process has it (EADDRINUSE)`,
      );
      expect(ended).toHaveBeenCalledTimes(1);
    } finally {
      taken.close();
    }
  });

  it('refuses a host that does not use Express', async () => {
    const other = new ExpressAdapter({ use: () => undefined });
    await expect(create(configOf(database), other)).rejects.toThrow(
      'The host application must be on Express',
    );
  });
});
