import type { IncomingMessage, ServerResponse } from 'node:http';

/** Faults of a key service below the level of its protocol. */
export const HTTP_FAULTS = {
  delay: () => undefined,
  unauthorized: status(401),
  forbidden: status(403),
  not_found: status(404),
  throttled: status(429, { 'Retry-After': '30' }),
  broken: status(500),
  overloaded: status(503, { 'Retry-After': '30' }),
  redirect: status(307, { Location: 'http://127.0.0.1:9/elsewhere' }),
  empty: (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(),
  html: (response) =>
    void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Sign in</body></html>'),
  wrong_json: (response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"unexpected":[1,2,3]}'),
  hang_up: (response) => void response.destroy(),
  hang_up_halfway: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
    response.write('{"value":', () => response.destroy());
  },
  huge: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(`{"value":"${'A'.repeat(10_000_000)}"}`);
  },
} as const satisfies Record<string, (response: ServerResponse) => void>;

export type HttpFault = keyof typeof HTTP_FAULTS;

function status(code: number, headers: Record<string, string> = {}): (response: ServerResponse) => void {
  return (response) =>
    void response
      .writeHead(code, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { code: `Status${code}`, message: 'as the test ordered' } }));
}

/** The text of a request's body. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function respondWithJson(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
