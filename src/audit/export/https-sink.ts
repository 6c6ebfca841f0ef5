import type { Secret } from '../../common/secrets/secret';
import type { OutboundHttp } from '../../outbound/outbound-http';
import type { AuditEventEntity } from '../audit-event.entity';
import { toAuditLines } from '../events/audit-event.response';
import type { AuditSink } from './audit-sink';

const MAX_RESPONSE_BYTES = 1024;

/** Posts NDJSON. A 2xx status confirms a batch. */
export class HttpsSink implements AuditSink {
  constructor(
    private readonly http: OutboundHttp,
    private readonly url: Secret,
    private readonly timeoutMs: number,
  ) {}

  async write(events: readonly AuditEventEntity[], signal: AbortSignal): Promise<void> {
    const { status } = await this.http.post({
      url: this.url.reveal(),
      purpose: 'audit',
      headers: { 'content-type': 'application/x-ndjson' },
      body: toAuditLines(events),
      timeoutMs: this.timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
      onTooLarge: 'truncate',
      signal,
    });
    if (status < 200 || status > 299) throw new Error(`The receiver responded with status ${status}`);
  }
}
