import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_VERSION } from '../../src/common/service-version';
import { describeWithAnvil } from '../support/anvil';
import { addRelayer } from '../support/builders';
import { CHAIN_ID, ChainFixture } from '../support/chain-fixture';
import { Collector, type ReceivedSpan, valuesOf } from '../support/collector';
import { describeService } from '../support/describe-service';
import { JsonRpcNode } from '../support/json-rpc-node';
import { TestNotification } from '../support/notifications';
import { until } from '../support/private-servers';
import { Receiver } from '../support/receiver';
import { TestChain } from '../support/test-chain';
import { addSendingRelayer, untilStatus } from '../support/transactions';

const ROOT = join(__dirname, '../..');
const CLIENT_SPAN = 'b7ad6b7169203331';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const [SERVER, CLIENT] = [2, 3];

/** Returns a new trace id, because all databases share the collector. */
const newTraceId = (): string => randomBytes(16).toString('hex');

const traceOf = (id: string) => ({
  traceparent: `00-${id}-${CLIENT_SPAN}-01`,
  tracestate: 'rojo=00f067aa0ba902b7',
});

describe('With a collector', () => {
  const settings: Record<string, string> = {};
  let collector: Collector;

  beforeAll(async () => {
    collector = await Collector.start();
    Object.assign(settings, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret-0123',
      OTEL_SERVICE_NAME: 'relayer-test',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    });
  });

  afterAll(() => collector.close());

  /** The spans of a trace by name, once the given spans have arrived. */
  const spansOf = async (traceId: string, ...names: string[]): Promise<Map<string, ReceivedSpan>> => {
    const found = (): Set<string> => new Set(collector.trace(traceId).map(({ name }) => name));
    await until(`the spans ${names.join()}`, () => names.every((name) => found().has(name)));
    return new Map(collector.trace(traceId).map((span) => [span.name, span]));
  };

  describeService('the service', { settings }, ({ service }) => {
    it('records requests, signatures and units of work in the trace of the client', async () => {
      await addRelayer(service, { id: 'cow' });
      const traceId = newTraceId();
      const path = '/api/v1/relayers/cow/sign-typed-data';
      await service.call({ method: 'POST', path, body: HASHES, headers: traceOf(traceId) });
      const patch = { method: 'PATCH', path: '/api/v1/relayers/cow', body: { name: 'Cow' } };
      await service.call({ ...patch, headers: traceOf(traceId) });
      const request = 'POST /api/v1/relayers/:relayer_id/sign-typed-data';
      const change = 'PATCH /api/v1/relayers/:relayer_id';
      const spans = await spansOf(traceId, request, 'sign', change, 'database transaction');
      expect(spans.get(request)).toMatchObject({ parentSpanId: CLIENT_SPAN, kind: SERVER, status: {} });
      expect(spans.get(request)?.traceState).toBe('rojo=00f067aa0ba902b7');
      expect(valuesOf(spans.get(request)?.attributes ?? [])).toEqual({
        'http.request.method': 'POST',
        'http.route': '/api/v1/relayers/:relayer_id/sign-typed-data',
        'http.response.status_code': 200,
      });
      expect(spans.get('sign')?.parentSpanId).toBe(spans.get(request)?.spanId);
      expect(valuesOf(spans.get('sign')?.attributes ?? [])).toEqual({ 'signer.kind': 'local' });
      expect(spans.get('record audit events')?.parentSpanId).toBe(spans.get(request)?.spanId);
      expect(spans.get('database transaction')?.parentSpanId).toBe(spans.get(change)?.spanId);
      expect(collector.resources.at(-1)).toMatchObject({
        'service.name': 'relayer-test',
        'service.version': SERVICE_VERSION,
      });
      expect(collector.headers.at(-1)?.authorization).toBe('Bearer collector-secret-0123');
      expect(service.logs.filter((line) => line.includes('collector-secret'))).toEqual([]);
    });

    it('propagates its own spans to nodes and receivers', async () => {
      const node = await JsonRpcNode.start(CHAIN_ID);
      const receiver = await Receiver.start();
      try {
        node.respondTo('eth_estimateGas', { result: '0x5208' });
        const relayer = await new ChainFixture(service, () => node).makeRelayer();
        await TestNotification.add(service, receiver.url);
        const traceId = newTraceId();
        const call = { method: 'POST', path: `${relayer.path}/rpc`, body: { method: 'eth_estimateGas' } };
        await service.call({ ...call, headers: traceOf(traceId) });
        const link = { method: 'PATCH', path: relayer.path, body: { notification_id: 'hook' } };
        await service.call({ ...link, headers: traceOf(traceId) });
        const event = 'deliver relayer_update';
        const spans = await spansOf(traceId, 'rpc eth_estimateGas', event, 'webhook');
        const rpc = spans.get('rpc eth_estimateGas');
        expect(rpc).toMatchObject({ kind: CLIENT });
        expect(rpc?.parentSpanId).toBe(spans.get('POST /api/v1/relayers/:relayer_id/rpc')?.spanId);
        // The change of the relayer triggers a check, which also calls the node.
        expect(node.headers.map(({ traceparent }) => traceparent)).toContain(
          `00-${traceId}-${rpc?.spanId}-01`,
        );
        const change = spans.get('database transaction');
        expect(spans.get(event)?.parentSpanId).toBe(change?.spanId);
        expect(change?.parentSpanId).toBe(spans.get('PATCH /api/v1/relayers/:relayer_id')?.spanId);
        expect(spans.get('webhook')).toMatchObject({ kind: CLIENT, parentSpanId: spans.get(event)?.spanId });
        expect(receiver.received[0]?.headers).toMatchObject({
          traceparent: `00-${traceId}-${spans.get('webhook')?.spanId}-01`,
          tracestate: 'rojo=00f067aa0ba902b7',
        });
      } finally {
        await node.close();
        await receiver.close();
      }
    });

    it('starts a trace for a request without one, but not for probes and polling', async () => {
      const { headers } = await service.get('/api/v1/networks', { 'x-request-id': 'begins-a-trace' });
      expect(headers['x-request-id']).toBe('begins-a-trace');
      const line = service.logs
        .map((text) => JSON.parse(text) as Record<string, unknown>)
        .find(({ request_id }) => request_id === 'begins-a-trace');
      await service.get('/v1/ready');
      await service.get('/metrics');
      const spans = await spansOf(String(line?.trace_id), 'GET /api/v1/networks');
      expect(spans.get('GET /api/v1/networks')?.parentSpanId ?? '').toBe('');
      const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name);
      expect(new Set(roots.filter((name) => !/^(?:GET|POST|PATCH) \/api\/v1\//.test(name)))).toEqual(
        new Set(),
      );
    });

    it('records failures by error code, and records nothing for traces that the client does not sample', async () => {
      const [failed, unsampled] = [newTraceId(), newTraceId()];
      const path = '/api/v1/relayers/nobody';
      await service.call({ path, headers: { traceparent: `00-${unsampled}-${CLIENT_SPAN}-00` } });
      await service.call({ path, headers: traceOf(failed) });
      const spans = await spansOf(failed, 'GET /api/v1/relayers/:relayer_id');
      expect(valuesOf(spans.get('GET /api/v1/relayers/:relayer_id')?.attributes ?? [])).toMatchObject({
        'error.type': 'relayer_not_found',
        'http.response.status_code': 404,
      });
      expect(collector.trace(unsampled)).toEqual([]);
    });

    it('exports the metrics that Prometheus scrapes', async () => {
      await service.get('/api/v1/signers');
      await until('the requests', () =>
        collector.metrics.some(
          ({ name, sum }) =>
            name === 'http_requests_total' &&
            sum?.dataPoints.some(({ attributes }) => valuesOf(attributes).route === '/api/v1/signers'),
        ),
      );
      const metric = (name: string) => collector.metrics.find((each) => each.name === name);
      const pointOf = <T extends { attributes: Parameters<typeof valuesOf>[0] }>(points: T[] = []) =>
        points.find(({ attributes }) => valuesOf(attributes).route === '/api/v1/signers');
      expect(metric('http_requests_total')?.sum).toMatchObject({
        isMonotonic: true,
        aggregationTemporality: 2,
      });
      expect(pointOf(metric('http_requests_total')?.sum?.dataPoints)?.asDouble).toBe(1);
      const duration = pointOf(metric('http_request_duration_seconds')?.histogram?.dataPoints);
      expect(duration?.count).toBe(1);
      expect(duration?.explicitBounds).toEqual([
        ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      ]);
      expect(duration?.bucketCounts).toHaveLength(15);
      expect(duration?.bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(1);
      expect(metric('signing_frozen')?.gauge?.dataPoints[0]?.asDouble).toBe(0);
      const names = (await service.get('/metrics')).body as string[];
      const sent = new Set(collector.metrics.map(({ name }) => name));
      // Metrics without a value are not sent.
      expect(names.filter((name) => sent.has(name)).length).toBeGreaterThan(0.75 * names.length);
    });
  });

  describeWithAnvil('and a node', () => {
    describeService('the service', { settings, onlySqlite: true }, ({ service }) => {
      it('records the processing of a transaction in the trace of its request', async () => {
        const chain = await TestChain.start();
        try {
          const relayer = await addSendingRelayer(service, chain, { network: { required_confirmations: 0 } });
          const traceId = 'b'.repeat(32);
          const { body } = await service.call({
            method: 'POST',
            path: `${relayer.path}/transactions`,
            body: { to: `0x${'35'.repeat(20)}`, value: '1', speed: 'fast' },
            headers: traceOf(traceId),
          });
          await untilStatus(service, relayer, body.data.id);
          const spans = await spansOf(
            traceId,
            ...['accept transactions', 'sign transaction', 'sign', 'send transactions'],
            ...['rpc eth_sendRawTransaction', 'transaction submitted', 'transaction confirmed'],
          );
          const request = spans.get('POST /api/v1/relayers/:relayer_id/transactions')?.spanId;
          for (const name of ['accept transactions', 'sign transaction', 'transaction confirmed'])
            expect([name, spans.get(name)?.parentSpanId]).toEqual([name, request]);
          expect(spans.get('sign')?.parentSpanId).toBe(spans.get('sign transaction')?.spanId);
          expect(spans.get('rpc eth_sendRawTransaction')?.parentSpanId).toBe(
            spans.get('send transactions')?.spanId,
          );
          expect(valuesOf(spans.get('transaction confirmed')?.attributes ?? [])).toEqual({
            'transaction.id': body.data.id,
            'relayer.id': relayer.id,
          });
        } finally {
          await chain.stop();
        }
      });
    });
  });
});

describe('Without the OpenTelemetry packages', () => {
  let folder: string;
  let child: ChildProcess;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-telemetry-'));
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const modules = join(ROOT, 'node_modules');
    const own = join(folder, 'node_modules');
    mkdirSync(own);
    for (const name of readdirSync(modules))
      if (name !== '@opentelemetry' && !name.startsWith('.'))
        symlinkSync(join(modules, name), join(own, name));
  });

  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('the start fails with the npm command that installs them', async () => {
    let output = '';
    child = spawn(process.execPath, ['dist/main.js'], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
    });
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
    expect(output).toMatch(
      /^OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: npm install --save-prod @opentelemetry\/api@~1\.9\.1 /m,
    );
  });
});
