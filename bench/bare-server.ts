/**
 * The upper bound: a `node:http` server that reads a request's body and responds with fixed bytes. Started by bare.ts.
 */
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response to every request. */
export interface BareResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

process.once('message', ({ status, headers, body }: BareResponse) => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      response.writeHead(status, headers);
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
