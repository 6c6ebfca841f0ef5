import { FAILURE } from '../../src/common/openapi/envelope-schemas';
import { TAGS } from '../../src/app/openapi/tags';
import { document, type Json, operations, resolved } from './document';
import { allows } from './request-schemas';

/** Every object of the document with its path. */
function* objectsOf(value: unknown, place = ''): Generator<[place: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value];
  for (const [key, member] of Object.entries(value)) {
    if (!['example', 'examples', 'not'].includes(key)) yield* objectsOf(member, `${place}/${key}`);
  }
}

const everywhere = [...objectsOf(document)];
const responses = operations.flatMap(([route, operation]) =>
  Object.entries<Json>(operation.responses).map(([status, response]): [string, string, Json] => [
    route,
    status,
    resolved(response),
  ]),
);

const RELAYER = { name: 'R', network: 'n', network_type: 'evm', paused: true, signer_id: 's' };
const TOP_UP = { from_relayer: 'a', below: 1, to: 2 };
const RECEIVER = `0x${'35'.repeat(20)}`;
const typedData = (domain: object, type = 'string'): object => ({
  ...{ domain, types: { Mail: [{ name: 'text', type }] } },
  ...{ primaryType: 'Mail', message: { text: 'Hello' } },
});
const STELLAR = { max_fee: 1, fee_payment_strategy: 'user' };

describe('The OpenAPI document', () => {
  it('uses one shared schema for all failures', () => {
    const schemas = responses
      .filter(([, status]) => status >= '400')
      .map(([route, , { content }]) => [route, content['application/json'].schema.$ref as string]);
    const others = schemas.filter(([, ref]) => ref !== `#/components/schemas/${FAILURE.title}`);
    expect(others).toEqual([['GET /v1/ready', '#/components/schemas/ReadinessResponse']]);
    expect(schemas.length).toBeGreaterThan(400);
  });

  it('names every schema that generated clients turn into a model, and has at most 120', () => {
    const isModel = ([place, { type, properties, additionalProperties, enum: values, title }]: [
      string,
      Json,
    ]) =>
      title === undefined &&
      !/^\/components\/schemas\/[^/]+$/.test(place) &&
      !/\/(headers|parameters|securitySchemes)\//.test(place) &&
      ((type === 'object' && (properties !== undefined || additionalProperties !== undefined)) ||
        (Array.isArray(values) && values.length > 1));
    const unnamed = everywhere.filter(isModel).map(([place]) => place);
    expect(unnamed).toEqual([]);
    const models = Object.keys(document.components.schemas).length;
    process.stdout.write(`Models of the OpenAPI document: ${models}\n`);
    expect(models).toBeLessThanOrEqual(120);
  });

  it.each([
    ['updateRelayer', { policies: { timeout_seconds: 30 } }, true],
    ['updateRelayer', { policies: { allowed_tokens: [{ max_allowed_fee: 1 }] } }, false],
    ['updateRelayer', { policies: { transactions: { spend_limits: [{ max_fee: 1 }] } } }, false],
    ['createRelayer', { ...RELAYER, policies: { top_up: TOP_UP, messages: { allow: 'text' } } }, true],
    ['createRelayer', { ...RELAYER, policies: { top_up: null, messages: null } }, true],
    ['createRelayer', { ...RELAYER, policies: null }, true],
    ['createRelayer', { ...RELAYER, policies: { top_up: { ...TOP_UP, below: undefined } } }, false],
    ['createRelayer', { ...RELAYER, policies: { messages: {} } }, false],
    ['createRelayer', { ...RELAYER, network_type: 'stellar', policies: STELLAR }, true],
    ['createRelayer', { ...RELAYER, network_type: 'stellar', policies: { max_fee: 1 } }, false],
    ['createRelayer', { ...RELAYER, network_type: 'stellar', policies: null }, false],
    ['createRelayer', { ...RELAYER, network_type: 'stellar' }, false],
    ['signTypedData', typedData({ chainId: '0xaa36a7', verifyingContract: RECEIVER }), true],
    ['signTypedData', typedData({ chainId: '11155111' }), true],
    ['signTypedData', typedData({ chainId: '-1' }), false],
    ['signTypedData', typedData({ verifyingContract: 'relayer' }), false],
    ['signTypedData', typedData({ name: 'A' }, ''), false],
    ['sendTransaction', { value: 0, data: 'a9059cbb', speed: 'fast' }, true],
    ['sendTransaction', { value: 0, data: '', speed: 'fast' }, true],
    ['sendTransaction', { value: 0, data: 'a9059cb', speed: 'fast' }, false],
  ])('allows for %s the body %j: %s', (id, body, expected) => {
    expect(allows(id, body)).toBe(expected);
  });

  it('describes every response', () => {
    const empty = responses.filter(([, , { description }]) => !description).map(([route]) => route);
    expect(empty).toEqual([]);
  });

  it('names no headers of the rate limit in a 413, which may precede the limit', () => {
    const named = responses
      .filter(([, status]) => status === '413')
      .flatMap(([, , { headers }]) => Object.keys(headers as Json));
    expect(new Set(named)).toEqual(new Set(['X-Request-Id']));
  });

  it('does not say that URLs are URIs, which have only some characters of ASCII', () => {
    const formats = new Set(everywhere.map(([, { format }]) => format as unknown));
    expect(formats).toEqual(new Set([undefined, 'date-time', 'uuid']));
  });

  it('has "nullable" only next to a type', () => {
    const broken = everywhere.filter(([, { nullable, type }]) => nullable === true && type === undefined);
    expect(broken.map(([place]) => place)).toEqual([]);
  });

  it('lists its tags in order, each with a description and with operations', () => {
    expect(document.tags.map(({ name, description }) => [name, description])).toEqual(TAGS);
    const used = new Set(operations.flatMap(([, { tags }]) => tags as string[]));
    expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort());
  });

  it('states the server, the version and the form of tokens', () => {
    expect(document.servers).toEqual([{ url: '/', description: 'This service' }]);
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(document.components.securitySchemes.bearer).toMatchObject({
      scheme: 'bearer',
      bearerFormat: 'API key',
    });
  });

  it('requires a token for all operations except the public ones', () => {
    const open = operations.filter(([, { security }]) => (security as unknown[]).length === 0);
    expect(open.map(([route]) => route).sort()).toEqual([
      'GET /api/v1/health',
      'GET /api/v1/ready',
      'GET /debug/metrics/scrape',
      'GET /metrics',
      'GET /metrics/{name}',
      'GET /v1/health',
      'GET /v1/ready',
    ]);
  });

  it.each([
    ['401', 'WWW-Authenticate'],
    ['429', 'Retry-After'],
    ['503', 'Retry-After'],
    ['200', 'X-Request-Id'],
  ])('documents for every %s the header %s', (status, header) => {
    const shown = responses.filter(([, each]) => each === status);
    expect(shown.length).toBeGreaterThan(0);
    for (const [route, , { headers }] of shown)
      expect([route, headers]).toEqual([route, expect.objectContaining({ [header]: expect.anything() })]);
  });
});
