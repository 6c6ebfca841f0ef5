import { once } from 'node:events';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { connect, type TLSSocket } from 'node:tls';
import type { AuditEventEntity } from '../audit-event.entity';
import { toAuditEventResponse } from '../events/audit-event.response';
import type { AuditSink } from './audit-sink';

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
 * everything.
 */
export class SyslogSink implements AuditSink {
  constructor(private readonly target: SyslogTarget) {}

  async write(events: readonly AuditEventEntity[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const socket = this.connect();
    const stop = (): void => void socket.destroy(new Error('The collector took too long'));
    signal.addEventListener('abort', stop);
    try {
      await once(socket, 'secureConnect');
      const closed = closeOf(socket);
      socket.end(Buffer.concat(events.map(frameOf)));
      await closed;
    } finally {
      signal.removeEventListener('abort', stop);
      socket.destroy();
    }
  }

  private connect(): TLSSocket {
    const { host, port, ca } = this.target;
    return connect({
      host,
      port,
      minVersion: 'TLSv1.2',
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
    });
  }
}

/**
 * Resolves when the receiver has closed its side cleanly. Received data is discarded, because the protocol defines
 * none.
 */
function closeOf(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('end', resolve).once('error', reject);
    socket.once('close', () => {
      reject(new Error('The collector closed the connection before it had read everything'));
    });
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
