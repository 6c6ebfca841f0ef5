import { posix } from 'node:path';
import type { HttpServer, INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SERVICE_VERSION } from '../../common/service-version';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { closeRequests } from './close-requests';
import { documentAccess, operationIdOf } from './document-access';
import { documentExamples } from './document-examples';
import { documentHeaders } from './document-headers';
import { documentPluginNames } from './document-plugin-names';
import { dropInferred } from './drop-inferred';
import { nameSchemas } from './name-schemas';
import { describeParameters } from './parameters';
import { documentPolicyPatches } from './policy-patches';
import { documentRulesByNetworkType } from './rules-by-network-type';
import { shareComponents } from './share-components';
import { TAGS } from './tags';

const DESCRIPTION = [
  'Relayers are accounts that this service holds, with a network, a signing key, policies, RPC endpoints and a',
  'webhook, so that applications act on a blockchain without holding keys. Every JSON response under /api/v1 has',
  'one envelope. Any request may also get 408, 417 or 431 in that envelope, if it does not arrive in time,',
  'has an Expect header other than 100-continue, or headers of more than 16 KiB.',
].join(' ');

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'API key',
  description: 'The key of `API_KEY`, or an API key that was created: `rk_<id>_<secret>`.',
} as const;

/**
 * The OpenAPI document of an application, containing the routes of all its modules.
 *
 * @param path the path of the service in a host application
 */
export function openApiDocument(app: INestApplication, path = '/'): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Relayer management service')
    .setDescription(DESCRIPTION)
    .setVersion(SERVICE_VERSION)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer(path, 'This service')
    .addBearerAuth(BEARER);
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { operationIdFactory: operationIdOf });
  delete document.info.contact;
  documentAccess(app, document);
  documentHeaders(document);
  describeParameters(document);
  dropInferred(document);
  nameSchemas(document);
  closeRequests(document);
  documentRulesByNetworkType(document);
  documentPolicyPatches(document);
  documentExamples(document);
  documentPluginNames(document);
  shareComponents(document);
  return document;
}

/** Serves the browsable page at `/api-docs`, to which `/` redirects, and the document at `/api-docs/openapi.json`. */
export function serveOpenApi(app: INestApplication, path: string): void {
  const server = app.getHttpAdapter() as HttpServer<Request, Response>;
  let document: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const built = (): OpenAPIObject => (document ??= openApiDocument(app, path));
  // Cached: the library would build the document for each request, which takes up to 100 ms, and the route requires no
  // token.
  server.get('/api-docs/openapi.json', (_request, response) => {
    json ??= Buffer.from(JSON.stringify(built()));
    response.type('application/json').send(json);
  });
  // A relative redirect, because a proxy may serve the service under a different path.
  server.get('/', ({ originalUrl }, response) => {
    const [page = ''] = originalUrl.split('?', 1);
    response.redirect(page.endsWith('/') ? 'api-docs' : `${posix.basename(page)}/api-docs`);
  });
  SwaggerModule.setup('api-docs', app, built, { raw: false, swaggerOptions: { persistAuthorization: true } });
}
