import { Controller, Get, Module, Param, ParseIntPipe, Query, ValidationPipe } from '@nestjs/common';
import { IsIn, IsNumberString, IsOptional } from 'class-validator';
import { RelayerPlugin } from '../../src/public';
import { describeService } from '../support/describe-service';

class EntriesQuery {
  @IsOptional()
  @IsIn(['newest', 'oldest'])
  order?: string;
}

class EntryPath {
  @IsNumberString({ no_symbols: true })
  number!: string;
}

const CHECKED = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true });

@Controller('api/v1/acme-queries')
class QueriesController {
  @Get('unchecked/:number')
  unchecked(@Param() path: EntryPath, @Query() query: EntriesQuery): unknown {
    return { number: path.number, query };
  }

  @Get('checked/:number')
  checked(@Param(CHECKED) path: EntryPath, @Query(CHECKED) query: EntriesQuery): unknown {
    return { number: path.number, query };
  }

  @Get('single/:number')
  single(@Param('number', ParseIntPipe) number: number): unknown {
    return { number };
  }
}

@RelayerPlugin({ name: 'queries', compatibility: '^1' })
@Module({ controllers: [QueriesController] })
class QueriesModule {}

const OPTIONS = { modules: [QueriesModule], onlySqlite: true };

describeService('Queries and parameters of a plugin', OPTIONS, ({ service }) => {
  const get = async (path: string): Promise<unknown[]> => {
    const { status, body } = await service.get(`/api/v1/acme-queries/${path}`);
    return [status, body.data ?? body.error];
  };

  it('are passed as they are, whatever class the handler declares', async () => {
    expect(await get('unchecked/x?order=random&more=1')).toEqual([
      200,
      { number: 'x', query: { order: 'random', more: '1' } },
    ]);
  });

  it('are validated if the handler names a pipe', async () => {
    expect(await get('checked/7?order=newest')).toEqual([200, { number: '7', query: { order: 'newest' } }]);
    expect(await get('checked/x')).toEqual([400, 'number must be a number string']);
    expect(await get('checked/7?order=random&more=1')).toEqual([
      400,
      'property more should not exist; order must be one of the following values: newest, oldest',
    ]);
    expect(await get('single/7')).toEqual([200, { number: 7 }]);
    expect(await get('single/x')).toEqual([400, 'Validation failed (numeric string is expected)']);
  });
});
