import { connect, type Socket } from 'node:net';
import { until } from './private-servers';

/** A response as it arrived over the connection. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A TCP connection for sending data that no HTTP library would send. */
export class RawClient {
  private readonly socket: Socket;
  private received = '';
  private begin = performance.now();
  /** Whether the server has closed its sending side. */
  ended = false;
  closed = false;

  private constructor(url: string, from?: string) {
    const { port, hostname } = new URL(url);
    this.socket = connect({ port: Number(port), host: hostname, ...(from && { localAddress: from }) });
    this.socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.socket.on('end', () => (this.ended = true));
    this.socket.on('close', () => (this.closed = true));
  }

  /** @param from the local address to connect from */
  static async open(url: string, from?: string): Promise<RawClient> {
    const client = new RawClient(url, from);
    await new Promise((resolve, reject) => client.socket.once('connect', resolve).once('error', reject));
    client.begin = performance.now();
    return client;
  }

  write(...lines: string[]): void {
    this.socket.write(lines.join('\r\n'), 'latin1');
  }

  /** Writes the head of a request, and a body if there is one. */
  request(head: string, headers: Record<string, string> = {}, body = ''): void {
    const fields = Object.entries({ Host: 'localhost', ...headers });
    this.write(`${head} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`), '', body);
  }

  /** Stops reading, so that data that the server sends cannot be delivered. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Closes only the sending side. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  get text(): string {
    return this.received;
  }

  /** Seconds since the connection was opened. */
  get seconds(): number {
    return (performance.now() - this.begin) / 1000;
  }

  /** The complete responses so far, including informational ones. */
  get responses(): RawResponse[] {
    const responses: RawResponse[] = [];
    for (let rest = this.received; ;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return responses;
      const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const length = Number(headers['content-length'] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      if (body.length < length) return responses;
      responses.push({ status: Number(first.split(' ')[1]), headers, body });
      rest = rest.slice(end + 4 + length);
    }
  }

  /** Waits for a number of responses, and returns the last of them. */
  async response(count = 1): Promise<RawResponse> {
    await until(`response ${count}`, () => this.responses.length >= count);
    return this.responses[count - 1]!;
  }

  /** Waits until the server has closed the connection. */
  async untilClosed(): Promise<void> {
    await until('the end of the connection', () => this.ended || this.closed);
  }
}
