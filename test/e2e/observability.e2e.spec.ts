import { SERVICE_VERSION } from '../../src/common/service-version';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const PROMETHEUS_ACCEPT =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };

describeService('Health and metrics', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow' });
    await addRelayer(service, { id: 'resting', paused: true });
    await service.post('/api/v1/relayers/cow/sign-typed-data', HASHES);
    await service.post('/api/v1/relayers/resting/sign-typed-data', HASHES);
    await service.get('/no/such/route');
  });

  it.each(['/v1/health', '/api/v1/health'])('%s returns OK as plain text', async (path) => {
    const response = await service.get(path);
    expect([response.status, response.text]).toEqual([200, 'OK']);
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
  });

  it('reports readiness with the status of each component', async () => {
    const report = {
      status: 'ok',
      version: SERVICE_VERSION,
      components: { database: { status: 'up' }, signing: { status: 'active' } },
    };
    expect((await service.get('/v1/ready')).body).toEqual(report);
    expect((await service.get('/api/v1/ready')).body).toEqual({ success: true, data: report, error: null });
  });

  it.each([undefined, '*/*', 'application/json', 'text/plain, application/json', 'text/*;q=0.5, */*'])(
    'returns a bare array from /metrics for Accept %p',
    async (accept) => {
      const response = await service.get('/metrics', accept === undefined ? {} : { accept });
      expect(response.headers['content-type']).toMatch(/^application\/json/);
      expect(response.body).toEqual(
        expect.arrayContaining([
          'http_requests_total',
          'signatures_total',
          'relayers',
          'process_cpu_seconds_total',
        ]),
      );
    },
  );

  it.each([PROMETHEUS_ACCEPT, 'text/plain', 'application/openmetrics-text, */*;q=0.1'])(
    'returns the exposition format from /metrics for Accept %s',
    async (accept) => {
      const response = await service.get('/metrics', { accept });
      expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(response.text).toContain('# TYPE http_requests_total counter');
    },
  );

  it('counts requests, signatures and relayers', async () => {
    const { text } = await service.get('/debug/metrics/scrape');
    expect(text).toContain(
      'http_requests_total{route="/api/v1/relayers/:relayer_id/sign-typed-data",method="POST",status="200"} 1',
    );
    expect(text).toContain(
      'http_requests_total{route="/api/v1/relayers/:relayer_id/sign-typed-data",method="POST",status="403"} 1',
    );
    expect(text).toContain('http_requests_total{route="unmatched",method="GET",status="404"} 1');
    expect(text).toContain('http_requests_refused_total{reason="relayer_paused"} 1');
    expect(text).toContain('signatures_total{kind="local",outcome="success"} 1');
    expect(text).toContain('signature_duration_seconds_count{kind="local"} 1');
    expect(text).toContain('relayers{state="enabled",reason=""} 1');
    expect(text).toContain('relayers{state="paused",reason=""} 1');
    expect(text).not.toMatch(/cow|resting|0x[0-9a-fA-F]{40}/);
  });

  it('starts counters with closed labels at zero', async () => {
    const { text } = await service.get('/debug/metrics/scrape');
    for (const series of [
      'signatures_total{kind="aws_kms",outcome="unreachable"}',
      'signing_batch_items_total{outcome="signer_unavailable"}',
      'signatures_withheld_total{reason="signing_frozen"}',
      'http_requests_refused_total{reason="overloaded"}',
      'storage_rows_altered_total{table="relayers"}',
      'webhook_deliveries_total{event="relayer_update",outcome="dead"}',
    ])
      expect(text).toContain(`${series} 0`);
  });

  it('exports the version, and names no gauge like a counter', async () => {
    const { text } = await service.get('/debug/metrics/scrape');
    expect(text).toContain(`service_info{version="${SERVICE_VERSION}",commit=""} 1`);
    expect(text).not.toMatch(/^# TYPE \w+_total (?!counter)/m);
  });

  it('returns a single metric, and 404 for an unknown one', async () => {
    const response = await service.get('/metrics/relayers');
    expect(response.text).toMatch(/^# HELP relayers .*\n# TYPE relayers gauge\nrelayers\{/);
    for (const name of ['nothing', '__proto__', 'constructor', 'toString']) {
      expect((await service.get(`/metrics/${name}`)).status).toBe(404);
    }
    const unknown = await service.get('/metrics/nothing');
    expect(unknown.body).toMatchObject({ success: false, data: null, message: 'Metric not found' });
  });
});

describeService('The HTTP interface', { onlySqlite: true }, ({ service }) => {
  const linesOf = (id: string) =>
    service.logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.request_id === id);

  it('uses a well-formed request id in the response and in every log line', async () => {
    const id = `trace.1_a-${'x'.repeat(100)}`;
    const response = await service.patch('/api/v1/relayers/nobody', { paused: true });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const kept = await service.get('/api/v1/relayers?page=x', { 'x-request-id': id });
    expect(kept.headers['x-request-id']).toBe(id);
    expect(linesOf(id).map((line) => line.message)).toEqual([
      'page must be given once, as an integer from 0 to 9007199254740991',
      'Request completed',
    ]);
    expect(linesOf(id).at(-1)).toMatchObject({
      level: 'info',
      method: 'GET',
      route: '/api/v1/relayers',
      status: 400,
      code: 'invalid_request',
    });
  });

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'ü', '<script>', 'a,b'])(
    'creates a new request id for %p',
    async (id) => {
      const response = await service.get('/v1/health', {
        'x-request-id': Buffer.from(id).toString('latin1'),
      });
      expect(response.headers['x-request-id']).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );

  it('sends a request id with every kind of response', async () => {
    const paths = ['/v1/health', '/metrics', '/nowhere', '/api/v1/relayers?page=x', '/%E0%A4%A'];
    const responses = await Promise.all(paths.map((path) => service.get(path)));
    for (const response of responses) expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const large = await service.call({
      method: 'POST',
      path: '/api/v1/notifications',
      body: 'x'.repeat(1024 * 1024 + 1),
    });
    expect(large.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends restrictive security headers', async () => {
    const { headers } = await service.get('/v1/health');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('lets the OpenAPI page load resources from its own origin only', async () => {
    const { headers, text } = await service.get('/api-docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';");
    // No inline script, and none from another origin.
    for (const script of text.match(/<script[^]*?<\/script>/g) ?? [])
      expect(script).toMatch(/^<script src="[./a-z-]+"> ?<\/script>$/);
    expect((await service.get('/api-docs/swagger-ui-bundle.js')).status).toBe(200);
  });

  it('redirects / to the OpenAPI page, which remembers the token', async () => {
    const response = await service.get('/', { authorization: undefined });
    expect([response.status, response.headers.location]).toEqual([302, 'api-docs']);
    expect((await service.get('/api-docs/swagger-ui-init.js')).text).toMatch(/"persistAuthorization": true/);
  });

  it('serves the OpenAPI page and document', async () => {
    expect((await service.get('/api-docs')).text).toContain('swagger-ui');
    const document = (await service.get('/api-docs/openapi.json')).body;
    expect(Object.keys(document.paths)).toContain('/api/v1/relayers/{relayer_id}/sign-typed-data');
  });
});
