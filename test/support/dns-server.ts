import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { Lookup } from '../../src/outbound/lookup';

const HEADER = 12;

/** A name server on a real UDP port that answers every question for an IPv4 address as a test specifies. */
export class DnsServer {
  /** The names in the questions. */
  readonly questions: string[] = [];

  private constructor(private readonly socket: Socket) {}

  /** @param respond returns the addresses for a question, by its number, counted from 1 */
  static async start(respond: (number: number) => string[]): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket);
    socket.on('message', (query, { port, address }) => {
      server.questions.push(nameIn(query));
      socket.send(responseTo(query, respond(server.questions.length)), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** Queries this server, without caching. */
  get lookup(): Lookup {
    const resolver = new Resolver({ timeout: 2000, tries: 1 });
    resolver.setServers([`127.0.0.1:${this.socket.address().port}`]);
    return (hostname) => resolver.resolve4(hostname);
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }
}

/** The name in a query (RFC 1035 §4.1.2). */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER; query[at]; at += 1 + query[at]!)
    labels.push(query.subarray(at + 1, at + 1 + query[at]!).toString('latin1'));
  return labels.join('.');
}

/** The question, followed by an A record with a lifetime of 0 for each address (RFC 1035 §4.1.3). */
function responseTo(query: Buffer, addresses: string[]): Buffer {
  const question = query.subarray(HEADER, query.indexOf(0, HEADER) + 5);
  const header = Buffer.from(query.subarray(0, HEADER));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  const record = (address: string): Buffer =>
    Buffer.from([0xc0, HEADER, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([header, question, ...addresses.map(record)]);
}
