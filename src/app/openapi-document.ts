import type { HttpServer, INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SERVICE_VERSION } from '../common/service-version';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { documentScopes, operationIdOf } from './scopes-in-openapi';

const DESCRIPTION = [
  'Relayers are accounts that this service holds, with a network, a signing key, policies, RPC endpoints and a',
  'webhook, so that applications act on a blockchain without holding keys. Every JSON response under /api/v1 has',
  'one envelope. Any request may also get 408, 417 or 431 in that envelope, where it does not arrive in time,',
  'has an Expect header other than 100-continue, or headers of more than 16 KiB.',
].join(' ');

export function openApiDocument(app: INestApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Relayer management service')
    .setDescription(DESCRIPTION)
    .setVersion(SERVICE_VERSION)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addBearerAuth({ type: 'http', scheme: 'bearer' })
    .build();
  const document = SwaggerModule.createDocument(app, base, { operationIdFactory: operationIdOf });
  documentScopes(app, document);
  return document;
}

/** The browsable page at `/api-docs`, the document at `/api-docs/openapi.json`. */
export function serveOpenApi(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const built = (): OpenAPIObject => (document ??= openApiDocument(app));
  // The library writes the document anew for each request, which takes up to 100 ms and needs no token.
  (app.getHttpAdapter() as HttpServer<Request, Response>).get(
    '/api-docs/openapi.json',
    (_request, response) => {
      json ??= Buffer.from(JSON.stringify(built()));
      response.type('application/json').send(json);
    },
  );
  SwaggerModule.setup('api-docs', app, built, { raw: false });
}
