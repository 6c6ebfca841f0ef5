import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Certificate, CertificateAuthority } from '../../test/support/certificates';
import { outboundHttp } from '../../test/support/outbound';
import { withUnverifiedTls } from '../../test/support/unverified-tls';
import type { OutboundHttp } from './outbound-http';

const NAME = 'node.tls.test';

describe('OutboundHttp over TLS', () => {
  let authority: CertificateAuthority;
  let server: Server;
  let http: OutboundHttp;
  let seen: { servername: unknown; host: string | undefined }[];

  beforeAll(() => {
    authority = new CertificateAuthority();
  });

  afterAll(() => {
    authority.remove();
  });

  beforeEach(() => {
    seen = [];
    http = outboundHttp({
      allow: '127.0.0.1',
      lookup: () => Promise.resolve(['127.0.0.1']),
      tls: { ca: authority.own.cert },
    });
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function serve(certificate: Certificate): Promise<number> {
    server = createServer(certificate, (request, response) => {
      seen.push({ servername: (request.socket as TLSSocket).servername, host: request.headers.host });
      response.end('hello');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const post = (port: number, host = NAME) =>
    http.post({
      url: `https://${host}:${port}`,
      purpose: 'rpc',
      body: '',
      timeoutMs: 5000,
      maxBytes: 100,
      onTooLarge: 'fail',
    });

  it('uses the name for SNI, the certificate and the Host header', async () => {
    const port = await serve(authority.issue(NAME));
    for (const host of [NAME, `${NAME}.`]) {
      const response = await post(port, host);
      expect(response.body.toString()).toBe('hello');
    }
    expect(seen).toEqual([
      { servername: NAME, host: `${NAME}:${port}` },
      { servername: NAME, host: `${NAME}.:${port}` },
    ]);
  });

  it.each([
    ['is self-signed', () => authority.selfSigned(NAME), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['is for another name', () => authority.issue('other.tls.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', () => authority.issue(NAME, -1), 'CERT_HAS_EXPIRED'],
  ])('refuses a certificate that %s', async (_name, certificate, code) => {
    const port = await serve(certificate());
    await expect(post(port)).rejects.toMatchObject({
      failure: 'tls',
      message: `${NAME}:${port} does not agree on TLS (${code})`,
    });
    expect(seen).toEqual([]);
  });

  it('verifies the certificate whatever the environment says', async () => {
    const port = await serve(authority.selfSigned(NAME));
    await withUnverifiedTls(async () => {
      await expect(post(port)).rejects.toMatchObject({ failure: 'tls' });
    });
    expect(seen).toEqual([]);
  });

  it('refuses a certificate without the address if the URL has an address', async () => {
    const port = await serve(authority.issue(NAME));
    await expect(post(port, '127.0.0.1')).rejects.toMatchObject({ failure: 'tls' });
  });

  it('repeats a request if the server had closed the connection', async () => {
    const port = await serve(authority.issue(NAME));
    await post(port);
    const responses = await Promise.all([post(port), new Promise(setImmediate).then(() => post(port))]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    server.removeAllListeners('request').on('request', (request, response) => {
      server.removeAllListeners('request').on('request', (_request, second) => second.end('again'));
      request.socket.destroy();
      response.destroy();
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await post(port)).body.toString()).toBe('again');
  });
});
