import { All, Controller, Get, Module, Next, Param, Post } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { RelayerPlugin, type ServiceModule } from '../../src/public';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';

@Controller(['api/v1/relayers', 'api/v1/acme'])
class DeadController {
  @Get('Special')
  special(): string {
    return 'never';
  }

  @Get(':id')
  relayer(@Param('id') id: string): string {
    return id;
  }
}

@Controller('v1')
class ReadyController {
  @Get('ready')
  ready(): string {
    return 'never';
  }
}

@Controller()
class PagesController {
  @Get()
  home(): string {
    return 'never';
  }

  @Get('api-docs')
  docs(): string {
    return 'never';
  }
}

@RelayerPlugin({ name: 'pages', compatibility: '^1' })
@Module({ controllers: [PagesController] })
class PagesModule {}

@Module({ controllers: [ReadyController] })
class ReadyModule {}

@RelayerPlugin({ name: 'dead', compatibility: '^1' })
@Module({ imports: [ReadyModule], controllers: [DeadController] })
class DeadModule {}

@Controller('api/v1/relayers')
class LivingController {
  @All(':id')
  passOn(@Next() next: () => void): void {
    next();
  }

  @Post('special')
  special(): string {
    return 'another method';
  }

  @Get(':id/shop')
  shop(): string {
    return 'longer';
  }

  @Get('*path')
  rest(): string {
    return 'the rest';
  }
}

@RelayerPlugin({ name: 'living', compatibility: '^1' })
@Module({
  imports: [ReadyModule, RouterModule.register([{ path: 'shop', module: ReadyModule }])],
  controllers: [LivingController],
})
class LivingModule {}

@Controller('api/v1/acme-desk')
class DeskController {
  @Get(':id')
  desk(@Param('id') id: string): string {
    return id;
  }

  @Get('v:id')
  version(@Param('id') id: string): string {
    return id;
  }
}

@RelayerPlugin({ name: 'desk', compatibility: '^1' })
@Module({ controllers: [DeskController] })
class DeskModule {}

@Controller('api/v1/acme-desk')
class OtherDeskController {
  @Get('all')
  all(): string {
    return 'never';
  }

  @Post('v:id')
  version(): string {
    return 'another method';
  }
}

@RelayerPlugin({ name: 'other-desk', compatibility: '^1' })
@Module({ controllers: [OtherDeskController] })
class OtherDeskModule {}

describe('Routes of plugins', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createSqlite();
  });

  afterEach(() => database.drop());

  const expectRefusal = async (
    modules: readonly ServiceModule[],
    faults: readonly string[],
  ): Promise<void> => {
    const started = TestApplication.start(database, {}, { modules });
    await expect(started).rejects.toMatchObject({ name: 'ConfigurationError', faults });
  };

  it('stop the start if a route of the service matches all their requests', async () => {
    await expectRefusal(
      [DeadModule],
      [
        'The route GET /api/v1/relayers/Special is never called, because the service has GET /api/v1/relayers/:relayer_id',
        'The route GET /api/v1/relayers/:id is never called, because the service has GET /api/v1/relayers/:relayer_id',
        'The route GET /v1/ready is never called, because the service has GET /v1/ready',
      ],
    );
  });

  it('stop the start if they are the OpenAPI page, or the redirect to it', async () => {
    await expectRefusal(
      [PagesModule],
      [
        'The route GET / is never called, because the service has GET /',
        'The route GET /api-docs is never called, because the service has GET /api-docs',
      ],
    );
  });

  it('stop the start if a route of another plugin matches all their requests', async () => {
    await expectRefusal(
      [DeskModule, OtherDeskModule],
      [
        'The route GET /api/v1/acme-desk/all is never called, because another module has GET /api/v1/acme-desk/:id',
      ],
    );
  });

  it('may be matched by a later route of another plugin', async () => {
    const service = await TestApplication.start(database, {}, { modules: [OtherDeskModule, DeskModule] });
    try {
      const found = await service.get('/api/v1/acme-desk/7');
      expect(found.body.data).toBe('7');
    } finally {
      await service.close();
    }
  });

  it('may have another method, another length, wildcards, or the prefix of their module', async () => {
    const service = await TestApplication.start(database, {}, { modules: [LivingModule] });
    try {
      const call = async (method: 'GET' | 'POST', path: string): Promise<unknown> =>
        (await service.call({ method, path })).body.data;
      expect(await call('POST', '/api/v1/relayers/special')).toBe('another method');
      expect(await call('GET', '/api/v1/relayers/7/shop')).toBe('longer');
      expect(await call('GET', '/api/v1/relayers/7/8/9')).toBe('the rest');
      expect(await call('GET', '/shop/v1/ready')).toBe('never');
    } finally {
      await service.close();
    }
  });
});
