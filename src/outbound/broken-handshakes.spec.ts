import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { CertificateAuthority } from '../../test/support/certificates';
import { outboundHttp } from '../../test/support/outbound';
import { OutboundError } from './outbound-error';
import type { OutboundHttp } from './outbound-http';

const NAME = 'node.tls.test';
/** A record of application data that is not encrypted with any key (RFC 8446 §5.2). */
const BAD_RECORD = Buffer.concat([Buffer.from([23, 3, 3, 0, 32]), Buffer.alloc(32)]);

/**
 * A TLS 1.3 server that completes the handshake and then breaks the connection at once: the client has accepted the
 * handshake, and receives the bad record before the caller has the connection.
 */
describe('OutboundHttp with servers that break TLS after the handshake', () => {
  let authority: CertificateAuthority;
  let servers: Server[];
  let http: OutboundHttp;

  beforeAll(() => {
    authority = new CertificateAuthority();
  });

  afterAll(() => {
    authority.remove();
  });

  beforeEach(() => {
    servers = [];
    http = outboundHttp({
      allow: '127.0.0.1',
      lookup: () => Promise.resolve(['127.0.0.1']),
      tls: { ca: authority.own.cert },
    });
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    for (const server of servers) server.close();
  });

  async function listening(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Forwards the server's first flight, which is its whole handshake, followed by a bad record. */
  async function breaking(): Promise<number> {
    const honest = createTlsServer({ ...authority.issue(NAME), minVersion: 'TLSv1.3' });
    const port = await listening(honest.on('tlsClientError', ignore));
    return listening(
      createServer((client) => {
        const server = connect(port, '127.0.0.1').on('error', ignore);
        client.on('error', ignore).pipe(server);
        server.once('data', (flight) => {
          client.write(Buffer.concat([flight, BAD_RECORD]), () => {
            client.resetAndDestroy();
            server.destroy();
          });
        });
      }),
    );
  }

  it('fails the call and does not crash the process', async () => {
    const port = await breaking();
    const limits = { timeoutMs: 20_000, maxBytes: 100, onTooLarge: 'fail' } as const;
    const request = { url: `https://${NAME}:${port}`, purpose: 'rpc', body: '{}', ...limits } as const;
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const error = await http.post(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(OutboundError);
      expect(['connection', 'tls']).toContain((error as OutboundError).failure);
    }
  });
});

function ignore(): void {
  // The client reports what happened to the connection.
}
