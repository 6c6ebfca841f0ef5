import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** Type, version and length of a record (RFC 8446, 5.1). */
const HEADER_BYTES = 5;
const ALERT = 21;
const APPLICATION_DATA = 23;
/** An alert, the type of the record, and the tag of each of Node's ciphers (RFC 8446, 5.2). */
const ENCRYPTED_ALERT_BYTES = 2 + 1 + 16;

interface TlsRecord {
  type: number;
  length: number;
}

/**
 * Tells whether the peer of a TLS connection has ended it with close_notify. `node:tls` emits `end` without one too, if
 * the peer or anything on the path closes the TCP connection, and has no means to tell the two apart.
 *
 * It follows the headers of the records that the peer sends, which are not encrypted. OpenSSL verifies the records
 * themselves, so that `end` follows only records of the peer.
 */
export class CloseNotifyWatch {
  /** The `socket` for `tls.connect`. */
  readonly transport: Duplex;
  private readonly header = Buffer.alloc(HEADER_BYTES);
  private headerBytes = 0;
  private missingBytes = 0;
  private last: TlsRecord | undefined;

  /** @param connection a TCP connection that nothing has read from */
  constructor(connection: Socket) {
    this.transport = new Transport(connection, (chunk) => {
      this.follow(chunk);
    });
  }

  /**
   * Whether the peer's last record was an alert. At the `end` of the TLS connection that is close_notify: fatal alerts
   * are errors, and a server has no reason for a warning.
   *
   * TLS 1.3 encrypts the type of a record too, but no other record has this length: handshake messages (tickets, key
   * updates) are longer, and a receiver of syslog sends no application data (RFC 5425), let alone two bytes.
   */
  endedWithAlert(socket: Pick<TLSSocket, 'getProtocol'>): boolean {
    if (!this.last || this.headerBytes > 0 || this.missingBytes > 0) return false;
    const { type, length } = this.last;
    return socket.getProtocol() === 'TLSv1.3'
      ? type === APPLICATION_DATA && length === ENCRYPTED_ALERT_BYTES
      : type === ALERT;
  }

  private follow(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.missingBytes > 0) {
        const skipped = Math.min(this.missingBytes, chunk.length - at);
        this.missingBytes -= skipped;
        at += skipped;
        continue;
      }
      const copied = chunk.copy(this.header, this.headerBytes, at);
      this.headerBytes += copied;
      at += copied;
      if (this.headerBytes < HEADER_BYTES) return;
      this.headerBytes = 0;
      this.last = { type: this.header.readUInt8(0), length: this.header.readUInt16BE(3) };
      this.missingBytes = this.last.length;
    }
  }
}

/** Passes a connection on. TLS reads from the handle of a TCP socket directly, so that its bytes could not be seen. */
class Transport extends Duplex {
  constructor(
    private readonly connection: Socket,
    onData: (chunk: Buffer) => void,
  ) {
    super();
    connection.on('data', (chunk: Buffer) => {
      onData(chunk);
      if (!this.push(chunk)) connection.pause();
    });
    connection.on('end', () => this.push(null));
    connection.on('error', (error) => this.destroy(error));
    connection.on('close', () => this.destroy());
  }

  override _read(): void {
    this.connection.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.connection.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.connection.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connection.destroy();
    done(error);
  }
}
