import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type Type,
  Module,
  type NestInterceptor,
  ParseIntPipe,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import type { Response } from 'express';
import { EMPTY } from 'rxjs';
import { IsString } from 'class-validator';
import { Public, RelayerPlugin, RequireScope } from '../../src/public';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';
import { KeyHolder } from '../support/key-holders';

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

@Public()
@Controller('api/v1/acme-half-public')
class HalfPublicController {
  @Get()
  info(): string[] {
    return [];
  }

  @Get('secret')
  @RequireScope('relayers:read')
  secret(): string[] {
    return [];
  }
}

@RelayerPlugin({ name: 'half-public', compatibility: '^1' })
@Module({ controllers: [HalfPublicController] })
class HalfPublicModule {}

/** Handlers that two controllers with different scopes, and one without, inherit. */
abstract class Lists {
  @Get()
  list(): string[] {
    return [];
  }
}

@RequireScope('relayers:read')
@Controller('api/v1/acme-relayers')
class InheritingRelayersController extends Lists {}

@RequireScope('signers:read')
@Controller('api/v1/acme-signers')
class InheritingSignersController extends Lists {}

@Controller('api/v1/acme-for-root')
class InheritingRootController extends Lists {}

class Texts {
  @IsString()
  text!: string;
}

/** A decorator that puts another function in the place of a handler, as those for transactions or retries do. */
const Wrapped: MethodDecorator = (_target, _name, descriptor: PropertyDescriptor) => {
  const handler = descriptor.value as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]): unknown {
    return handler.apply(this, args);
  };
};

@Controller('api/v1/acme-wrapped')
class WrappedController {
  @Post()
  @Wrapped
  create(@Body() { text }: Texts): string {
    return text;
  }
}

abstract class TakesMember {
  @Post()
  create(@Body('text') text: string): string {
    return text;
  }
}

@Controller('api/v1/acme-members')
class MemberController extends TakesMember {
  @Put()
  replace(@Query('q') _q: string, @Body() _all: Texts, @Body('text', ParseIntPipe) text: number): number {
    return text;
  }
}

@RelayerPlugin({ name: 'members', compatibility: '^1' })
@Module({ controllers: [MemberController] })
class MembersModule {}

@RelayerPlugin({ name: 'inheriting', compatibility: '^1' })
@Module({
  controllers: [
    InheritingRelayersController,
    InheritingSignersController,
    InheritingRootController,
    WrappedController,
  ],
})
class InheritingModule {}

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

  it('cannot require a scope for a route of a public controller', async () => {
    await expect(start(HalfPublicModule)).rejects.toMatchObject({
      faults: ['HalfPublicController.secret requires a scope, and is public: use one of the decorators'],
    });
  });

  it('cannot take a single member of a body', async () => {
    const advice = "takes @Body('text'): take the whole body as a class, because only this is validated";
    await expect(start(MembersModule)).rejects.toMatchObject({
      faults: [`MemberController.replace ${advice}`, `MemberController.create ${advice}`],
    });
  });

  describe('with handlers that its controllers inherit, or that decorators wrap', () => {
    let service: TestApplication;

    beforeEach(async () => {
      service = await start(InheritingModule);
    });

    afterEach(() => service.close());

    it('requires the scope of each controller, whichever is called first', async () => {
      const holder = await KeyHolder.add(service, { scopes: ['relayers:read'] });
      const paths = ['acme-relayers', 'acme-signers', 'acme-for-root', 'acme-relayers'];
      const statuses: number[] = [];
      for (const path of paths) statuses.push((await holder.call('GET', `/api/v1/${path}`)).status);
      expect(statuses).toEqual([200, 403, 403, 200]);
    });

    it('passes the body to a wrapped handler', async () => {
      const { status, body } = await service.post('/api/v1/acme-wrapped', { text: 'hi' });
      expect([status, body.data]).toEqual([201, 'hi']);
    });
  });
});
