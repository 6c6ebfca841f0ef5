import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { WITHOUT_BODY } from './bad-bodies';

interface Schema {
  type?: string;
  oneOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/** Every route with a JSON body in the document, and whether the body may be a list. */
const ROUTES = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]) => {
    const schema = requestBody?.content['application/json']?.schema;
    if (!schema) return [];
    const takesList = [schema, ...(schema.oneOf ?? [])].some(({ type }) => type === 'array');
    return [[method.toUpperCase(), path, takesList] as const];
  }),
);

const SCALARS = ['null', 'true', 'false', '0', '-1.5e3', '""', '"text"', ' null ', '\n1\n'];
const LISTS = ['[]', '[[]]', '[{}]', '[null]', '[1,"a",{}]'];

describeService('A JSON body that is not an object', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow' });
    await service.post('/api/v1/notifications', { id: 'cow', url: 'https://hooks.example.com' });
  });

  it('is tested on every route that takes a JSON body', () => {
    expect(ROUTES.length).toBeGreaterThanOrEqual(13);
    expect(ROUTES.filter(([, , takesList]) => takesList).map(([, path]) => path)).toEqual([
      '/api/v1/relayers/{relayer_id}/rpc',
    ]);
  });

  it.each(ROUTES)('gets 400: %s %s', async (method, path, takesList) => {
    const url = path.replaceAll(/\{[^}]+\}/g, 'cow');
    for (const body of [...SCALARS, ...(takesList ? [] : LISTS)]) {
      const response = await service.call({ method, path: url, body });
      expect([body, response.status]).toEqual([body, 400]);
      expect(response.body).toMatchObject({ success: false, data: null, message: 'Bad Request' });
      expect(response.body.error).not.toBe('');
    }
  });
});

describeService('A body of another content type', ({ service }) => {
  it.each(ROUTES)('gets 400 and has no effect: %s %s', async (method, path) => {
    const key = await createApiKey(service);
    const url = path.replace('{key_id}', key.id).replaceAll(/\{[^}]+\}/g, 'cow');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await service.call({ method, path: url, headers, body: '{"overlap_seconds":0}' });
    expect([response.status, response.body]).toEqual([
      400,
      { success: false, data: null, error: WITHOUT_BODY, message: 'Bad Request' },
    ]);
    const found = await service.get(`/api/v1/api-keys/${key.id}`);
    expect(found.body.data).not.toHaveProperty('previous_valid_until');
  });
});
