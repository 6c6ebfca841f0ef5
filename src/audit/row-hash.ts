import { hash } from 'node:crypto';
import { canonicalJson } from '../secrets/canonical-json';
import type { AuditEventEntity } from './audit-event.entity';

/** A row without its hash. */
export type UnhashedEvent = Omit<AuditEventEntity, 'hash'>;

const sha256 = (text: string): string => hash('sha256', text);

/** What the first row of a chain continues, in place of the hash of a row before it. */
export const firstHash = (chain: number, name: string): string =>
  sha256(JSON.stringify(['audit chain', chain, name]));

/**
 * The hash of a row: SHA-256 of the JSON array of the hash before it and the row's columns in this order, the time as
 * milliseconds since 1970 and the changes as a text of JSON with sorted members. Docs: `docs/operations/audit.md`.
 *
 * @returns 64 lower-case hex digits
 */
export function hashOf(previous: string, row: UnhashedEvent): string {
  return sha256(
    JSON.stringify([
      previous,
      row.chain,
      row.sequence,
      row.at.getTime(),
      row.keyId,
      row.action,
      row.relayerId,
      row.signerId,
      row.requestId,
      row.clientIp,
      row.outcome,
      row.code,
      row.digest,
      row.form,
      row.changes === null ? null : canonicalJson(row.changes),
    ]),
  );
}
