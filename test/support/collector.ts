import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}

/** A span in OTLP/JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status: { code?: number };
}

/** A metric in OTLP/JSON. */
export interface ReceivedMetric {
  name: string;
  description: string;
  sum?: {
    isMonotonic: boolean;
    aggregationTemporality: number;
    dataPoints: { asDouble: number; attributes: Attribute[] }[];
  };
  gauge?: { dataPoints: { asDouble: number; attributes: Attribute[] }[] };
  histogram?: {
    dataPoints: {
      count: number;
      sum: number;
      bucketCounts: number[];
      explicitBounds: number[];
      attributes: Attribute[];
    }[];
  };
}

/** The body of a request, which contains one of the two. */
interface Export {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ReceivedSpan[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: ReceivedMetric[] }[] }[];
}

/** A collector that accepts OTLP over HTTP as JSON, on a free port. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** The metrics in the last export. */
  metrics: ReceivedMetric[] = [];
  readonly resources: Record<string, unknown>[] = [];
  readonly headers: IncomingHttpHeaders[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.headers.push(request.headers);
        collector.receive(request.url ?? '', JSON.parse(Buffer.concat(chunks).toString('utf8')) as Export);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, in the order of their start times. */
  trace(traceId: string): ReceivedSpan[] {
    return this.spans
      .filter((span) => span.traceId === traceId)
      .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private receive(path: string, body: Export): void {
    if (path === '/v1/traces') {
      for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
        this.resources.push(valuesOf(resource.attributes));
        for (const { spans } of scopeSpans) this.spans.push(...spans);
      }
    } else if (path === '/v1/metrics') {
      this.metrics = (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap(({ metrics }) => metrics),
      );
    } else {
      throw new Error(`Nothing is sent to ${path}`);
    }
  }
}

/** Attributes by name. */
export const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
