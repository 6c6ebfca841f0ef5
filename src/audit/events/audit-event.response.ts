import { ApiProperty } from '@nestjs/swagger';
import { growing, orNull } from '../../common/openapi/schemas';
import { JSON_OBJECT } from '../../common/openapi/envelope-schemas';
import type { AuditEventEntity, AuditOutcome } from '../audit-event.entity';
import type { Changes } from '../changed-fields';

/** One signature, transaction, change or refusal. */
export class AuditEventResponse {
  /** Its chain and its place in that. */
  @ApiProperty({ example: '7-42' })
  id!: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.123Z' })
  at!: string;

  /** The API key of the caller, or `root`; null for the service itself. Of an approved change, the key that requested it. */
  @ApiProperty({ type: String, nullable: true, example: 'root' })
  key_id!: string | null;

  @ApiProperty({ example: 'signature.create' })
  action!: string;

  @ApiProperty({ type: String, nullable: true, example: 'demo' })
  relayer_id!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'demo' })
  signer_id!: string | null;

  /** Of an approved change, the request of the last approval. */
  @ApiProperty({ type: String, nullable: true })
  request_id!: string | null;

  /** Null without a client, and for what an approved change does: its client is in the event `change.request`. */
  @ApiProperty({ type: String, nullable: true, example: '192.0.2.1' })
  client_ip!: string | null;

  @ApiProperty(growing(['success', 'failure']))
  outcome!: AuditOutcome;

  /** Why it failed: a code of the API, or the cause of a failed authentication. */
  @ApiProperty({ type: String, nullable: true, example: null })
  code!: string | null;

  /** What was signed, in lower-case hex without `0x`. */
  @ApiProperty({ type: String, nullable: true, pattern: '^[0-9a-f]{64}$' })
  digest!: string | null;

  /** What the digest stands for. */
  @ApiProperty({ type: String, nullable: true, example: 'typed_data_hashes' })
  form!: string | null;

  /** The fields that were changed, each `{before, after}`; secrets are masked. `approved_change` names the approved change that did it. */
  @ApiProperty({
    ...orNull(JSON_OBJECT),
    example: null,
  })
  changes!: Changes | null;

  /** The number of the chain that the event is in. */
  @ApiProperty({ type: 'integer', example: 7 })
  chain!: number;

  /** Its place in the chain, from 1, without gaps. */
  @ApiProperty({ type: 'integer', example: 42 })
  sequence!: number;

  /** SHA-256 over this event and the hash of the one before it in its chain. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  hash!: string;
}

export function toAuditEventResponse(event: AuditEventEntity): AuditEventResponse {
  return {
    id: `${event.chain}-${event.sequence}`,
    at: event.at.toISOString(),
    key_id: event.keyId,
    action: event.action,
    relayer_id: event.relayerId,
    signer_id: event.signerId,
    request_id: event.requestId,
    client_ip: event.clientIp,
    outcome: event.outcome,
    code: event.code,
    digest: event.digest,
    form: event.form,
    changes: event.changes,
    chain: event.chain,
    sequence: event.sequence,
    hash: event.hash,
  };
}

/** Events as NDJSON: one JSON object in each line. */
export const toAuditLines = (events: readonly AuditEventEntity[]): string =>
  events.map((event) => `${JSON.stringify(toAuditEventResponse(event))}\n`).join('');
