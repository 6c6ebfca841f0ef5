import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { Public, RelayerPlugin, RequireScope } from '../../src/public';
import { describeService } from '../support/describe-service';

const SCOPE = 'acme-notes.notes:write';

class PlainNoteDto {
  @IsString()
  text!: string;
}

class DocumentedNoteDto {
  @ApiProperty()
  @IsString()
  text!: string;
}

@Controller('api/v1/acme-notes')
class NotesController {
  @Get('root-only')
  rootOnly(): string {
    return 'for the root key';
  }

  @Get('open')
  @Public()
  open(): string {
    return 'for anyone';
  }

  @Post('plain')
  @RequireScope(SCOPE)
  plain(@Body() { text }: PlainNoteDto): string {
    return text;
  }

  @Post('documented')
  @RequireScope(SCOPE)
  documented(@Body() { text }: DocumentedNoteDto): string {
    return text;
  }
}

@RelayerPlugin({ name: 'acme-notes', compatibility: '^1', scopes: [SCOPE] })
@Module({ controllers: [NotesController] })
class NotesModule {}

/** A part of the OpenAPI document. */
interface Document {
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, object> };
}

describeService(
  'The OpenAPI document of a service with a plugin',
  { modules: [NotesModule], onlySqlite: true },
  ({ service }) => {
    let document: Document;

    beforeAll(async () => {
      document = JSON.parse((await service.get('/api-docs/openapi.json')).text) as Document;
    });

    it.each([
      ['get', 'root-only', [{ bearer: [] }]],
      ['get', 'open', []],
      ['post', 'plain', [{ bearer: [] }]],
      ['post', 'documented', [{ bearer: [] }]],
    ])('says whether its routes need a token (%s %s)', (method, path, security) => {
      expect(document.paths[`/api/v1/acme-notes/${path}`]?.[method]).toMatchObject({ security });
    });

    it('forbids unknown fields in a body only if it knows the fields', () => {
      const { PlainNoteDto: plain, DocumentedNoteDto: documented } = document.components.schemas;
      expect(plain).not.toHaveProperty('additionalProperties');
      expect(documented).toMatchObject({ properties: { text: {} }, additionalProperties: false });
    });
  },
);
