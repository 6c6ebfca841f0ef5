import { connect } from 'node:net';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';
import { send } from '../support/http';
import { freePort } from '../support/private-servers';
import { RawClient } from '../support/raw-client';

const PAGES = [
  '/metrics',
  '/METRICS/',
  '/metrics/relayers',
  '/debug/metrics/scrape',
  '/api-docs',
  '/api-docs/openapi.json',
  '/api-docs/swagger-ui.css',
];
const OTHERS = ['/v1/health', '/v1/ready', '/api/v1/health', '/api/v1/ready', '/api/v1/relayers'];

describe('METRICS_PORT', () => {
  let database: TestDatabase;
  let service: TestApplication;
  let port: number;
  let url: string;

  beforeAll(async () => {
    database = await createSqlite();
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = await TestApplication.start(database, { METRICS_PORT: String(port) });
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    const refused = await new Promise((resolve) => {
      connect(port, '127.0.0.1').once('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code);
      });
    });
    expect(refused).toBe('ECONNREFUSED');
  });

  it.each(PAGES)('serves %s, which the main port does not', async (path) => {
    expect((await send(url, { path })).status).toBe(200);
    const response = await service.get(path);
    expect([response.status, response.body]).toEqual([
      404,
      { success: false, data: null, error: 'no such route', message: 'Not Found' },
    ]);
  });

  it.each(OTHERS)('does not serve %s', async (path) => {
    const headers = { authorization: `Bearer ${service.config.apiKeys[0].reveal()}` };
    const response = await send(url, { path, headers });
    expect([response.status, response.body.message]).toEqual([404, 'Not Found']);
    expect((await service.get(path)).status).toBe(200);
  });

  it('redirects / to the OpenAPI page, which the main port does not', async () => {
    expect((await send(url, { path: '/' })).headers.location).toBe('api-docs');
    expect((await service.get('/')).body).toMatchObject({ success: false, message: 'Not Found' });
  });

  it('has the limits of the main port', async () => {
    const client = await RawClient.open(url);
    client.write('hello\r\n\r\n');
    expect(JSON.parse((await client.response()).body)).toMatchObject({
      success: false,
      message: 'Bad Request',
    });
    await client.untilClosed();
    const long = await RawClient.open(url);
    long.request('GET /metrics', { 'Content-Length': '1048577' });
    expect((await long.response()).status).toBe(413);
    long.destroy();
  });
});
