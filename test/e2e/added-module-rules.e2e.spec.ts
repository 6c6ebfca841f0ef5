import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type Type,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import type { Response } from 'express';
import { EMPTY } from 'rxjs';
import { RelayerPlugin, RequireScope } from '../../src/public';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';

@Catch()
class Everything implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(500).send('caught');
  }
}

class Nothing implements NestInterceptor {
  intercept(): typeof EMPTY {
    return EMPTY;
  }
}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useValue: new Nothing() }] })
class ImportedModule {}

@RelayerPlugin({ name: 'global', compatibility: '^1' })
@Module({ imports: [ImportedModule], providers: [{ provide: APP_FILTER, useClass: Everything }] })
class GlobalModule {}

@Controller('api/v1/acme-typing-errors')
class MisspeltController {
  @Get()
  @RequireScope('misspelt.entires:read')
  list(): string[] {
    return [];
  }

  @Get('other')
  @RequireScope('relayers:read')
  other(): string[] {
    return [];
  }
}

@RelayerPlugin({ name: 'misspelt', compatibility: '^1' })
@Module({ controllers: [MisspeltController] })
class MisspeltModule {}

describe('A module that is added to the service', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createSqlite();
  });

  afterEach(() => database.drop());

  const start = (module: Type): Promise<TestApplication> =>
    TestApplication.start(database, {}, { modules: [module] });

  it('cannot have a filter or an interceptor for the routes of the service', async () => {
    await expect(start(GlobalModule)).rejects.toMatchObject({
      faults: [
        'GlobalModule provides APP_FILTER, which would apply to the routes of the service: use @UseFilters() on its controllers',
        'ImportedModule provides APP_INTERCEPTOR, which would apply to the routes of the service: use @UseInterceptors() on its controllers',
      ],
    });
  });

  it('cannot require a scope that no API key can have', async () => {
    await expect(start(MisspeltModule)).rejects.toMatchObject({
      faults: ['MisspeltController.list requires the scope misspelt.entires:read, which no plugin declares'],
    });
  });
});
