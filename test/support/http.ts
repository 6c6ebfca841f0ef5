import {
  Agent,
  request as startRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into responses of any shape
  body: any;
}

export interface Call {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Aborts the call on the client side. */
  signal?: AbortSignal;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends one request exactly as described: headers may be repeated, and the body may be malformed. */
export function send(baseUrl: string, call: Call, through = agent): Promise<HttpResponse> {
  const { method = 'GET', path, headers = {}, body, signal } = call;
  const raw =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const contentHeaders =
    raw === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(raw) };
  return new Promise((resolve, reject) => {
    const request = startRequest(
      baseUrl + path,
      { agent: through, method, headers: { ...contentHeaders, ...headers }, ...(signal && { signal }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) });
        });
      },
    );
    request.on('error', reject);
    request.end(raw);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
