import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CertificateAuthority } from '../../test/support/certificates';
import { withUnverifiedTls } from '../../test/support/unverified-tls';
import { Secret } from '../common/secrets/secret';
import { RedisService } from './redis.service';

/** A Redis that responds on new connections, and never again on those that it has swallowed. */
class SwallowingRedis {
  readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private readonly swallowed = new Set<Socket>();

  constructor() {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('data', (data) => {
        if (this.swallowed.has(socket)) return;
        for (const command of data
          .toString()
          .split(/^\*\d+\r\n/m)
          .slice(1))
          socket.write(command === '$4\r\ninfo\r\n' ? '$9\r\nloading:0\r\n' : '+OK\r\n');
      });
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  swallow(): void {
    for (const socket of this.sockets) this.swallowed.add(socket);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('RedisService', () => {
  afterEach(() => jest.restoreAllMocks());

  it('tests Redis on a new connection after one that does not respond, and keeps no commands for it', async () => {
    for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation();
    const server = new SwallowingRedis();
    const clients: Redis[] = [];
    class Client extends Redis {
      constructor(...args: ConstructorParameters<typeof Redis>) {
        super(...args);
        clients.push(this);
      }
    }
    const service = new RedisService({
      url: new Secret(await server.listen()),
      Client: Client,
    });
    await service.ping();
    server.swallow();
    const pings = await Promise.allSettled(Array.from({ length: 20 }, () => service.ping()));
    expect(new Set(pings.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await service.ping();
    // Protected members of the client.
    const { commandQueue, offlineQueue } = clients[0] as unknown as Record<string, { length: number }>;
    expect([commandQueue!.length, offlineQueue!.length]).toEqual([0, 0]);
    service.onApplicationShutdown();
    server.close();
  });

  it.each(['rediss', 'REDISS'])(
    'verifies the certificate of %s:// whatever the environment says',
    async (scheme) => {
      for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockImplementation();
      const authority = new CertificateAuthority();
      const received: Buffer[] = [];
      const server = createTlsServer(authority.selfSigned('localhost'), (socket) =>
        socket.on('error', () => undefined).on('data', (data: Buffer) => received.push(data)),
      );
      let handshakes = 0;
      server.on('connection', () => (handshakes += 1)).on('tlsClientError', () => undefined);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const service = new RedisService({ url: new Secret(`${scheme}://localhost:${port}`), Client: Redis });
      const client = service.connect('test', { lazyConnect: true, retryStrategy: () => null });
      await withUnverifiedTls(async () => {
        const [[error]] = await Promise.all([
          once(client, 'error') as Promise<[Error]>,
          client.connect().catch(() => undefined),
        ]);
        expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
      });
      service.onApplicationShutdown();
      server.close();
      authority.remove();
      expect(handshakes).toBe(1);
      expect(received).toEqual([]);
    },
  );
});
