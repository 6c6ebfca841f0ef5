import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { AuditEventEntity } from '../audit-event.entity';
import { toAuditEventResponse } from '../events/audit-event.response';
import type { AuditSink } from './audit-sink';
import { CloseNotifyWatch } from './close-notify';

/** Facility 13 (log audit), severity 6 (informational). */
const PRIORITY = 13 * 8 + 6;
const APPLICATION = 'relayer-service';
const HOST = hostname().replace(/[^\x21-\x7e]/g, '') || '-';

/** The address of the collector, and how to verify its certificate. */
interface SyslogTarget {
  host: string;
  port: number;
  /** CA certificates in PEM; by default those that Node trusts. */
  ca?: string | undefined;
}

/**
 * Sends RFC 5424 messages over TLS with octet counting (RFC 5425). The protocol has no acknowledgements, so each batch
 * has a connection of its own that ends with close_notify: a receiver sends its own close_notify once it has read
 * everything. Any other end, such as a plain FIN, acknowledges nothing.
 */
export class SyslogSink implements AuditSink {
  constructor(private readonly target: SyslogTarget) {}

  async write(events: readonly AuditEventEntity[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { host, port } = this.target;
    const watch = new CloseNotifyWatch(connect({ host, port }));
    const socket = this.secure(watch);
    const stop = (): void => void socket.destroy(new Error('The collector took too long'));
    signal.addEventListener('abort', stop);
    try {
      await once(socket, 'secureConnect');
      const closed = closeOf(socket, watch);
      socket.end(Buffer.concat(events.map(frameOf)));
      await closed;
    } finally {
      signal.removeEventListener('abort', stop);
      socket.destroy();
    }
  }

  private secure({ transport }: CloseNotifyWatch): TLSSocket {
    const { host, ca } = this.target;
    return connectTls({
      socket: transport,
      host,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
    });
  }
}

/**
 * Resolves when the receiver has closed its side with close_notify. Received data is discarded, because the protocol
 * defines none.
 */
function closeOf(socket: TLSSocket, watch: CloseNotifyWatch): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (text: string): void => reject(new Error(`The collector closed the connection ${text}`));
    socket.once('end', () => {
      // A close_notify that comes before the service has sent everything is one of a collector that stops.
      if (socket.writableLength > 0) refuse('before it had read everything');
      else if (watch.endedWithAlert(socket)) resolve();
      else refuse('without close_notify, so that it may not have stored the events');
    });
    socket.once('error', reject).once('close', () => refuse('before it had read everything'));
    socket.resume();
  });
}

/** `MSG-LEN SP SYSLOG-MSG` (RFC 5425, 4.3). */
function frameOf(event: AuditEventEntity): Buffer {
  const content = JSON.stringify(toAuditEventResponse(event));
  const text = `<${PRIORITY}>1 ${event.at.toISOString()} ${HOST} ${APPLICATION} - AUDIT - ${content}`;
  const message = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
